/** The statistics history of a graph; the server keeps it, the console only draws. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readStatisticsHistory } from '#contract/statistics.ts'
import { call } from './client.ts'
import { polled } from './polling.ts'

interface HistoryRange {
  readonly graph: string
  /** Length in seconds. */
  readonly seconds: number
  /** Epoch seconds of the end; null follows the present. */
  readonly end: number | null
  readonly includeConsole: boolean
  /** Whose latency distribution comes with it: an endpoint, or `*` for all. */
  readonly heat?: string
  /** With the sums of the time before. */
  readonly isCompared?: boolean
  /** In steps that end with the range: nothing after it is counted, where seconds are kept. */
  readonly isExact?: boolean
}

const STEPS_MAX = 300

/** The smallest whole number of seconds that keeps a chart within 300 points. */
export const stepOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / STEPS_MAX))

/** From here on the server counts in minutes. */
const MINUTE_SECONDS = 60

/** One that divides the range, if any does where seconds are counted. */
export function exactStepOf(seconds: number): number {
  for (let step = stepOf(seconds); step < MINUTE_SECONDS; step++) {
    if (seconds % step === 0) return step
  }
  return stepOf(seconds)
}

export const historyQuery = (range: HistoryRange, pollSeconds: number) =>
  queryOptions({
    queryKey: ['statistics-history', range],
    queryFn: ({ signal }) => {
      const step = (range.isExact ? exactStepOf : stepOf)(range.seconds)
      const end = range.end ?? Math.floor(Date.now() / 1000 / step) * step
      return call(readStatisticsHistory, {
        params: { graph: range.graph },
        query: {
          from: end - range.seconds,
          to: end,
          step,
          console: range.includeConsole,
          ...(range.heat !== undefined && { heat: range.heat }),
          ...(range.isCompared && { before: true }),
        },
        signal,
      })
    },
    ...(range.end === null ? polled(pollSeconds * 1_000) : {}),
    staleTime: range.end === null ? 0 : 60_000,
    placeholderData: keepPreviousData,
    // Every answer is new from end to end; comparing 30,000 numbers would find nothing to share.
    structuralSharing: false,
    enabled: range.graph !== '',
  })
