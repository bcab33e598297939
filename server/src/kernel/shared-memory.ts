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

/**
 * Has another thread write the pages of new memory first, ahead of the one that goes on to fill it: the first
 * writing of a page takes longer than filling it.
 */
export type FirstWriter = (buffer: SharedArrayBuffer, start: number, end: number) => void

/** Smaller memory is filled before another thread has received the message. */
const FIRST_WRITE_SIZE_BYTES_MIN = 256 * 1024

/** Set where there is a thread for it. Null: each thread does it as it goes. */
export const firstWriter: { current: FirstWriter | null } = { current: null }

/** @param start from here on the memory is new, and not filled at once */
export function writeFirst(buffer: SharedArrayBuffer, start: number): void {
  const { current } = firstWriter
  if (current === null || buffer.byteLength - start < FIRST_WRITE_SIZE_BYTES_MIN) return
  current(buffer, start, buffer.byteLength)
}
