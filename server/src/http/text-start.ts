/** Where the text of a body begins, as the parser of JSON sees it. */
import { markBytes } from '#kernel/byte-order-mark.ts'

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/**
 * Where a text begins, behind a byte order mark and the blanks that a parser of JSON skips.
 * @returns `limitBytes`, or the length, when nothing but blanks stands before it
 */
export function firstText(bytes: Uint8Array, limitBytes: number): number {
  const end = Math.min(bytes.length, limitBytes)
  let at = markBytes(bytes)
  while (at < end && isSpace(bytes[at]!)) at++
  return at
}
