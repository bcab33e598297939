/** Metrics hold the present only; this keeps what one tab saw of them, in columns of equal length. */
import { labelText, type ParsedMetrics, type Sample } from './open-metrics.ts'

export interface MetricTrend {
  /** Epoch seconds, ascending. */
  readonly times: readonly number[]
  /** By series key; null where a series was absent. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>
}

export const TREND_POINTS_MAX = 300
export const emptyTrend: MetricTrend = { times: [], series: new Map() }

/** One series among all: `tigergraph_cpu_usage{service_name=GPE}`. */
export const seriesKey = (sample: Pick<Sample, 'name' | 'labels'>): string =>
  sample.labels.size === 0 ? sample.name : `${sample.name}{${labelText(sample.labels)}}`

export function appendMetrics(
  trend: MetricTrend,
  metrics: ParsedMetrics,
  takenAt: number,
): MetricTrend {
  const kept = trend.times.slice(-(TREND_POINTS_MAX - 1))
  const present = new Map<string, number>()
  for (const { samples } of metrics.families) {
    for (const sample of samples) present.set(seriesKey(sample), sample.value)
  }
  const series = new Map<string, readonly (number | null)[]>()
  for (const key of new Set([...trend.series.keys(), ...present.keys()])) {
    const past = trend.series.get(key)?.slice(-kept.length || undefined) ?? []
    const padded = kept.length === 0 ? [] : [...gaps(kept.length - past.length), ...past]
    series.set(key, [...padded, finite(present.get(key))])
  }
  return { times: [...kept, takenAt / 1000], series }
}

/** A counter becomes a rate per second; a restart (a smaller value) is a gap. */
export function ratePerSecond(
  times: readonly number[],
  values: readonly (number | null)[],
): readonly (number | null)[] {
  return values.map((value, index) => {
    const before = values[index - 1] ?? null
    const seconds = (times[index] ?? 0) - (times[index - 1] ?? 0)
    if (value === null || before === null || value < before || seconds <= 0) return null
    return (value - before) / seconds
  })
}

const gaps = (count: number): readonly null[] => new Array<null>(Math.max(0, count)).fill(null)

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null
