/** Which slow runs belong to a time. */
import type { TimePart } from './view.ts'

interface TimedRun {
  /** Epoch milliseconds. */
  readonly startMs: number
  readonly elapsedMs: number
}

/** Whether it was under way in the part, whenever it began and ended. */
export function isRunIn({ startMs, elapsedMs }: TimedRun, { from, to }: TimePart): boolean {
  return startMs <= to * 1_000 && startMs + elapsedMs >= from * 1_000
}

/** Whether some of the time is before what is kept. @param untilMs epoch milliseconds */
export function isForgotten(untilMs: number | null | undefined, from: number): boolean {
  return untilMs != null && untilMs >= from * 1_000
}
