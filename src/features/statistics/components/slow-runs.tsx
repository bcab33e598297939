/** Queries that took long in the time that is shown; the chosen one with text and plan. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
} from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { type SlowRun, slowRunsQuery } from '../api/slow-runs.ts'
import { isForgotten, isRunIn } from '../model/slow-runs.ts'
import { SlowRunView } from './slow-run-view.tsx'
import classes from './slow-runs.module.css'

interface SlowRunsProps {
  readonly graph: string
  /** Epoch seconds. */
  readonly from: number
  readonly to: number
  /** The only query whose runs are shown; null: all. */
  readonly query: string | null
  readonly onAll: () => void
}

export function SlowRuns({ graph, from, to, query, onAll }: SlowRunsProps) {
  const { timeZone, pollSeconds } = usePreferences()
  const slow = useQuery(slowRunsQuery(graph, pollSeconds))
  const [chosen, setChosen] = useState('')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (query !== null) place.current?.scrollIntoView({ block: 'nearest' })
  }, [query])
  const isShown = (run: SlowRun) =>
    isRunIn(run, { from, to }) && (query === null || run.query === query)
  const runs = slow.data?.runs.filter(isShown) ?? []
  return (
    <div ref={place}>
      <Section
        title="Slow queries"
        hint={
          slow.data !== undefined &&
          `${query === null ? '' : `${query}, `}${formatClock(from * 1_000, timeZone)} to ${formatClock(to * 1_000, timeZone)}, ${formatDuration(slow.data.thresholdMs)} and longer`
        }
        actions={
          query !== null && (
            <Button variant="subtle" size="compact-xs" onClick={onAll}>
              Show all slow queries
            </Button>
          )
        }
        layout="flush"
      >
        {slow.isPending && <Loading what="slow queries" rows={2} />}
        {slow.isError && slow.data === undefined && (
          <ErrorNotice
            title="The slow queries could not be read"
            error={slow.error}
            onRetry={slow.refetch}
          />
        )}
        {slow.data !== undefined && (
          <DataTable
            id="statistics.slow"
            label="Slow queries"
            rows={runs}
            columns={columnsOf(timeZone)}
            rowKey={({ requestId }) => requestId}
            selectedKey={chosen}
            onSelect={({ requestId }) => setChosen(requestId === chosen ? '' : requestId)}
            emptyText="No query took that long."
            maxHeight="320px"
          />
        )}
        {isForgotten(slow.data?.forgottenUntilMs, from) && (
          <p className={classes.note} role="status">
            Those that had ended by {formatDateTime(slow.data?.forgottenUntilMs ?? 0, timeZone)} are
            no longer kept.
          </p>
        )}
        {runs.some(({ requestId }) => requestId === chosen) && (
          <SlowRunView key={chosen} graph={graph} requestId={chosen} />
        )}
      </Section>
    </div>
  )
}

const outcomes = {
  done: ['success', 'done'],
  timeout: ['danger', 'timed out'],
  aborted: ['neutral', 'aborted'],
  failed: ['danger', 'failed'],
} as const

function columnsOf(timeZone: Parameters<typeof formatDateTime>[1]): readonly Column<SlowRun>[] {
  return [
    {
      id: 'start',
      header: 'Started',
      fold: 'narrow',
      cell: ({ startMs }) => formatDateTime(startMs, timeZone),
      sortValue: ({ startMs }) => startMs,
    },
    {
      id: 'query',
      header: 'Query',
      lead: true,
      cell: ({ query }) => query || 'not stored',
      sortValue: ({ query }) => query,
    },
    {
      id: 'user',
      header: 'User',
      fold: 'narrow',
      cell: ({ user }) => user,
      sortValue: ({ user }) => user,
    },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: ({ outcome }) => {
        const [status, words] = outcomes[outcome]
        return (
          <StatusBadge status={status} look="plain">
            {words}
          </StatusBadge>
        )
      },
      sortValue: ({ outcome }) => outcome,
    },
    {
      id: 'edges',
      fold: 'narrow',
      header: 'Edges read',
      align: 'end',
      cell: ({ counters }) => (counters === null ? '–' : formatCount(counters.edges)),
      sortValue: ({ counters }) => counters?.edges,
    },
    {
      id: 'memory',
      fold: 'narrow',
      header: 'Memory',
      align: 'end',
      cell: ({ peakMemoryBytes }) =>
        peakMemoryBytes === null ? '–' : formatBytes(peakMemoryBytes),
      sortValue: ({ peakMemoryBytes }) => peakMemoryBytes,
    },
    {
      id: 'elapsed',
      header: 'Took',
      align: 'end',
      cell: ({ elapsedMs }) => formatDuration(elapsedMs),
      sortValue: ({ elapsedMs }) => elapsedMs,
    },
  ]
}
