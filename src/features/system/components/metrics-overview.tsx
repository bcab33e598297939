import { useQuery } from '@tanstack/react-query'
import { liveMetricsQuery, type MetricsSnapshot } from '#api/metrics.ts'
import { formatAge, formatBytes, formatClock, formatPercent, formatShort } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { Chart, type ChartSeries } from '#ui/chart/chart.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import {
  diskUses,
  inBytes,
  labelledSeries,
  plainRate,
  plainSeries,
  rateSeries,
} from '../model/machine.ts'
import { Disks } from './disks.tsx'
import { EngineFigures, MachineFigures } from './metric-figures.tsx'
import classes from './metrics-overview.module.css'

export function MetricsOverview() {
  const metrics = useQuery(liveMetricsQuery)
  if (metrics.isPending) return <Loading what="metrics" rows={8} />
  if (metrics.data === undefined) {
    return (
      <ErrorNotice
        title="The metrics could not be read"
        error={metrics.error}
        onRetry={metrics.refetch}
      />
    )
  }
  return (
    <>
      {metrics.isError && (
        <ErrorNotice
          title={`The metrics below are from ${formatAge(Date.now() - metrics.dataUpdatedAt)}`}
          error={metrics.error}
          onRetry={metrics.refetch}
        />
      )}
      <MachineFigures snapshot={metrics.data} />
      <EngineFigures snapshot={metrics.data} />
      <div className={classes.grid}>
        <MetricChart
          title="CPU"
          hint="percent of all cores"
          snapshot={metrics.data}
          series={labelledSeries(metrics.data, 'tigergraph_cpu_usage', 'service_name', 'node')}
          format={(value) => formatPercent(value / 100)}
        />
        <MetricChart
          title="Memory"
          hint="in use"
          snapshot={metrics.data}
          series={inBytes(
            labelledSeries(metrics.data, 'tigergraph_memory_usage', 'service_name', 'node'),
          )}
          format={formatBytes}
          base={1024}
        />
        <MetricChart
          title="Graph memory"
          hint="of all graphs, with pages kept for readers"
          snapshot={metrics.data}
          series={[
            plainSeries(metrics.data, 'quiver_engine_memory_used_bytes', 'in use'),
            plainSeries(metrics.data, 'quiver_engine_copied_pages_bytes', 'kept pages'),
          ]}
          format={formatBytes}
          base={1024}
        />
        <MetricChart
          title="Commits"
          hint="per second; a group shares one sync to disk"
          snapshot={metrics.data}
          series={[
            plainRate(metrics.data, 'quiver_store_commits_total', 'commits'),
            plainRate(metrics.data, 'quiver_store_commit_groups_total', 'groups'),
          ]}
          format={formatShort}
        />
        <MetricChart
          title="Network"
          hint="bytes per second"
          snapshot={metrics.data}
          series={rateSeries(metrics.data, 'tigergraph_network_traffic', 'direction')}
          format={(value) => `${formatBytes(value)}/s`}
          base={1024}
        />
        <Section title="Disk" hint="amber above 80 %, red above 90 %">
          <Disks uses={diskUses(metrics.data.parsed)} />
        </Section>
      </div>
    </>
  )
}

interface MetricChartProps {
  readonly title: string
  readonly hint: string
  readonly snapshot: MetricsSnapshot
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
  readonly base?: 1000 | 1024
}

export function MetricChart(props: MetricChartProps) {
  const { title, hint, snapshot, series, format, base = 1000 } = props
  const { timeZone } = usePreferences()
  return (
    <Section title={title} hint={hint}>
      <Chart
        label={title}
        times={snapshot.trend.times}
        series={series.slice(0, 6)}
        format={format}
        base={base}
        formatTime={(seconds) => formatClock(seconds * 1000, timeZone)}
        height={170}
      />
    </Section>
  )
}
