/**
 * The bytes a query may hold. Typed arrays escape a worker's heap limit, so every structure that
 * can grow with the data asks here first and gives back what it drops. What lies on the JavaScript
 * heap has a smaller limit of its own: V8 ends the whole process when a native operation finds no
 * room on the heap of a worker (docs/decisions/0076).
 */
import { DbError } from '#kernel/errors.ts'

/** What all runs of a pool hold together; see `SharedUse`. */
export interface CommonUse {
  /** Reports what this thread holds. @returns false when all threads together hold too much */
  report(bytes: number): boolean
}

export interface MemorySettings {
  /** What several threads may work on is made where all of them can reach it. */
  readonly isShared?: boolean
  /** Of the heap of the worker; absent: as much as of the memory outside it. */
  readonly heapLimitBytes?: number
  /** Absent: the run is bounded by its own limit alone. */
  readonly common?: CommonUse | null
}

/** Use that changes by less is not reported to the other threads. */
const REPORT_BYTES = 1024 * 1024

export class MemoryBudget {
  readonly limitBytes: number
  readonly heapLimitBytes: number
  readonly isShared: boolean
  usedBytes = 0
  peakBytes = 0
  heapBytes = 0
  private readonly common: CommonUse | null
  /** Use at which the next report is due. */
  private reportAboveBytes: number
  private reportBelowBytes = 0

  constructor(limitBytes: number, settings: MemorySettings = {}) {
    const { isShared = false, heapLimitBytes = limitBytes, common = null } = settings
    this.limitBytes = limitBytes
    this.heapLimitBytes = Math.min(limitBytes, heapLimitBytes)
    this.isShared = isShared
    this.common = common
    this.reportAboveBytes = common === null ? Number.POSITIVE_INFINITY : REPORT_BYTES
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
    if (this.usedBytes > this.limitBytes) throw overLimit(this.limitBytes)
    if (this.usedBytes > this.reportAboveBytes && !this.report()) throw overCommonLimit()
  }

  give(bytes: number): void {
    this.usedBytes -= bytes
    if (this.usedBytes < this.reportBelowBytes) this.report()
  }

  /** The run is over. */
  release(): void {
    this.usedBytes = 0
    this.heapBytes = 0
    this.report()
  }

  /** Objects and strings: counted as all memory, and against the share of the heap. */
  takeHeap(bytes: number): void {
    this.heapBytes += bytes
    this.take(bytes)
    if (this.heapBytes > this.heapLimitBytes) throw overHeapLimit(this.heapLimitBytes)
  }

  giveHeap(bytes: number): void {
    this.heapBytes -= bytes
    this.give(bytes)
  }

  /**
   * Checks, before an operation of the engine that allocates this much at once on the heap, that
   * there is room for it. The heap keeps half of the share for such operations, on top of it.
   */
  checkOperation(bytes: number): void {
    if (bytes <= OPERATION_FREE_BYTES) return
    const limit = this.heapLimitBytes / 2
    if (bytes > limit) throw overHeapLimit(limit)
    if (!this.hasRoom(bytes)) throw overLimit(this.limitBytes)
  }

  /** @returns false when all threads together hold too much */
  private report(): boolean {
    if (this.common === null) return true
    this.reportAboveBytes = this.usedBytes + REPORT_BYTES
    this.reportBelowBytes = this.usedBytes - REPORT_BYTES
    return this.common.report(this.usedBytes)
  }
}

/** Operations of this size are not worth a check. */
const OPERATION_FREE_BYTES = 64 * 1024

function overLimit(limitBytes: number): DbError {
  return limitError(`The query needs more than its ${megabytes(limitBytes)} MB of memory.`)
}

function overHeapLimit(limitBytes: number): DbError {
  const size = megabytes(limitBytes)
  return limitError(`The query needs more than its ${size} MB of memory for texts and values.`)
}

function overCommonLimit(): DbError {
  return limitError('The queries that are running need more memory together than there is.')
}

export function limitError(message: string): DbError {
  return new DbError('QUERY_MEMORY_LIMIT', message, { details: { code: 'SYS-0002' } })
}

function megabytes(bytes: number): number {
  return Math.max(1, Math.round(bytes / (1024 * 1024)))
}
