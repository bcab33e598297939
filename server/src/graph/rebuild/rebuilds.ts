/** Rebuilds one after the other, and starts one by itself when the log or a delta has grown. */

import { isDbError } from '#kernel/errors.ts'
import { isNotWriter } from '#storage/not-writer.ts'
import { isRebuildDue, rebuildLogBytes } from './due.ts'
import type { RebuildProgress } from './progress.ts'
import { Rebuild, type RebuildHost, type RebuildResult, rebuildEnded } from './rebuild.ts'
import type { RebuildOptions, RebuildReport } from './report.ts'
import type { SegmentDescription } from './segment-format.ts'
import { UnchangedTables } from './unchanged.ts'

const ATTEMPTS_MAX = 3
/** A rebuild that memory was lacking for is not tried again by itself before. */
const MEMORY_RETRY_MS = 60_000
/** Rebuilds that begin because memory is lacking are so far apart. */
const MAKE_ROOM_INTERVAL_MS = 60_000

export class Rebuilds {
  readonly #host: RebuildHost
  /** What the segments on disk are; null before the first checkpoint. */
  #segments: SegmentDescription | null
  #chain: Promise<unknown> = Promise.resolve()
  readonly #unchanged: UnchangedTables
  isEnded = false
  #isRunning = false
  #current: Rebuild | null = null
  /** Bytes of the log that no segment contains yet, and how many start a rebuild. */
  #logBytes = 0
  #logBytesMax = 0
  /** When memory was last lacking for a rebuild. */
  #lackedMs = Number.NEGATIVE_INFINITY
  #madeRoomMs = Number.NEGATIVE_INFINITY

  /** @param foldedSequence up to where the segments contain the log */
  constructor(host: RebuildHost, segments: SegmentDescription | null, foldedSequence: number) {
    this.#host = host
    this.#segments = segments
    this.#unchanged = new UnchangedTables(host.tables, foldedSequence)
    this.#measureLog()
  }

  run(options: RebuildOptions): Promise<RebuildReport> {
    const done = this.#chain.then(() => this.#runNow(options))
    this.#chain = done.catch(() => {})
    return done
  }

  /** Null: none runs. */
  get progress(): RebuildProgress | null {
    return this.#current?.meter.progress() ?? null
  }

  /**
   * Segments of a shared store go to other machines, too: they are written only when its log has grown
   * (docs/decisions/0163).
   */
  async runIfDue(): Promise<RebuildReport | null> {
    const { clock, tables, isShared } = this.#host
    const isLacking = clock.monotonicMs() - this.#lackedMs < MEMORY_RETRY_MS
    if (this.#isRunning || isLacking || !isRebuildDue(tables)) return null
    return this.run({ keepsLog: isShared })
  }

  /** The log got longer; it may not grow so long that replaying it takes long. */
  logGrew(bytes: number): void {
    this.#logBytes += bytes
    if (!this.#host.writesSegments) return
    if (this.#isRunning || this.#logBytes < this.#logBytesMax) return
    this.#logBytesMax = this.#logBytes * 1.25
    this.#runByItself()
  }

  /** Memory is lacking and a rebuild would free some: one begins, unless the last was just now. */
  makeRoom(): void {
    const nowMs = this.#host.clock.monotonicMs()
    if (this.#isRunning || nowMs - this.#madeRoomMs < MAKE_ROOM_INTERVAL_MS) return
    this.#madeRoomMs = nowMs
    this.#runByItself()
  }

  #runByItself(): void {
    this.run({}).catch((error: unknown) => {
      if (!this.#host.isClosing && !isNotWriter(error)) this.#host.failed(error)
    })
  }

  /** Of another server that writes: entries up to this one are in its segments. */
  folded(foldedSequence: number): void {
    this.#unchanged.folded(foldedSequence)
  }

  /** This server writes from now on: `segments` are those of the store, as of `foldedSequence`. */
  becomeWriter(segments: SegmentDescription | null, foldedSequence: number): void {
    this.#segments = segments && this.#unchanged.of(segments, foldedSequence)
    this.#measureLog()
  }

  /** The one that runs fails soon, and so does every later one: for a stop. */
  async end(): Promise<void> {
    this.isEnded = true
    await this.#current?.abandon()
  }

  /** Resolves when no rebuild runs or waits. */
  async settled(): Promise<void> {
    await this.#chain
  }

  async #runNow(options: RebuildOptions): Promise<RebuildReport> {
    if (this.isEnded) throw rebuildEnded()
    this.#isRunning = true
    try {
      const { report, description } = await this.#attempt(options, ATTEMPTS_MAX)
      if (description !== null) {
        this.#segments = description
        this.#unchanged.written(report.sequence)
        this.#measureLog()
      }
      return report
    } catch (error) {
      if (isDbError(error, 'MEMORY_LIMIT')) this.#lackedMs = this.#host.clock.monotonicMs()
      throw error
    } finally {
      this.#current = null
      this.#isRunning = false
    }
  }

  /** A schema change under a rebuild ends it; the next attempt begins with the new schema. */
  async #attempt(options: RebuildOptions, attemptsLeft: number): Promise<RebuildResult> {
    try {
      this.#current = new Rebuild(this.#host, options, this.#segments)
      return await this.#current.run()
    } catch (error) {
      const mayRetry = isDbError(error, 'UNAVAILABLE') && !this.#host.isClosing
      if (!mayRetry || attemptsLeft === 1) throw error
      return this.#attempt(options, attemptsLeft - 1)
    }
  }

  #measureLog(): void {
    const { logSizeBytes, segmentSizeBytes } = this.#host.store.statistics()
    this.#logBytes = logSizeBytes
    this.#logBytesMax = rebuildLogBytes(segmentSizeBytes, this.#host.isShared)
  }
}
