/** Builds an index, or takes changed rows in, behind the work of others. */
import type { Scheduler } from '#kernel/scheduler.ts'
import type { ColumnIndex } from './column-index.ts'

/**
 * One that fails stays unbuilt: its column was dropped meanwhile, and nobody looks it up.
 * @param deadline a clock that strikes when the slice beginning now is over
 */
export function buildIndex(
  index: ColumnIndex,
  scheduler: Scheduler,
  deadline: () => () => boolean,
): void {
  buildInSlices(index, scheduler, deadline).catch(() => undefined)
}

async function buildInSlices(
  index: ColumnIndex,
  scheduler: Scheduler,
  deadline: () => () => boolean,
): Promise<void> {
  let isLate = deadline()
  for (const _piece of index.work()) {
    if (!isLate()) continue
    await scheduler.yieldToOthers()
    isLate = deadline()
  }
}
