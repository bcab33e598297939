/**
 * Group commit, the main thread's half. While one group is on its way to the disk the next one
 * gathers; each group is one message to the log thread, one transaction and one sync, so that the
 * cost of a sync is shared by everyone who waits for it.
 */
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { FRAME_HEADER_SIZE_BYTES, layOutFrame } from '../frame/frame.ts'

interface Waiting {
  readonly payload: Uint8Array
  resolve(sequence: number): void
  reject(error: Error): void
}

export interface CommitCounts {
  commitCount: number
  groupCount: number
  sizeBytes: number
  /** Time from handing a group over until it was durable, in milliseconds. */
  syncMsTotal: number
}

export interface CommitQueueOptions {
  readonly lastSequence: number
  readonly clock: Clock
  /** Makes laid out frames durable; takes the bytes over. */
  readonly write: (bytes: Uint8Array) => Promise<unknown>
  /** Told once, before any promise is rejected. */
  readonly onFailure: (error: Error) => void
}

export class CommitQueue {
  readonly counts: CommitCounts = { commitCount: 0, groupCount: 0, sizeBytes: 0, syncMsTotal: 0 }
  readonly #options: CommitQueueOptions
  #queue: Waiting[] = []
  #isWriting = false
  #lastSequence: number
  #idle: (() => void)[] = []

  constructor(options: CommitQueueOptions) {
    this.#options = options
    this.#lastSequence = options.lastSequence
  }

  /** The last durable sequence. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  /** `payload` is copied when its group leaves, which may be later: it must not change until then. */
  append(payload: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ payload, resolve, reject })
      // One microtask later, so that callers of the same turn share the first group.
      if (!this.#isWriting && this.#queue.length === 1) queueMicrotask(() => this.#pump())
    })
  }

  /** Refuses everything that has not left yet. */
  rejectAll(error: Error): void {
    const refused = this.#queue
    this.#queue = []
    for (const waiting of refused) waiting.reject(error)
  }

  /** Resolves once nothing is queued or under way. */
  async drained(): Promise<void> {
    if (this.#queue.length === 0 && !this.#isWriting) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #pump(): void {
    if (this.#isWriting) return
    const group = this.#takeGroup()
    if (group.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve()
      return
    }
    const bytes = this.#layOut(group)
    if (bytes === null) return
    this.#isWriting = true
    const sizeBytes = bytes.length
    const startedMs = this.#options.clock.monotonicMs()
    this.#options.write(bytes).then(
      () => this.#succeeded(group, sizeBytes, startedMs),
      (error: unknown) => this.#failed(group, error),
    )
  }

  /** Where there is no memory for a group, nothing of it was written, and the next one may fit. */
  #layOut(group: readonly Waiting[]): Uint8Array | null {
    try {
      return layOutGroup(group, this.#lastSequence + 1)
    } catch (cause) {
      const error = new DbError('MEMORY_LIMIT', 'there is no memory to write a commit', { cause })
      for (const waiting of group) waiting.reject(error)
      // What is queued was made for a state that these commits are part of.
      this.rejectAll(error)
      for (const resolve of this.#idle.splice(0)) resolve()
      return null
    }
  }

  #takeGroup(): readonly Waiting[] {
    let sizeBytes = 0
    let count = 0
    for (const { payload } of this.#queue) {
      sizeBytes += FRAME_HEADER_SIZE_BYTES + payload.length
      if (count > 0 && sizeBytes > LOG_GROUP_SIZE_BYTES_MAX) break
      count++
    }
    if (count === this.#queue.length) {
      const group = this.#queue
      this.#queue = []
      return group
    }
    return this.#queue.splice(0, count)
  }

  #succeeded(group: readonly Waiting[], sizeBytes: number, startedMs: number): void {
    const counts = this.counts
    counts.commitCount += group.length
    counts.groupCount++
    counts.sizeBytes += sizeBytes
    counts.syncMsTotal += this.#options.clock.monotonicMs() - startedMs
    const first = this.#lastSequence + 1
    this.#lastSequence += group.length
    this.#isWriting = false
    // The next group leaves before this one's callers run: they may take their time.
    this.#pump()
    for (let index = 0; index < group.length; index++) group[index]!.resolve(first + index)
  }

  #failed(group: readonly Waiting[], error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error))
    this.#isWriting = false
    this.#options.onFailure(failure)
    for (const waiting of group) waiting.reject(failure)
    this.rejectAll(new DbError('STORE_READ_ONLY', failure.message, { cause: failure }))
    this.#pump()
  }
}

function layOutGroup(group: readonly Waiting[], firstSequence: number): Uint8Array {
  let sizeBytes = 0
  for (const { payload } of group) sizeBytes += FRAME_HEADER_SIZE_BYTES + payload.length
  const bytes = new Uint8Array(sizeBytes)
  let offset = 0
  for (let index = 0; index < group.length; index++) {
    offset = layOutFrame(bytes, offset, firstSequence + index, group[index]!.payload)
  }
  assert(offset === sizeBytes, 'a group is laid out whole')
  return bytes
}
