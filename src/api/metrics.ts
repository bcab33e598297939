/** The machine's and the engine's metrics, parsed in the browser. */
import { queryOptions } from '@tanstack/react-query'
import { readMetrics } from '#contract/system.ts'
import { type ParsedMetrics, parseOpenMetrics } from '#lib/open-metrics.ts'
import { call } from './client.ts'

export interface MetricsSnapshot {
  readonly text: string
  readonly parsed: ParsedMetrics
  /** Epoch milliseconds at which the answer came. */
  readonly takenAt: number
}

const METRICS_INTERVAL_MS = 5_000

export const metricsQuery = queryOptions({
  queryKey: ['metrics'],
  queryFn: async ({ signal }): Promise<MetricsSnapshot> => {
    const text = await call(readMetrics, { signal })
    return { text, parsed: parseOpenMetrics(text), takenAt: Date.now() }
  },
  refetchInterval: METRICS_INTERVAL_MS,
  structuralSharing: false,
})
