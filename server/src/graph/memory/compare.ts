/** Comparison of bytes, short ones in place and long ones by the platform. */

/** From here on a call of the platform costs less than the loop. */
const NATIVE_SIZE_BYTES_MIN = 64

/** @returns below 0, 0 or above 0 for the order of the bytes; a beginning comes before the whole */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length)
  if (length >= NATIVE_SIZE_BYTES_MIN) return Buffer.compare(left, right)
  for (let at = 0; at < length; at++) {
    const difference = left[at]! - right[at]!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

export interface ByteRange {
  readonly bytes: Uint8Array
  readonly start: number
  readonly length: number
}

/** Whether `bytes` hold the value from `start` on, and as many as the value has. */
export function holdsAt(bytes: Uint8Array, start: number, value: ByteRange): boolean {
  const { length } = value
  if (length >= NATIVE_SIZE_BYTES_MIN) {
    const there = bytes.subarray(start, start + length)
    return Buffer.compare(there, value.bytes.subarray(value.start, value.start + length)) === 0
  }
  for (let at = 0; at < length; at++) {
    if (bytes[start + at] !== value.bytes[value.start + at]) return false
  }
  return true
}
