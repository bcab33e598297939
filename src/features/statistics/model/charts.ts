/** From the history that the server kept to the series of the charts and the rows of the table. */
import type { StatisticsHistory } from '#contract/statistics.ts'
import type { ChartSeries } from '#ui/chart/model.ts'
import { type Before, beforeOf } from './compared.ts'

export const TOP_ENDPOINTS = 5

/** The middle of nothing: each step is drawn at its start. */
export function stepTimes(history: StatisticsHistory): readonly number[] {
  return history.total.series.completed.map(
    (_, index) => history.from + index * history.stepSeconds,
  )
}

/** Requests per second, stacked: the busiest endpoints, and the others as one. */
export function rateSeries(history: StatisticsHistory): readonly ChartSeries[] {
  if (history.endpoints.length === 0) {
    const { completed } = history.total.series
    return [{ id: 'none', label: 'all endpoints', look: 'area', values: completed }]
  }
  const top = history.endpoints.slice(0, TOP_ENDPOINTS)
  const others = history.endpoints.slice(TOP_ENDPOINTS)
  const perSecond = (count: number): number => count / history.stepSeconds
  const series: ChartSeries[] = top.map((entry) => ({
    id: entry.endpoint,
    label: entry.endpoint,
    look: 'area',
    values: entry.series.completed.map(perSecond),
  }))
  if (others.length === 0) return series
  return [
    ...series,
    {
      id: 'other',
      label: `${others.length} other`,
      look: 'area',
      values: history.total.series.completed.map((_, index) =>
        perSecond(others.reduce((sum, entry) => sum + (entry.series.completed[index] ?? 0), 0)),
      ),
    },
  ]
}

export function latencySeries(history: StatisticsHistory, endpoint: string | null) {
  const { series } = sourceOf(history, endpoint)
  return [
    { id: 'p50', label: 'p50', values: series.p50Ms },
    { id: 'p95', label: 'p95', values: series.p95Ms },
    { id: 'p99', label: 'p99', values: series.p99Ms },
    { id: 'max', label: 'max', values: series.maxMs, look: 'dots' },
  ] as const satisfies readonly ChartSeries[]
}

export function spreadSeries(history: StatisticsHistory, endpoint: string | null) {
  const { series } = sourceOf(history, endpoint)
  return [
    { id: 'average', label: 'average', values: series.averageMs },
    { id: 'min', label: 'min', values: series.minMs },
    { id: 'max', label: 'max', values: series.maxMs, look: 'dots' },
  ] as const satisfies readonly ChartSeries[]
}

/** One endpoint's columns; all together where it is null or did nothing in the range. */
function sourceOf(history: StatisticsHistory, endpoint: string | null) {
  return history.endpoints.find((entry) => entry.endpoint === endpoint) ?? history.total
}

export interface EndpointRow {
  readonly endpoint: string
  readonly completed: number
  /** Of the completed ones. */
  readonly errors: number
  readonly timeouts: number
  readonly rate: number
  readonly averageMs: number | null
  readonly minMs: number | null
  readonly maxMs: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  readonly trend: readonly number[]
  /** The time before; null: it cannot be told. */
  readonly before: Before | null
}

export function endpointRows(history: StatisticsHistory): readonly EndpointRow[] {
  const seconds = Math.max(1, history.to - history.from)
  return history.endpoints.map(({ endpoint, series, summary }) => ({
    endpoint,
    ...summary,
    rate: summary.completed / seconds,
    trend: series.completed,
    before: beforeOf(history, endpoint),
  }))
}

/** Where a latency stands on the inline range bar: logarithmic, from 0 to 1. */
export function rangePosition(valueMs: number, topMs: number): number {
  const floor = 0.01
  if (topMs <= floor) return 0
  const share = Math.log(Math.max(valueMs, floor) / floor) / Math.log(topMs / floor)
  return Math.min(1, Math.max(0, share))
}
