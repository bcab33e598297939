import { useQuery } from '@tanstack/react-query'
import { type MetricsSnapshot, metricsQuery } from '#api/metrics.ts'
import {
  formatAge,
  formatBytes,
  formatClock,
  formatPercent,
  formatRate,
  formatShort,
} from '#lib/format.ts'
import { sampleValue } from '#lib/open-metrics.ts'
import { usePreferences } from '#lib/preferences.ts'
import { Chart, type ChartSeries } from '#ui/chart.tsx'
import { FigureRow, FigureTile } from '#ui/figure-tile.tsx'
import { Section } from '#ui/page.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { diskUses, inBytes, labelledSeries, MEGABYTE, rateSeries } from '../model/machine.ts'
import { Disks } from './disks.tsx'
import classes from './metrics-overview.module.css'

export function MetricsOverview() {
  const metrics = useQuery(metricsQuery)
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
      <Figures snapshot={metrics.data} />
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

function Figures({ snapshot }: { readonly snapshot: MetricsSnapshot }) {
  const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    sampleValue(snapshot.parsed, name, labels)
  const megabytes = (amount: number | undefined): string =>
    amount === undefined ? '–' : formatBytes(amount * MEGABYTE)
  const cores = value('tigergraph_cpu_logical_cores_total')
  const cpu = value('tigergraph_cpu_usage', { service_name: '' })
  const qps = value('tigergraph_qps')
  return (
    <FigureRow>
      <FigureTile
        label="CPU"
        value={cpu === undefined ? '–' : formatPercent(cpu / 100)}
        context={cores === undefined ? 'of the machine' : `of ${cores} cores`}
      />
      <FigureTile
        label="Memory available"
        value={megabytes(value('tigergraph_memory_available'))}
        context={`of ${megabytes(value('tigergraph_memory_total'))}`}
      />
      <FigureTile
        label="Connections"
        value={formatOptional(value('tigergraph_network_connections'), formatShort)}
        context="open TCP connections"
      />
      <FigureTile
        label="Requests"
        value={formatOptional(qps, formatRate)}
        context={`sampled ${formatAge(Date.now() - snapshot.takenAt)}`}
      />
    </FigureRow>
  )
}

const formatOptional = (value: number | undefined, format: (value: number) => string): string =>
  value === undefined ? '–' : format(value)

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
