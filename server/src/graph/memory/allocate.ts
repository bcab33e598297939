/**
 * The one place where the engine and its rebuild obtain memory for graph data.
 *
 * Memory that the system refuses is an error of the operation that asked for it, not of the server.
 */
import { DbError } from '#kernel/errors.ts'
import { reservedBuffer, writeFirst } from '#kernel/shared-memory.ts'

/** Memory of its own, or more of what there is, in place. */
export type AllocationKind = 'new' | 'growth'

/** Set by tests: throws in place of an allocation. Null: every allocation is attempted. */
export const allocationFault: {
  before: ((sizeBytes: number, kind: AllocationKind) => void) | null
} = { before: null }

/**
 * Bytes that this thread has ever obtained here: what superseded arrays can be at most. What an array grew by
 * in place is counted when it is given up (`Growable`).
 */
export const obtained = { bytes: 0 }

/**
 * Zeroed shared memory.
 * @param reservedBytes up to which it may grow in place; absent: not at all
 * @param filledBytes which the caller fills at once; absent: none
 * @throws DbError MEMORY_LIMIT
 */
export function allocateShared(
  sizeBytes: number,
  reservedBytes = sizeBytes,
  filledBytes = 0,
): SharedArrayBuffer {
  const buffer = attempt('new', sizeBytes, () => reservedBuffer(sizeBytes, reservedBytes))
  writeFirst(buffer, filledBytes)
  return buffer
}

/** @throws DbError MEMORY_LIMIT: the buffer is as long as it was */
export function growShared(buffer: SharedArrayBuffer, sizeBytes: number): void {
  const oldBytes = buffer.byteLength
  attempt('growth', sizeBytes - oldBytes, () => buffer.grow(sizeBytes))
  writeFirst(buffer, oldBytes)
}

/**
 * Zeroed words that one thread uses.
 * @throws DbError MEMORY_LIMIT
 */
export function allocateWords(length: number): Uint32Array<ArrayBuffer> {
  const sizeBytes = length * Uint32Array.BYTES_PER_ELEMENT
  return attempt('new', sizeBytes, () => new Uint32Array(length))
}

function attempt<Result>(kind: AllocationKind, sizeBytes: number, allocate: () => Result): Result {
  allocationFault.before?.(sizeBytes, kind)
  try {
    const result = allocate()
    if (kind === 'new') obtained.bytes += sizeBytes
    return result
  } catch (cause) {
    throw memoryRefused(sizeBytes, cause)
  }
}

export function memoryRefused(sizeBytes: number, cause?: unknown): DbError {
  return new DbError('MEMORY_LIMIT', `The system has no memory for ${sizeBytes} more bytes.`, {
    cause,
    details: { sizeBytes },
  })
}
