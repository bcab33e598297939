/**
 * Lets a group of commits wait for those that are on their way. Clients that answer each
 * acknowledgement with the next commit fall into two halves: one is being written while the other
 * one sends, and each commit takes the time of two groups. A group that waits a little for the
 * clients of the group before has all of them.
 *
 * As many are expected as the last group had and as came while it was written. A lone writer never
 * waits. Where they have not come when a part of the time of a group has passed since the last one,
 * the next groups leave at once, twice as many each time.
 */
import type { Clock } from '#kernel/clock.ts'

/** Of the usual time of a group. */
const WAIT_SHARE_MAX = 0.75
const WAIT_MS_MAX = 4
/** Timers wait for a millisecond at least. */
const USUAL_MS_MIN = 1
const GROUPS_AT_ONCE_MAX = 63
/** How much the newest group counts for the usual time. */
const NEWEST_SHARE = 0.2

/** @returns the function that cancels */
export type After = (ms: number, call: () => void) => () => void

export class Gathering {
  /** Waits, and those that had all whom they waited for. */
  readonly counts = { waits: 0, complete: 0 }
  readonly #clock: Clock
  readonly #after: After
  #expected = 0
  #usualMs = 0
  #writtenMs = 0
  #atOnce = 0
  #missed = 0
  #cancel: (() => void) | null = null

  constructor(clock: Clock, after: After) {
    this.#clock = clock
    this.#after = after
  }

  /**
   * A group could leave with so many entries.
   * @param leave is called when it has waited for long enough
   * @returns whether it waits
   */
  waits(queued: number, leave: () => void): boolean {
    const isComplete = queued >= this.#expected
    if (this.#cancel !== null) {
      if (!isComplete) return true
      this.#cancel()
      this.#cancel = null
      this.counts.complete++
      this.#missed = 0
      return false
    }
    if (isComplete || queued === 0) return false
    const untilMs = this.#writtenMs + Math.min(WAIT_MS_MAX, WAIT_SHARE_MAX * this.#usualMs)
    const leftMs = untilMs - this.#clock.monotonicMs()
    if (leftMs <= 0 || this.#usualMs < USUAL_MS_MIN) return false
    if (this.#atOnce > 0) {
      this.#atOnce--
      return false
    }
    this.counts.waits++
    this.#cancel = this.#after(leftMs, () => {
      this.#cancel = null
      this.#missed = Math.min(2 * this.#missed + 1, GROUPS_AT_ONCE_MAX)
      this.#atOnce = this.#missed
      leave()
    })
    return true
  }

  /** A group was written. @param queued what has come meanwhile */
  written(size: number, queued: number, tookMs: number): void {
    this.#expected = size + queued
    this.#writtenMs = this.#clock.monotonicMs()
    // One that waited for a fail-over says nothing of the next ones; WAIT_MS_MAX bounds what it does.
    this.#usualMs += (this.#usualMs === 0 ? 1 : NEWEST_SHARE) * (tookMs - this.#usualMs)
  }
}
