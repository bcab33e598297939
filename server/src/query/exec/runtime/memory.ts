/**
 * The bytes a query may hold. Typed arrays escape a worker's heap limit, so every structure that
 * can grow with the data asks here first and gives back what it drops.
 */
import { DbError } from '#kernel/errors.ts'

export class MemoryBudget {
  readonly limitBytes: number
  /** What several threads may work on is made where all of them can reach it. */
  readonly isShared: boolean
  usedBytes = 0
  peakBytes = 0

  constructor(limitBytes: number, isShared = false) {
    this.limitBytes = limitBytes
    this.isShared = isShared
  }

  /** Zeroed memory of its own for a column, a bitmap or a list of rows; counted. */
  buffer(bytes: number): ArrayBufferLike {
    this.take(bytes)
    return this.isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)
  }

  hasRoom(bytes: number): boolean {
    return this.usedBytes + bytes <= this.limitBytes
  }

  /** @throws DbError `QUERY_MEMORY_LIMIT` (SYS-0002) when the query would go over its limit. */
  take(bytes: number): void {
    this.usedBytes += bytes
    if (this.usedBytes > this.peakBytes) this.peakBytes = this.usedBytes
    if (this.usedBytes <= this.limitBytes) return
    const limitMb = Math.round(this.limitBytes / (1024 * 1024))
    throw new DbError(
      'QUERY_MEMORY_LIMIT',
      `The query needs more than its ${limitMb} MB of memory.`,
      {
        details: { code: 'SYS-0002' },
      },
    )
  }

  give(bytes: number): void {
    this.usedBytes -= bytes
  }
}
