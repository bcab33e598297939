/**
 * Turns of the event loop for work that is divided into slices. However many callers have work, one
 * slice runs in each turn, so that requests wait for one slice and not for one of every caller.
 */
import type { Scheduler } from './scheduler.ts'

export class LoopTurns {
  readonly #scheduler: Scheduler
  #last: Promise<void> = Promise.resolve()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Resolves when the caller's next slice may begin. */
  next(): Promise<void> {
    const turn = this.#last.then(() => this.#scheduler.yieldToOthers())
    this.#last = turn
    return turn
  }
}
