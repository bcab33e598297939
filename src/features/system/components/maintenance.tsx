/** Runbook cards: what it does, what it costs, the options, the result; then the last runs. */
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import type { maintenanceRun } from '#contract/system.ts'
import { formatAge, formatDateTime, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { Section } from '#ui/layout/page.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { runsQuery } from '../api/maintenance.ts'
import { CheckCard } from './check-card.tsx'
import classes from './maintenance.module.css'
import { RebuildCard } from './rebuild-card.tsx'

type Run = z.output<typeof maintenanceRun>

export function Maintenance() {
  const graph = useCurrentGraph()
  return (
    <>
      {graph === '' ? (
        <NoGraph />
      ) : (
        <div className={classes.cards}>
          <RebuildCard key={`rebuild ${graph}`} graph={graph} />
          <CheckCard key={`check ${graph}`} graph={graph} />
        </div>
      )}
      <Runs />
    </>
  )
}

/** None is known: there is none, or nobody could ask. */
function NoGraph() {
  const graphs = useQuery(graphsQuery)
  return (
    <Section title="Maintenance">
      {graphs.isPending && <Loading what="graphs" rows={3} />}
      {graphs.isError && (
        <ErrorNotice
          title="The graphs could not be read"
          error={graphs.error}
          onRetry={graphs.refetch}
        />
      )}
      {graphs.data !== undefined && <EmptyState text="There is no graph to maintain yet." />}
    </Section>
  )
}

function Runs() {
  const runs = useQuery(runsQuery)
  const { timeZone } = usePreferences()
  const columns: readonly Column<Run>[] = [
    {
      id: 'at',
      header: 'Started',
      fold: 'narrow',
      cell: (run) => formatDateTime(run.startedAt, timeZone),
      sortValue: (run) => run.startedAt,
    },
    {
      id: 'kind',
      header: 'What',
      lead: true,
      cell: (run) => <span>{run.kind === 'rebuild' ? 'Rebuild' : 'Deleted-vertex check'}</span>,
      sortValue: (run) => run.kind,
    },
    {
      id: 'graph',
      header: 'Graph',
      fold: 'narrow',
      cell: (run) => run.graph ?? 'all',
      sortValue: (run) => run.graph,
    },
    {
      id: 'result',
      header: 'Result',
      cell: (run) => (
        <StatusBadge look="plain" status={run.passed ? 'success' : 'danger'}>
          {run.text}
        </StatusBadge>
      ),
    },
    {
      id: 'duration',
      header: 'Took',
      fold: 'narrow',
      align: 'end',
      cell: (run) => formatDuration(run.durationMs),
      sortValue: (run) => run.durationMs,
    },
  ]
  return (
    <Section title="Last runs" layout="flush">
      {runs.isPending && <Loading what="runs" rows={3} />}
      {runs.isError && (
        <ErrorNotice
          title={
            runs.data === undefined
              ? 'The runs could not be read'
              : `The runs below are from ${formatAge(Date.now() - runs.dataUpdatedAt)}`
          }
          error={runs.error}
          onRetry={runs.refetch}
        />
      )}
      {runs.data !== undefined && (
        <DataTable
          label="Maintenance runs"
          rows={runs.data}
          columns={columns}
          rowKey={(run) => `${run.startedAt} ${run.kind}`}
          emptyText="Nothing was run since the server started."
        />
      )}
    </Section>
  )
}
