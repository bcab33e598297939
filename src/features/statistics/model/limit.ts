/** Whether latencies keep to the limit that somebody set, and since when they do not. */
import type { StatisticsHistory } from '#contract/statistics.ts'

/**
 * Seconds for which the 95th percentile has been above the limit up to the end of the window; 0:
 * it is not. Steps without a request say nothing.
 */
export function secondsAbove(history: StatisticsHistory, limitMs: number): number {
  const { p95Ms } = history.total.series
  const isBelow = (value: number | null) => value !== null && value <= limitMs
  const lastBelow = p95Ms.findLastIndex(isBelow)
  const first = p95Ms.findIndex(
    (value, index) => index > lastBelow && value !== null && value > limitMs,
  )
  return first === -1 ? 0 : (p95Ms.length - first) * history.stepSeconds
}
