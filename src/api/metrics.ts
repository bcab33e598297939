/** The machine's and the engine's metrics, parsed in the browser. */
import { queryOptions } from '@tanstack/react-query'
import { readMetrics } from '#contract/system.ts'
import { appendMetrics, emptyTrend, type MetricTrend } from '#lib/metric-trend.ts'
import { type ParsedMetrics, parseOpenMetrics } from '#lib/open-metrics.ts'
import { call } from './client.ts'
import { polled } from './polling.ts'

export interface MetricsSnapshot {
  readonly text: string
  readonly parsed: ParsedMetrics
  /** Epoch milliseconds at which the answer came. */
  readonly takenAt: number
  /** What this tab has seen so far, this answer included. */
  readonly trend: MetricTrend
}

const METRICS_INTERVAL_MS = 5_000
const LIVE_METRICS_INTERVAL_MS = 1_000

const metricsKey = ['metrics'] as const

export const metricsQuery = queryOptions({
  queryKey: metricsKey,
  queryFn: async ({ signal, client }): Promise<MetricsSnapshot> => {
    const text = await call(readMetrics, { signal })
    const parsed = parseOpenMetrics(text)
    const takenAt = Date.now()
    const past = client.getQueryData<MetricsSnapshot>(metricsKey)?.trend ?? emptyTrend
    return { text, parsed, takenAt, trend: appendMetrics(past, parsed, takenAt) }
  },
  ...polled(METRICS_INTERVAL_MS),
  staleTime: LIVE_METRICS_INTERVAL_MS / 2,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
})

/** The same, each second: for pages that are about nothing else. */
export const liveMetricsQuery = queryOptions({
  ...metricsQuery,
  ...polled(LIVE_METRICS_INTERVAL_MS),
})
