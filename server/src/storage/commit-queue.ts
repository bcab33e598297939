/**
 * Group commit, for every store. While one group is on its way to what keeps it the next one
 * gathers; each group is one transaction and one sync, so that the cost of a sync is shared by
 * everyone who waits for it.
 *
 * A store that several servers share has entries besides commits in its log. What else their
 * transaction writes goes with them as `side`; this queue does not read it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import {
  FRAME_HEADER_SIZE_BYTES,
  type FrameKind,
  layOutFrame,
  layOutHeader,
} from './frame/frame.ts'
import type { Gathering } from './gathering.ts'

/** A group is laid out at once up to here, and else in pieces. */
const LONG_GROUP_SIZE_BYTES = 1024 * 1024
const PIECE_SIZE_BYTES = 512 * 1024

export interface QueuedEntry<Side> {
  readonly kind: FrameKind
  readonly payload: Uint8Array
  readonly side: Side | null
}

interface Waiting<Side> extends QueuedEntry<Side> {
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

export interface CommitQueueOptions<Side> {
  readonly lastSequence: number
  readonly clock: Clock
  /** Makes laid out frames durable; takes the bytes over. */
  readonly write: (bytes: Uint8Array, entries: readonly QueuedEntry<Side>[]) => Promise<unknown>
  /** Called before any promise of the group is rejected. @returns the error for the entries behind it */
  readonly onFailure: (error: Error) => Error
  /** Absent: a group leaves as soon as the one before it is written. */
  readonly gathering?: Gathering
}

export class CommitQueue<Side = never> {
  readonly counts: CommitCounts = { commitCount: 0, groupCount: 0, sizeBytes: 0, syncMsTotal: 0 }
  readonly #options: CommitQueueOptions<Side>
  #queue: Waiting<Side>[] = []
  #isWriting = false
  #lastSequence: number
  #idle: (() => void)[] = []

  constructor(options: CommitQueueOptions<Side>) {
    this.#options = options
    this.#lastSequence = options.lastSequence
  }

  /** The last durable sequence. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  /** `payload` is copied when its group leaves, which may be later: it must not change until then. */
  append(
    payload: Uint8Array,
    kind: FrameKind = 'commit',
    side: Side | null = null,
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ kind, payload, side, resolve, reject })
      if (this.#isWriting) return
      // One microtask later, so that callers of the same turn share the first group.
      const isFirst = this.#queue.length === 1
      if (isFirst || this.#options.gathering !== undefined) queueMicrotask(() => this.#pump())
    })
  }

  /** Where another server has written: the next entry follows `sequence`. */
  continueBehind(sequence: number): void {
    assert(!this.#isWriting && this.#queue.length === 0, 'entries of others come between groups')
    this.#lastSequence = sequence
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
    const { gathering } = this.#options
    if (gathering?.waits(this.#queue.length, () => this.#leave()) !== true) this.#leave()
  }

  #leave(): void {
    if (this.#isWriting) return
    const group = this.#takeGroup()
    if (group.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve()
      return
    }
    this.#isWriting = true
    if (sizeOf(group) > LONG_GROUP_SIZE_BYTES) {
      void this.#writeInPieces(group)
      return
    }
    const bytes = this.#layOut(group, () => layOutGroup(group, this.#lastSequence + 1))
    if (bytes !== undefined) this.#write(group, bytes)
  }

  #write(group: readonly Waiting<Side>[], bytes: Uint8Array): void {
    const sizeBytes = bytes.length
    const startedMs = this.#options.clock.monotonicMs()
    this.#options.write(bytes, group).then(
      () => this.#succeeded(group, sizeBytes, startedMs),
      (error: unknown) => this.#failed(group, error),
    )
  }

  /** A long group is copied in pieces, so that others of this thread have their turns. */
  async #writeInPieces(group: readonly Waiting<Side>[]): Promise<void> {
    const pieces = layOutInPieces(group, this.#lastSequence + 1)
    let bytes: Uint8Array | null | undefined = null
    while (bytes === null) {
      bytes = this.#layOut(group, () => pieces.next().value ?? null)
      if (bytes === null) await nextTurn()
    }
    if (bytes !== undefined) this.#write(group, bytes)
  }

  /** Where there is no memory for a group, nothing of it was written, and the next one may fit. */
  #layOut<Result>(group: readonly Waiting<Side>[], attempt: () => Result): Result | undefined {
    try {
      return attempt()
    } catch (cause) {
      this.#isWriting = false
      const error = new DbError('MEMORY_LIMIT', 'there is no memory to write a commit', { cause })
      for (const waiting of group) waiting.reject(error)
      // What is queued was made for a state that these commits are part of.
      this.rejectAll(error)
      for (const resolve of this.#idle.splice(0)) resolve()
      return undefined
    }
  }

  #takeGroup(): readonly Waiting<Side>[] {
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

  #succeeded(group: readonly Waiting<Side>[], sizeBytes: number, startedMs: number): void {
    const counts = this.counts
    counts.commitCount += group.length
    counts.groupCount++
    counts.sizeBytes += sizeBytes
    const tookMs = this.#options.clock.monotonicMs() - startedMs
    counts.syncMsTotal += tookMs
    this.#options.gathering?.written(group.length, this.#queue.length, tookMs)
    const first = this.#lastSequence + 1
    this.#lastSequence += group.length
    this.#isWriting = false
    // The next group leaves before this one's callers run: they may take their time.
    this.#pump()
    for (let index = 0; index < group.length; index++) group[index]!.resolve(first + index)
  }

  #failed(group: readonly Waiting<Side>[], error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error))
    this.#isWriting = false
    const behind = this.#options.onFailure(failure)
    for (const waiting of group) waiting.reject(failure)
    this.rejectAll(behind)
    this.#pump()
  }
}

function sizeOf(group: readonly QueuedEntry<unknown>[]): number {
  let sizeBytes = 0
  for (const { payload } of group) sizeBytes += FRAME_HEADER_SIZE_BYTES + payload.length
  return sizeBytes
}

/** As `layOutGroup`; the last piece is the whole. */
function* layOutInPieces(
  group: readonly QueuedEntry<unknown>[],
  firstSequence: number,
): Generator<undefined, Uint8Array> {
  const bytes = new Uint8Array(sizeOf(group))
  let offset = 0
  for (const [index, { payload, kind }] of group.entries()) {
    offset = layOutHeader(bytes, { offset, sequence: firstSequence + index, kind }, payload)
    for (let at = 0; at < payload.length; at += PIECE_SIZE_BYTES) {
      const piece = payload.subarray(at, at + PIECE_SIZE_BYTES)
      bytes.set(piece, offset)
      offset += piece.length
      if (at + PIECE_SIZE_BYTES < payload.length) yield
    }
  }
  assert(offset === bytes.length, 'a group is laid out whole')
  return bytes
}

function layOutGroup(group: readonly QueuedEntry<unknown>[], firstSequence: number): Uint8Array {
  const sizeBytes = sizeOf(group)
  const bytes = new Uint8Array(sizeBytes)
  let offset = 0
  for (let index = 0; index < group.length; index++) {
    const { payload, kind } = group[index]!
    offset = layOutFrame(bytes, { offset, sequence: firstSequence + index, kind }, payload)
  }
  assert(offset === sizeBytes, 'a group is laid out whole')
  return bytes
}
