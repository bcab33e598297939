/** Bytes of a file as text, piece by piece; characters stay whole over the edges of pieces. */

export const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof encodings)[number]

/** Small enough that reading one piece into payloads never holds the page up. */
const READ_SIZE_BYTES = 64 * 1024

/** What the beginning of a file is written in: its mark says so, else UTF-8 when it is that. */
export function sniffEncoding(start: Uint8Array): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

export interface TextPiece {
  readonly text: string
  readonly bytesRead: number
  readonly isLast: boolean
}

/** A byte order mark is no part of the text. An empty file is one empty piece. */
export async function* textPieces(file: File, encoding: Encoding): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder(encoding)
  for (let start = 0; start === 0 || start < file.size; start += READ_SIZE_BYTES) {
    const bytes = await file.slice(start, start + READ_SIZE_BYTES).arrayBuffer()
    const isLast = start + READ_SIZE_BYTES >= file.size
    const text = decoder.decode(bytes, { stream: !isLast })
    yield { text, bytesRead: Math.min(file.size, start + READ_SIZE_BYTES), isLast }
  }
}
