/** A pass over all of a file, begun anew when what it asks for changes. */
import { useEffect, useRef, useState } from 'react'

export interface FilePass<T> {
  /** Null until the end of the file. */
  readonly result: T | null
  /** How much has been read, from 0 to 1. */
  readonly share: number
  readonly error: Error | null
}

const nothing = { result: null, share: 0, error: null }
/** Shares that differ by less are not drawn. */
const SHARE_STEP = 0.01

/** @param key what the pass asks for, as a text */
export function useFilePass<T>(
  file: File,
  key: string,
  pass: (onShare: (share: number) => void, signal: AbortSignal) => Promise<T>,
): FilePass<T> {
  const [state, setState] = useState<FilePass<T>>(nothing)
  const latest = useRef(pass)
  latest.current = pass
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the pass asks for
  useEffect(() => {
    const abort = new AbortController()
    let drawn = 0
    setState(nothing)
    const onShare = (share: number) => {
      if (abort.signal.aborted || share - drawn < SHARE_STEP) return
      drawn = share
      setState({ ...nothing, share })
    }
    latest.current(onShare, abort.signal).then(
      (result) => {
        if (!abort.signal.aborted) setState({ result, share: 1, error: null })
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        setState({ ...nothing, error: error instanceof Error ? error : new Error(String(error)) })
      },
    )
    return () => abort.abort()
  }, [file, key])
  return state
}
