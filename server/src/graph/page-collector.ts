/** Ends pins, and gives back in slices what they have left: a pin may leave the pages of all tables. */
import type { Scheduler } from '#kernel/scheduler.ts'
import type { Versions } from './memory/versions.ts'

/** Pages that are given back between two looks at the clock. */
const PAGES_PER_LOOK = 16

export interface PageCollectorParts {
  readonly versions: Versions
  readonly scheduler: Scheduler
  /** A clock that strikes when the slice beginning now is over. */
  deadline(): () => boolean
  /** Cached views are stale. */
  moved(): void
}

export class PageCollector {
  /** Resolves when all are given back; null: they are. */
  ended: Promise<void> | null = null
  readonly #parts: PageCollectorParts

  constructor(parts: PageCollectorParts) {
    this.#parts = parts
    parts.versions.onUnfinished = () => {
      this.ended ??= this.#run()
    }
  }

  /** The end of a pin. */
  release(epoch: number): void {
    if (this.#parts.versions.release(epoch)) this.#parts.moved()
  }

  async #run(): Promise<void> {
    const { versions, scheduler, deadline, moved } = this.#parts
    let hasMore = true
    while (hasMore) {
      await scheduler.yieldToOthers()
      const isLate = deadline()
      do hasMore = !versions.collect(PAGES_PER_LOOK)
      while (hasMore && !isLate())
      moved()
    }
    this.ended = null
  }
}
