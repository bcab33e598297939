/** Any series that the server reports, plotted over what this tab has seen. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { type MetricsSnapshot, metricsQuery } from '#api/metrics.ts'
import { formatShort } from '#lib/format.ts'
import { ratePerSecond, seriesKey } from '#lib/metric-trend.ts'
import { labelText, type MetricFamily, type Sample } from '#lib/open-metrics.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { Section } from '#ui/page.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/states.tsx'
import classes from './metric-explorer.module.css'
import { MetricChart } from './metrics-overview.tsx'

export function MetricExplorer() {
  const metrics = useQuery(metricsQuery)
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
      <p className={classes.help}>{helpText(family)}</p>
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
  const series = family.samples.map((sample) => {
    const values = snapshot.trend.series.get(seriesKey(sample)) ?? []
    return {
      id: seriesKey(sample),
      label: labelText(sample.labels) || sample.name,
      values: counter ? ratePerSecond(snapshot.trend.times, values) : values,
    }
  })
  return (
    <MetricChart
      title={family.name}
      hint={`${counter ? 'per second' : family.unit || family.type}${series.length > 6 ? ', the first 6 series' : ''}`}
      snapshot={snapshot}
      series={series}
      format={formatShort}
    />
  )
}

const columns: readonly Column<Sample>[] = [
  {
    id: 'name',
    header: 'Sample',
    cell: (sample) => <code>{sample.name}</code>,
    sortValue: (sample) => sample.name,
  },
  {
    id: 'labels',
    header: 'Labels',
    cell: (sample) => <code>{labelText(sample.labels)}</code>,
    sortValue: (sample) => labelText(sample.labels),
  },
  {
    id: 'value',
    header: 'Value',
    align: 'end',
    cell: (sample) => String(sample.value),
    sortValue: (sample) => sample.value,
  },
]

function SampleTable({ family }: { readonly family: MetricFamily }) {
  return (
    <Section title="Samples now" layout="flush">
      <DataTable
        label={`Samples of ${family.name}`}
        rows={family.samples}
        columns={columns}
        rowKey={seriesKey}
        maxHeight="320px"
      />
    </Section>
  )
}

const helpText = ({ help, type, unit }: MetricFamily): string =>
  [help || 'No description.', `Type ${type}${unit === '' ? '' : `, in ${unit}`}.`].join(' ')
