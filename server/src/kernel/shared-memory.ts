/** Buffers that grow in place. */

/** Smaller buffers have no reservation: each one costs a memory mapping, of which a process has some ten thousands. */
const PLAIN_SIZE_BYTES_MAX = 1024 * 1024
const RESERVATION_FACTOR = 64
const RESERVATION_SIZE_BYTES_MAX = 2 ** 35

/**
 * Address space for a buffer of so many bytes that may grow: 64 times its size, or just its size
 * where it is small or large enough.
 */
export function reservationBytes(sizeBytes: number): number {
  if (sizeBytes <= PLAIN_SIZE_BYTES_MAX) return sizeBytes
  const reserved = Math.min(sizeBytes * RESERVATION_FACTOR, RESERVATION_SIZE_BYTES_MAX)
  return Math.max(sizeBytes, reserved)
}

/**
 * Zeroed bytes for an array that is read from a segment. The first row that is added to it then
 * grows it in place: a plain buffer would be copied as a whole, with the event loop waiting.
 */
export function sharedBytes(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
  const maxByteLength = reservationBytes(sizeBytes)
  const buffer =
    maxByteLength > sizeBytes
      ? new SharedArrayBuffer(sizeBytes, { maxByteLength })
      : new SharedArrayBuffer(sizeBytes)
  return new Uint8Array(buffer, 0, sizeBytes)
}
