/** The beginning of a file, enough to guess what it holds. */
import { useEffect, useState } from 'react'

const SAMPLE_SIZE_BYTES = 256 * 1024

/** Null until it is read, an error when it cannot be. */
export function useFileStart(file: File): Uint8Array | Error | null {
  const [start, setStart] = useState<Uint8Array | Error | null>(null)
  useEffect(() => {
    let current = true
    const set = (value: Uint8Array | Error) => {
      if (current) setStart(value)
    }
    setStart(null)
    file
      .slice(0, SAMPLE_SIZE_BYTES)
      .arrayBuffer()
      .then(
        (bytes) => set(new Uint8Array(bytes)),
        (error: unknown) => set(error instanceof Error ? error : new Error(String(error))),
      )
    return () => {
      current = false
    }
  }, [file])
  return start
}

/** As text, without a character that the end of the sample cuts. */
export function sampleText(start: Uint8Array, encoding: string, file: File): string {
  return new TextDecoder(encoding).decode(start, { stream: !isWholeFile(file) })
}

/** Whether the sample is all of the file. */
export const isWholeFile = (file: File): boolean => file.size <= SAMPLE_SIZE_BYTES
