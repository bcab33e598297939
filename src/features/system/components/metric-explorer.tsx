/** Any series that the server reports, plotted over what this tab has seen. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { liveMetricsQuery, type MetricsSnapshot } from '#api/metrics.ts'
import { formatCount } from '#lib/format.ts'
import { ratePerSecond, seriesKey } from '#lib/metric-trend.ts'
import { labelText, type MetricFamily, type Sample } from '#lib/open-metrics.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { formatterOf, seriesLabel, unitOf } from '../model/metric-unit.ts'
import classes from './metric-explorer.module.css'
import { MetricChart } from './metrics-overview.tsx'

export function MetricExplorer() {
  const metrics = useQuery(liveMetricsQuery)
  const [search, setSearch] = useSearchParams()
  if (metrics.isPending) return <Loading what="metrics" />
  if (metrics.data === undefined) {
    return (
      <ErrorNotice
        title="The metrics could not be read"
        error={metrics.error}
        onRetry={metrics.refetch}
      />
    )
  }
  const { families } = metrics.data.parsed
  const family = families.find(({ name }) => name === search.get('metric')) ?? families[0]
  if (family === undefined) return <EmptyState text="The server reports no metrics." />
  return (
    <>
      <Select
        label="Metric"
        className={classes.select ?? ''}
        searchable
        data={families.map(({ name }) => name)}
        value={family.name}
        nothingFoundMessage="No metric has this name"
        onChange={(name) => setSearch({ tab: 'explorer', metric: name ?? '' }, { replace: true })}
      />
      <p className={classes.help}>{sentence(family.help || 'No description')}</p>
      <FamilyChart family={family} snapshot={metrics.data} />
      <SampleTable family={family} />
    </>
  )
}

interface FamilyProps {
  readonly family: MetricFamily
  readonly snapshot: MetricsSnapshot
}

function FamilyChart({ family, snapshot }: FamilyProps) {
  const counter = family.type === 'counter'
  // Buckets count; only the sum of a histogram is in its unit.
  const unit = family.type === 'histogram' ? 'none' : unitOf(family)
  const series = family.samples.map((sample) => {
    const values = snapshot.trend.series.get(seriesKey(sample)) ?? []
    return {
      id: seriesKey(sample),
      label: seriesLabel(sample.labels),
      values: counter ? ratePerSecond(snapshot.trend.times, values) : values,
    }
  })
  return (
    <MetricChart
      title={family.name}
      hint={[
        `${family.type}${counter ? ', per second' : ''}`,
        series.length > 6 ? `the first 6 of ${series.length} series` : '',
      ]
        .filter(Boolean)
        .join(', ')}
      snapshot={snapshot}
      series={series}
      format={formatterOf(unit, counter)}
      base={unit === 'bytes' ? 1024 : 1000}
    />
  )
}

const nameColumn: Column<Sample> = {
  id: 'name',
  header: 'Sample',
  fold: 'narrow',
  cell: (sample) => <code>{sample.name}</code>,
  sortValue: (sample) => sample.name,
}

/** Samples are named after the metric, except those of histograms. */
const columnsOf = (family: MetricFamily): readonly Column<Sample>[] => [
  ...(new Set(family.samples.map(({ name }) => name)).size > 1 ? [nameColumn] : []),
  {
    id: 'labels',
    header: 'Labels',
    lead: true,
    cell: (sample) => <code className={classes.labels ?? ''}>{labelText(sample.labels)}</code>,
    sortValue: (sample) => labelText(sample.labels),
  },
  {
    id: 'value',
    header: 'Value',
    align: 'end',
    cell: (sample) => <span title={String(sample.value)}>{valueText(family, sample)}</span>,
    sortValue: (sample) => sample.value,
  },
]

function SampleTable({ family }: { readonly family: MetricFamily }) {
  return (
    <Section title="Samples now" layout="flush">
      <DataTable
        label={`Samples of ${family.name}`}
        rows={family.samples}
        columns={columnsOf(family)}
        rowKey={seriesKey}
        maxHeight="320px"
      />
    </Section>
  )
}

/** Of a histogram only the sum is in the metric's unit; its buckets count. */
function valueText(family: MetricFamily, { name, value }: Sample): string {
  if (!Number.isFinite(value)) return String(value)
  return /_(count|bucket)$/.test(name)
    ? formatCount(value)
    : formatterOf(unitOf(family), false)(value)
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
