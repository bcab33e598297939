/**
 * Collects the garbage of this thread some time after a version of the graph was given up: the
 * platform does not count shared memory, so a thread with few objects of its own would hold the
 * arrays of superseded versions for minutes.
 */
import { collectGarbage } from './collect-garbage.ts'

/** A collection takes 5 to 30 ms of a thread whose heap is small. */
const COLLECT_AFTER_MS = 5_000

let isPending = false

/** At most one collection is pending: what is given up until then is a part of it. */
export function collectLater(afterMs = COLLECT_AFTER_MS): void {
  if (isPending) return
  isPending = true
  const collect = () => {
    isPending = false
    collectGarbage()
  }
  setTimeout(collect, afterMs).unref()
}
