/**
 * Threads that read blobs of a checkpoint. A second one, with a connection of its own, helps the segment thread
 * while a start reads much: most of the time goes into the first writing of memory, which threads do side by side.
 */
import type { StoredBlob } from '../segment/blob.ts'
import { StorageThread } from '../thread/thread.ts'
import { workerEntry } from '../thread/worker-entry.ts'
import type { StoreTimers } from './link.ts'
import type { SegmentProtocol, SegmentRole } from './segment-protocol.ts'

export type SegmentThread = StorageThread<SegmentProtocol>

/** That the segment thread has to do before the second one is started. */
const QUEUED_SIZE_BYTES_MIN = 4 * 1024 * 1024
/** After the last blob. */
const IDLE_MS_MAX = 1_000

interface Reader {
  readonly thread: SegmentThread
  /** Of the blobs that it still has to read. */
  queuedBytes: number
}

export function startSegmentThread(role: SegmentRole): SegmentThread {
  return new StorageThread<SegmentProtocol>(role, {
    entry: workerEntry(import.meta.url, 'postgres-segment-worker'),
  })
}

export class BlobReaders {
  readonly #first: Reader
  readonly #startSecond: () => SegmentThread
  readonly #timers: StoreTimers
  #second: Reader | null = null
  #cancelEnd: (() => void) | null = null
  #isClosed = false

  constructor(thread: SegmentThread, startSecond: () => SegmentThread, timers: StoreTimers) {
    this.#first = { thread, queuedBytes: 0 }
    this.#startSecond = startSecond
    this.#timers = timers
  }

  /** @throws DbError CORRUPT_SEGMENT, STORE_FAILED */
  async read(blob: StoredBlob): Promise<Uint8Array<SharedArrayBuffer>> {
    const reader = this.#leastBusy()
    reader.queuedBytes += blob.sizeBytes
    try {
      return await reader.thread.request('readBlob', blob)
    } finally {
      reader.queuedBytes -= blob.sizeBytes
      this.#endSecondLater()
    }
  }

  /** Ends the second one; the segment thread is its opener's to end. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endSecond()
  }

  #leastBusy(): Reader {
    const first = this.#first
    if (this.#second === null && !this.#isClosed && first.queuedBytes >= QUEUED_SIZE_BYTES_MIN) {
      this.#second = { thread: this.#startSecond(), queuedBytes: 0 }
    }
    const second = this.#second
    return second !== null && second.queuedBytes < first.queuedBytes ? second : first
  }

  #endSecondLater(): void {
    this.#cancelEnd?.()
    this.#cancelEnd = null
    if (this.#second === null) return
    this.#cancelEnd = this.#timers.after(IDLE_MS_MAX, () => {
      if (this.#second?.queuedBytes === 0) void this.#endSecond()
    })
  }

  async #endSecond(): Promise<void> {
    this.#cancelEnd?.()
    const second = this.#second
    this.#second = null
    await second?.thread.terminate()
  }
}
