/**
 * Threads that read blobs of a checkpoint. A second one, with a connection of its own, helps the segment thread
 * while a start reads much: most of the time goes into the first writing of memory, which threads do side by side.
 */
import { sharedBytes } from '#kernel/shared-memory.ts'
import { checkWhole, PART_SIZE_BYTES_MAX, type StoredBlob } from '../segment/blob.ts'
import { StorageThread } from '../thread/thread.ts'
import { workerEntry } from '../thread/worker-entry.ts'
import type { StoreTimers } from './link.ts'
import type { ReadShare, SegmentProtocol, SegmentRole } from './segment-protocol.ts'

export type SegmentThread = StorageThread<SegmentProtocol>

/** That the segment thread has to do before the second one is started. */
const QUEUED_SIZE_BYTES_MIN = 4 * 1024 * 1024
/** Each thread reads half of a blob from this size on, so that both end at about the same time. */
const SHARED_SIZE_BYTES_MIN = 8 * 1024 * 1024
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
    if (blob.sizeBytes >= SHARED_SIZE_BYTES_MIN) {
      const second = this.#withSecond()
      const whole = second === null ? null : await this.#readByBoth(blob, second)
      if (whole !== null) return whole
    }
    return this.#queued(this.#leastBusy(), blob.sizeBytes, (thread) =>
      thread.request('readBlob', blob),
    )
  }

  /** Null: its parts have not the size that was expected. */
  async #readByBoth(
    blob: StoredBlob,
    second: Reader,
  ): Promise<Uint8Array<SharedArrayBuffer> | null> {
    const whole = sharedBytes(blob.sizeBytes)
    const middle = Math.ceil(blob.sizeBytes / PART_SIZE_BYTES_MAX / 2)
    const read = (reader: Reader, firstPart: number, endPart: number | null) =>
      this.#queued<ReadShare>(reader, blob.sizeBytes / 2, (thread) =>
        thread.request('readShare', { blob, whole, firstPart, endPart }),
      )
    const [head, tail] = await Promise.allSettled([
      read(this.#first, 0, middle),
      read(second, middle, null),
    ])
    // A part that is larger than expected has no room in its half.
    if (head.status === 'rejected' || tail.status === 'rejected') return null
    const { end } = head.value
    const { before } = tail.value
    if (end.sizeBytes !== before.sizeBytes || end.crc !== before.crc) return null
    checkWhole(tail.value.end, blob)
    return whole
  }

  async #queued<Result>(
    reader: Reader,
    sizeBytes: number,
    work: (thread: SegmentThread) => Promise<Result>,
  ): Promise<Result> {
    reader.queuedBytes += sizeBytes
    try {
      return await work(reader.thread)
    } finally {
      reader.queuedBytes -= sizeBytes
      this.#endSecondLater()
    }
  }

  /** Ends the second one; the segment thread is its opener's to end. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endSecond()
  }

  /** Null: there are no readers any more. */
  #withSecond(): Reader | null {
    if (this.#isClosed) return null
    this.#second ??= { thread: this.#startSecond(), queuedBytes: 0 }
    return this.#second
  }

  #leastBusy(): Reader {
    const first = this.#first
    if (first.queuedBytes >= QUEUED_SIZE_BYTES_MIN) this.#withSecond()
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
