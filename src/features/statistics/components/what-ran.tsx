/** What ran in a part of the time that was marked: endpoints and queries by their share of the work. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { historyQuery } from '#api/statistics.ts'
import { counted, formatCount, formatDuration, formatPercent } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Breakable } from '#ui/layout/breakable.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { slowRunsQuery } from '../api/slow-runs.ts'
import { isRunIn } from '../model/slow-runs.ts'
import type { TimePart } from '../model/view.ts'
import { type RanRow, ranRows } from '../model/what-ran.ts'
import classes from './endpoint-table.module.css'

interface WhatRanProps {
  readonly graph: string
  readonly part: TimePart
  readonly formatTime: (seconds: number) => string
  /** Narrows the slow queries to those of a name. */
  readonly onSlow: (query: string) => void
  /** Shows nothing but the part. */
  readonly onZoom: () => void
  readonly onClear: () => void
}

export function WhatRan({ graph, part, formatTime, onSlow, onZoom, onClear }: WhatRanProps) {
  const { includeConsoleTraffic, pollSeconds } = usePreferences()
  const range = { graph, seconds: part.to - part.from, end: part.to, isExact: true }
  const ran = useQuery(
    historyQuery({ ...range, includeConsole: includeConsoleTraffic }, pollSeconds),
  )
  const slow = useQuery(slowRunsQuery(graph, pollSeconds)).data?.runs ?? []
  const slowCounts = new Map<string, number>()
  for (const run of slow) {
    if (isRunIn(run, part)) slowCounts.set(run.query, (slowCounts.get(run.query) ?? 0) + 1)
  }
  const shown = ran.isPlaceholderData ? undefined : ran.data
  const { from, to } = shown ?? part
  const place = useInView<HTMLDivElement>(`${from} ${to} ${shown === undefined}`)
  return (
    <div ref={place}>
      <Section
        title={`What ran from ${formatTime(from)} to ${formatTime(to)}`}
        hint={
          shown &&
          `${counted(shown.total.summary.completed, 'request', 'requests')} in ${formatDuration((to - from) * 1_000)}`
        }
        actions={
          <>
            <Button variant="subtle" size="compact-xs" onClick={onZoom}>
              Show this time alone
            </Button>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<X size={13} aria-hidden="true" />}
              onClick={onClear}
            >
              Close
            </Button>
          </>
        }
        layout="flush"
      >
        {ran.isError && (
          <ErrorNotice title="What ran could not be read" error={ran.error} onRetry={ran.refetch} />
        )}
        {shown === undefined && !ran.isError && <Loading what="what ran" rows={3} />}
        {shown !== undefined && (
          <DataTable
            id="statistics.ran"
            label="What ran"
            rows={ranRows(shown)}
            columns={columnsOf({ graph, slowCounts, onSlow })}
            rowKey={({ endpoint }) => endpoint}
            emptyText="Nothing was answered in this time."
            maxHeight="320px"
          />
        )}
      </Section>
    </div>
  )
}

/** Who marked a time in a chart sees what came of it, wherever the chart stands. */
function useInView<Element extends HTMLElement>(key: string) {
  const place = useRef<Element>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each part, and when it is read.
  useEffect(() => {
    // A browser may answer with a promise, which an effect must not.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [key])
  return place
}

interface RanColumns {
  readonly graph: string
  readonly slowCounts: ReadonlyMap<string, number>
  readonly onSlow: (query: string) => void
}

function columnsOf({ graph, slowCounts, onSlow }: RanColumns): readonly Column<RanRow>[] {
  return [
    {
      id: 'endpoint',
      header: 'Endpoint or query',
      lead: true,
      cell: (row) => <EndpointName graph={graph} row={row} />,
      sortValue: (row) => row.query ?? row.endpoint,
    },
    {
      id: 'share',
      header: 'Share of time',
      align: 'end',
      cell: ({ share }) => formatPercent(share),
      sortValue: (row) => row.share,
    },
    countColumn('completed', 'Completed'),
    countColumn('errors', 'Errors'),
    { ...countColumn('timeouts', 'Timeouts'), fold: 'medium' },
    { ...latencyColumn('p50Ms', 'p50'), fold: 'medium' },
    latencyColumn('p95Ms', 'p95'),
    { ...latencyColumn('p99Ms', 'p99'), fold: 'medium' },
    {
      id: 'slow',
      fold: 'narrow',
      header: 'Slow runs',
      align: 'end',
      cell: ({ query }) => {
        const count = query === null ? 0 : (slowCounts.get(query) ?? 0)
        if (query === null || count === 0) return ''
        return (
          <Button
            variant="subtle"
            size="compact-xs"
            className={classes.count ?? ''}
            aria-label={`Slow runs of ${query}`}
            onClick={() => onSlow(query)}
          >
            {formatCount(count)}
          </Button>
        )
      },
      sortValue: ({ query }) => (query === null ? 0 : slowCounts.get(query)),
    },
  ]
}

function EndpointName({ graph, row }: { readonly graph: string; readonly row: RanRow }) {
  const { endpoint, query } = row
  return (
    <code className={classes.endpoint} title={endpoint}>
      {query === null ? (
        <Breakable path={endpoint} />
      ) : (
        <Link to={paths.queries(graph, { query })}>{query}</Link>
      )}
    </code>
  )
}

const countColumn = (id: 'completed' | 'errors' | 'timeouts', header: string): Column<RanRow> => ({
  id,
  fold: 'narrow',
  header,
  align: 'end',
  cell: (row) => formatCount(row[id]),
  sortValue: (row) => row[id],
})

const latencyColumn = (id: 'p50Ms' | 'p95Ms' | 'p99Ms', header: string): Column<RanRow> => ({
  id,
  fold: 'narrow',
  header,
  align: 'end',
  cell: (row) => (row[id] === null ? '–' : formatDuration(row[id])),
  sortValue: (row) => row[id],
})
