/** Buffers that grow in place. */

/**
 * Smaller buffers have no reservation: each one costs a memory mapping, of which a process has some ten thousands.
 * They are copied when they grow, those of all columns of a table for the same row.
 */
const PLAIN_SIZE_BYTES_MAX = 256 * 1024
const RESERVATION_FACTOR = 64
/** An array that outgrows its reservation is copied in one go. Ten thousand of these are a third of the address space. */
const RESERVATION_SIZE_BYTES_MIN = 2 ** 32
const RESERVATION_SIZE_BYTES_MAX = 2 ** 35

/**
 * Address space for a buffer of so many bytes that may grow: 64 times its size and at least 4 GiB, or just its
 * size where it is small or large enough.
 */
export function reservationBytes(sizeBytes: number): number {
  if (sizeBytes <= PLAIN_SIZE_BYTES_MAX) return sizeBytes
  const wanted = Math.max(sizeBytes * RESERVATION_FACTOR, RESERVATION_SIZE_BYTES_MIN)
  return Math.max(sizeBytes, Math.min(wanted, RESERVATION_SIZE_BYTES_MAX))
}

/** A buffer that may grow up to a size; on a machine without so much address space one that may not. */
export function reservedBuffer(sizeBytes: number, maxByteLength: number): SharedArrayBuffer {
  if (maxByteLength <= sizeBytes) return new SharedArrayBuffer(sizeBytes)
  try {
    return new SharedArrayBuffer(sizeBytes, { maxByteLength })
  } catch {
    return new SharedArrayBuffer(sizeBytes)
  }
}

/**
 * Zeroed bytes for an array that is read from a segment. The first row that is added to it then
 * grows it in place: a plain buffer would be copied as a whole, with the event loop waiting.
 */
export function sharedBytes(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
  const buffer = reservedBuffer(sizeBytes, reservationBytes(sizeBytes))
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
