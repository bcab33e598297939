/** The figures of the machine and the engine, from metrics by their contract names (2.4). */
import type { MetricsSnapshot } from '#api/metrics.ts'
import { ratePerSecond, seriesKey } from '#lib/metric-trend.ts'
import { type ParsedMetrics, type Sample, sampleValue } from '#lib/open-metrics.ts'
import type { ChartSeries } from '#ui/chart/model.ts'

export const MEGABYTE = 1024 ** 2
const DISK_WARNING = 0.8
const DISK_DANGER = 0.9

/** Every sample of a metric, as series named by one of its labels. */
export function labelledSeries(
  snapshot: MetricsSnapshot,
  metric: string,
  label: string,
  whole: string,
): readonly ChartSeries[] {
  return samplesOf(snapshot.parsed, metric).map((sample) => ({
    id: seriesKey(sample),
    label: sample.labels.get(label) || whole,
    values: snapshot.trend.series.get(seriesKey(sample)) ?? [],
  }))
}

/** The contract counts memory in megabytes. */
export const inBytes = (series: readonly ChartSeries[]): readonly ChartSeries[] =>
  series.map((entry) => ({
    ...entry,
    values: entry.values.map((value) => (value === null ? null : value * MEGABYTE)),
  }))

/** Counters as rates per second. */
export function rateSeries(
  snapshot: MetricsSnapshot,
  metric: string,
  label: string,
): readonly ChartSeries[] {
  return labelledSeries(snapshot, metric, label, metric).map((series) => ({
    ...series,
    values: ratePerSecond(snapshot.trend.times, series.values),
  }))
}

export interface DiskUse {
  readonly name: string
  readonly path: string
  readonly usedMegabytes: number
  readonly freeMegabytes: number
  /** Used of used and free, 0 to 1. */
  readonly share: number
  readonly status: 'success' | 'warning' | 'danger'
}

export function diskUses(metrics: ParsedMetrics): readonly DiskUse[] {
  return samplesOf(metrics, 'tigergraph_diskspace_free').map((sample) => {
    const name = sample.labels.get('path_name') ?? ''
    const used = sampleValue(metrics, 'tigergraph_diskspace_usage', { path_name: name }) ?? 0
    const whole = used + sample.value
    const share = whole === 0 ? 0 : used / whole
    return {
      name,
      path: sample.labels.get('path') ?? '',
      usedMegabytes: used,
      freeMegabytes: sample.value,
      share,
      status: share > DISK_DANGER ? 'danger' : share > DISK_WARNING ? 'warning' : 'success',
    }
  })
}

function samplesOf(metrics: ParsedMetrics, name: string): readonly Sample[] {
  return metrics.families.flatMap(({ samples }) => samples).filter((sample) => sample.name === name)
}

/** All samples of a metric together; undefined where it is absent. */
export function sumOf(metrics: ParsedMetrics, name: string): number | undefined {
  const samples = samplesOf(metrics, name)
  return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0)
}

/** What this tab saw of a metric without labels. */
export function plainSeries(snapshot: MetricsSnapshot, metric: string, label: string): ChartSeries {
  return { id: metric, label, values: snapshot.trend.series.get(metric) ?? [] }
}

/** The rate at which a counter without labels grows. */
export function plainRate(snapshot: MetricsSnapshot, metric: string, label: string): ChartSeries {
  const series = plainSeries(snapshot, metric, label)
  return { ...series, values: ratePerSecond(snapshot.trend.times, series.values) }
}
