/**
 * A store that fails to order, around any other: the n-th write fails, and from then on it behaves
 * as every store does after a failed write: writes are refused with the reason, reads go on.
 *
 * The moments are those a disk knows. `before`: nothing of the write is there. `torn`: a blob is
 * there in part (everything else is one transaction, of which nothing is there). `after`: all of
 * it is there, but the caller is told that it failed, as after a sync whose answer was lost.
 */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type {
  LogEntry,
  SegmentManifest,
  SegmentWriter,
  Store,
  StoreState,
  StoreStatistics,
} from '../store.ts'

export type FaultMoment = 'before' | 'torn' | 'after'

export interface Fault {
  /** Which write fails, from 1, in the order of the calls; blobs, publishing and documents count. */
  readonly operation: number
  readonly moment: FaultMoment
  readonly code: 'STORE_FAILED' | 'DISK_FULL'
}

/** One write, and what is left of it when it is torn. */
interface Write<Result> {
  readonly whole: () => Promise<Result>
  readonly torn?: () => Promise<unknown>
}

export class FaultyStore implements Store {
  readonly #inner: Store
  #fault: Fault | null
  readonly #underWay = new Set<Promise<unknown>>()
  #writeCount = 0
  #reason: string | null = null

  /** @param fault null to count the writes of a load */
  constructor(inner: Store, fault: Fault | null) {
    this.#inner = inner
    this.#fault = fault
  }

  /** Writes that were begun so far, the failed one included. */
  get writeCount(): number {
    return this.#writeCount
  }

  /** Orders a failure whose `operation` counts from now on. */
  arm(fault: Fault): void {
    this.#fault = { ...fault, operation: this.#writeCount + fault.operation }
  }

  get state(): StoreState {
    if (this.#reason === null) return this.#inner.state
    return { kind: 'read-only', reason: this.#reason }
  }

  append(payload: Uint8Array): Promise<number> {
    return this.#write({ whole: () => this.#inner.append(payload) })
  }

  readLog(afterSequence: number): AsyncIterable<LogEntry> {
    return this.#inner.readLog(afterSequence)
  }

  readManifest(): Promise<SegmentManifest | null> {
    return this.#inner.readManifest()
  }

  readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>> {
    return this.#inner.readBlob(key)
  }

  beginSegments(): SegmentWriter {
    if (this.#reason !== null) throw refused(this.#reason)
    const writer = this.#inner.beginSegments()
    return {
      writeBlob: (key, bytes) =>
        this.#write({
          whole: () => writer.writeBlob(key, bytes),
          torn: () => writer.writeBlob(key, bytes.subarray(0, bytes.length >> 1)),
        }),
      writePieces: (key, pieces) => {
        const bytes = Buffer.concat(Array.from(pieces, (piece) => new Uint8Array(piece)))
        return this.#write({
          whole: () => writer.writeBlob(key, bytes),
          torn: () => writer.writeBlob(key, bytes.subarray(0, bytes.length >> 1)),
        })
      },
      keepBlob: (key) => this.#write({ whole: () => writer.keepBlob(key) }),
      publish: (description, folded) =>
        this.#write({ whole: () => writer.publish(description, folded) }),
      abandon: () => writer.abandon(),
    }
  }

  putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    return this.#write({ whole: () => this.#inner.putDocument(collection, key, bytes) })
  }

  getDocument(collection: string, key: string): Promise<Uint8Array | null> {
    return this.#inner.getDocument(collection, key)
  }

  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]> {
    return this.#inner.listDocuments(collection)
  }

  deleteDocument(collection: string, key: string): Promise<void> {
    return this.#write({ whole: () => this.#inner.deleteDocument(collection, key) })
  }

  statistics(): StoreStatistics {
    return this.#inner.statistics()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async #write<Result>(write: Write<Result>): Promise<Result> {
    if (this.#reason !== null) throw refused(this.#reason)
    this.#writeCount++
    const fault = this.#fault
    if (fault === null || this.#writeCount < fault.operation) return this.#track(write.whole())
    this.#reason = `${fault.code} by order, at write ${fault.operation}`
    return this.#fail(fault, write)
  }

  /** Settles behind the writes that were begun before: promises settle in order. */
  async #fail<Result>(fault: Fault, write: Write<Result>): Promise<never> {
    assert(this.#reason !== null, 'a store that fails has a reason')
    const earlier = [...this.#underWay]
    if (fault.moment === 'after') await write.whole()
    if (fault.moment === 'torn') await write.torn?.()
    await Promise.allSettled(earlier)
    throw new DbError(fault.code, this.#reason)
  }

  async #track<Result>(result: Promise<Result>): Promise<Result> {
    this.#underWay.add(result)
    try {
      return await result
    } finally {
      this.#underWay.delete(result)
    }
  }
}

function refused(reason: string): DbError {
  return new DbError('STORE_READ_ONLY', `writes are refused: ${reason}`)
}
