/** Each endpoint of the window; a row narrows the latency charts to it. */
import { useMemo } from 'react'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { formatCount, formatDuration, formatRate, formatShort } from '#lib/format.ts'
import { Spark } from '#ui/chart/spark.tsx'
import { Breakable } from '#ui/layout/breakable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { type EndpointRow, endpointRows, rangePosition } from '../model/charts.ts'
import { changeText, countChangeText } from '../model/compared.ts'
import classes from './endpoint-table.module.css'

interface EndpointTableProps {
  readonly history: StatisticsHistory
  readonly selected: string | null
  readonly onSelect: (endpoint: string | null) => void
}

const byRate = { id: 'rate', desc: true } as const

export function EndpointTable({ history, selected, onSelect }: EndpointTableProps) {
  const rows = endpointRows(history)
  const topMs = Math.max(...rows.map(({ maxMs }) => maxMs ?? 0), 1)
  const columns = useMemo(() => columnsFor(topMs), [topMs])
  return (
    <Section
      title="Endpoints"
      layout="flush"
      hint="choose one to see its latency above; small figures: the change since the window before"
    >
      <DataTable
        id="statistics.endpoints"
        label="Endpoints"
        rows={rows}
        columns={columns}
        rowKey={(row) => row.endpoint}
        initialSort={byRate}
        emptyText="No request completed in this window."
        selectedKey={selected ?? undefined}
        onSelect={(row) => onSelect(row.endpoint === selected ? null : row.endpoint)}
      />
    </Section>
  )
}

const latency = (value: number | null): string => (value === null ? '–' : formatDuration(value))

/** A figure with what has become of it. */
function Changed({ value, change, was }: Record<'value' | 'change' | 'was', string>) {
  return (
    <span className={classes.changed}>
      {change !== '' && <small title={`${was} in the window before`}>{change}</small>} {value}
    </span>
  )
}

const latencyColumn = (
  id: string,
  header: string,
  read: (row: EndpointRow) => number | null,
): Column<EndpointRow> => ({
  id,
  header,
  align: 'end',
  cell: (row) => latency(read(row)),
  sortValue: read,
})

function columnsFor(topMs: number): readonly Column<EndpointRow>[] {
  return [
    {
      id: 'endpoint',
      header: 'Endpoint',
      lead: true,
      cell: (row) => (
        <code className={classes.endpoint} title={row.endpoint}>
          <Breakable path={row.endpoint} />
        </code>
      ),
      sortValue: (row) => row.endpoint,
    },
    {
      id: 'rate',
      header: 'Per second',
      align: 'end',
      cell: ({ rate, before }) => (
        <Changed
          value={formatShort(rate)}
          change={changeText(rate, before?.rate ?? null)}
          was={formatRate(before?.rate ?? 0)}
        />
      ),
      sortValue: (row) => row.rate,
    },
    {
      id: 'completed',
      fold: 'medium',
      header: 'Completed',
      align: 'end',
      cell: (row) => formatCount(row.completed),
      sortValue: (row) => row.completed,
    },
    {
      id: 'errors',
      fold: 'narrow',
      header: 'Errors',
      align: 'end',
      cell: ({ errors, before }) => (
        <Changed
          value={formatCount(errors)}
          change={before === null ? '' : countChangeText(errors, before.errors)}
          was={formatCount(before?.errors ?? 0)}
        />
      ),
      sortValue: (row) => row.errors,
    },
    {
      id: 'timeouts',
      fold: 'medium',
      header: 'Timeouts',
      align: 'end',
      cell: (row) => formatCount(row.timeouts),
      sortValue: (row) => row.timeouts,
    },
    {
      id: 'trend',
      fold: 'narrow',
      header: 'Trend',
      sortValue: ({ rate, before }) => (before ? rate / before.rate : null),
      cell: (row) => (
        <div className={classes.trend}>
          <Spark values={row.trend} label={`Requests of ${row.endpoint}`} />
        </div>
      ),
    },
    { ...latencyColumn('min', 'Min', (row) => row.minMs), fold: 'wide' },
    { ...latencyColumn('average', 'Average', (row) => row.averageMs), fold: 'wide' },
    { ...latencyColumn('p50', 'p50', (row) => row.p50Ms), fold: 'medium' },
    {
      ...latencyColumn('p95', 'p95', (row) => row.p95Ms),
      cell: ({ p95Ms, before }) => (
        <Changed
          value={latency(p95Ms)}
          change={changeText(p95Ms, before?.p95Ms ?? null)}
          was={latency(before?.p95Ms ?? null)}
        />
      ),
    },
    { ...latencyColumn('p99', 'p99', (row) => row.p99Ms), fold: 'medium' },
    { ...latencyColumn('max', 'Max', (row) => row.maxMs), fold: 'wide' },
    {
      id: 'range',
      fold: 'narrow',
      spare: true,
      header: 'Min, average, p95, max',
      width: '170px',
      cell: (row) => <RangeBar row={row} topMs={topMs} />,
    },
  ]
}

interface RangeBarProps {
  readonly row: EndpointRow
  readonly topMs: number
}

/** From the least to the greatest, on a logarithmic scale that all rows share. */
function RangeBar({ row, topMs }: RangeBarProps) {
  const { minMs, averageMs, p95Ms, maxMs } = row
  if (minMs === null || averageMs === null || p95Ms === null || maxMs === null) return null
  const at = (value: number): string => `${(rangePosition(value, topMs) * 100).toFixed(1)}%`
  const label = `from ${latency(minMs)} to ${latency(maxMs)}, average ${latency(averageMs)}, p95 ${latency(p95Ms)}`
  return (
    <div className={classes.range} role="img" aria-label={label} title={label}>
      <span
        className={classes.whole}
        style={{ insetInlineStart: at(minMs), insetInlineEnd: `calc(100% - ${at(maxMs)})` }}
      />
      <span
        className={classes.most}
        style={{ insetInlineStart: at(minMs), insetInlineEnd: `calc(100% - ${at(p95Ms)})` }}
      />
      <span className={classes.average} style={{ insetInlineStart: at(averageMs) }} />
    </div>
  )
}
