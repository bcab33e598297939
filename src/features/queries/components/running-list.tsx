/**
 * What runs now or waits for a worker: time left, live counters, a way to end it; and what ended a
 * moment ago.
 */
import { Button, NativeSelect, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleStop } from 'lucide-react'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { sessionQuery } from '#api/session.ts'
import { abortQuery } from '#contract/queries.ts'
import { formatAge, formatBytes, formatClock, formatCount, formatDuration } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { useCommand } from '#ui/commands/commands.ts'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { type Status, StatusBadge } from '#ui/feedback/status-badge.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { TextBlock } from '#ui/layout/text-block.tsx'
import { Toolbar, ToolbarEnd } from '#ui/layout/toolbar.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { abort, queryKeys, type Running, runningQuery } from '../api/queries.ts'
import {
  type EndedRun,
  type Ending,
  fitsFilter,
  noteAborting,
  startMsOf,
  type WatchedRuns,
} from '../model/watched-runs.ts'
import classes from '../queries-page.module.css'
import { Deadline, Elapsed } from './running-times.tsx'

export function RunningList({ graph }: { readonly graph: string }) {
  const runs = useQuery(runningQuery)
  const { timeZone } = usePreferences()
  const { fits, controls } = useRunFilter(graph)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const ending = useAbort()
  const refusalOf = useAbortRefusal(graph)
  const shown = runs.data?.running.filter(fits) ?? []
  const waitingCount = shown.filter(({ waiting }) => waiting === true).length
  const only = selected.size === 1 ? shown.find((run) => selected.has(idOf(run))) : undefined
  const aborting = new Set(runs.data?.aborting)
  const chosen = shown.map(idOf).filter((id) => selected.has(id) && !aborting.has(id))
  const abortAll = () => {
    const ids = chosen.length > 0 ? chosen : [focusedRow()].filter((id) => id !== '')
    if (ids.length > 0) ending.mutate(ids)
  }
  useCommand({
    id: 'queries.abort',
    group: 'Queries',
    label: 'Abort the selected runs',
    keys: 'x',
    enabled: shown.length > 0,
    run: abortAll,
  })
  if (runs.isPending) return <Loading what="running queries" rows={3} />
  if (runs.data === undefined) {
    return (
      <ErrorNotice
        title="The running queries could not be read"
        error={runs.error}
        onRetry={runs.refetch}
      />
    )
  }
  const hidden = runs.data.running.length - shown.length
  const ended = runs.data.ended.filter(({ run }) => fits({ ...run, elapsedTime: Infinity }))
  return (
    <div className={classes.runs}>
      <Toolbar label="Running queries">
        <div className={classes.runFilters}>{controls}</div>
        <ToolbarEnd>
          {waitingCount > 0 && (
            <span className={classes.waitingCount}>
              {formatCount(shown.length - waitingCount)} running, {formatCount(waitingCount)}{' '}
              waiting
            </span>
          )}
          {chosen.length > 0 && (
            <Button
              leftSection={<CircleStop size={14} aria-hidden="true" />}
              variant="default"
              onClick={abortAll}
            >
              Abort {chosen.length} selected
            </Button>
          )}
        </ToolbarEnd>
      </Toolbar>
      {ending.isError && <ErrorNotice title="It could not be aborted" error={ending.error} />}
      <DataTable
        id="queries.running"
        label="Running queries"
        rows={shown}
        columns={[
          abortColumn({ aborting, refusalOf, onAbort: (id) => ending.mutate([id]) }),
          ...factColumns,
          startedColumn(timeZone),
        ]}
        rowKey={idOf}
        emptyText={
          hidden > 0 ? `None of the ${hidden} running queries fits.` : 'No query is running.'
        }
        selectedKeys={selected}
        onSelectKeys={(keys) => setSelected(new Set(keys))}
      />
      {only !== undefined && <RunDetails run={only} />}
      {ended.length > 0 && (
        <>
          <h3 className={classes.endedTitle}>Ended within the last minute</h3>
          <DataTable
            id="queries.ended"
            label="Ended queries"
            rows={ended}
            columns={endedColumns}
            rowKey={({ run }) => run.requestid}
          />
        </>
      )}
    </div>
  )
}

const idOf = ({ requestid }: Running): string => requestid

/** The run whose row has the keyboard. */
function focusedRow(): string {
  const row = document.activeElement?.closest<HTMLElement>('tr[data-row]')
  return row?.dataset['row'] ?? ''
}

function useAbort() {
  const client = useQueryClient()
  const note = (ids: readonly string[], isAborting: boolean) =>
    client.setQueryData<WatchedRuns<Running>>(
      queryKeys.running,
      (watched) => watched && noteAborting(watched, ids, isAborting),
    )
  return useMutation({
    mutationFn: async (ids: readonly string[]) =>
      await Promise.all(ids.map(async (id) => ({ id, wasRunning: await abort(id) }))),
    onMutate: (ids) => {
      note(ids, true)
    },
    onSuccess: (answers) => {
      const late = answers.filter(({ wasRunning }) => !wasRunning).map(({ id }) => id)
      if (late.length === 0) return
      note(late, false)
      notify(
        late.length === 1 ? 'It had already finished.' : `${late.length} had already finished.`,
      )
    },
    onError: (_error, ids) => {
      note(ids, false)
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.running }),
  })
}

const spans = [
  { value: '0', label: 'of any age' },
  { value: '1000', label: 'for over 1 s' },
  { value: '10000', label: 'for over 10 s' },
  { value: '60000', label: 'for over 1 min' },
]

function useRunFilter(graph: string) {
  const user = useQuery(sessionQuery).data?.user ?? undefined
  const [isMine, setMine] = useState(false)
  const [isHere, setHere] = useState(false)
  const [least, setLeast] = useState('0')
  const filter = {
    graph: isHere ? graph : undefined,
    user: isMine ? user : undefined,
    leastMs: Number(least),
  }
  const controls = (
    <>
      <Switch
        label={`Only on ${graph}`}
        checked={isHere}
        onChange={(event) => setHere(event.currentTarget.checked)}
      />
      <Switch
        label="Only mine"
        checked={isMine}
        onChange={(event) => setMine(event.currentTarget.checked)}
      />
      <NativeSelect
        aria-label="How long they have run"
        data={spans}
        value={least}
        onChange={(event) => setLeast(event.currentTarget.value)}
      />
    </>
  )
  return { fits: (run: Running) => fitsFilter(run, filter), controls }
}

/** A run that waits has done nothing yet. */
const figureOf = (
  { waiting }: Running,
  value: number | undefined,
  format: (value: number) => string,
): string => (waiting === true || value === undefined ? '–' : format(value))

const urlColumn: Column<Running> = {
  id: 'url',
  header: 'Query',
  lead: true,
  cell: (run) => <Call run={run} />,
  sortValue: ({ url }) => url,
}

const factColumns: readonly Column<Running>[] = [
  urlColumn,
  {
    id: 'elapsed',
    header: 'Elapsed',
    align: 'end',
    cell: (run) => <Elapsed run={run} />,
    sortValue: ({ elapsedTime }) => elapsedTime,
  },
  {
    id: 'left',
    header: 'Until timeout',
    cell: (row) => <Deadline running={row} />,
    fold: 'narrow',
  },
  {
    id: 'edges',
    header: 'Edges read',
    align: 'end',
    fold: 'narrow',
    cell: (run) => figureOf(run, run.edges, formatCount),
    sortValue: ({ edges }) => edges,
  },
  {
    id: 'line',
    header: 'Line',
    align: 'end',
    fold: 'medium',
    cell: (run) => figureOf(run, run.line, String),
    sortValue: ({ line }) => line,
  },
  {
    id: 'memory',
    header: 'Memory',
    align: 'end',
    fold: 'medium',
    cell: (run) => figureOf(run, run.memoryBytes, formatBytes),
    sortValue: ({ memoryBytes }) => memoryBytes,
  },
  {
    id: 'user',
    header: 'User',
    fold: 'medium',
    cell: ({ user }) => user ?? '–',
    sortValue: ({ user }) => user,
  },
]

/** What was called, and with what; the whole of both is in the title. */
function Call({ run: { url, parameters } }: { readonly run: Running }) {
  const given = parameters === undefined || parameters === '{}' ? '' : parameters
  return (
    <div className={classes.call} title={`${url} ${given.slice(0, 2_000)}`.trim()}>
      <code className={classes.url}>{url}</code>
      {given !== '' && <code className={classes.given}>{given}</code>}
    </div>
  )
}

/** What a row has no room for: the id that logs know it by, and all that it was given. */
function RunDetails({ run: { requestid, url, parameters } }: { readonly run: Running }) {
  return (
    <section className={classes.runDetails} aria-label={`Run of ${url}`}>
      <p>
        <code>{url}</code>, request id <code>{requestid}</code>
      </p>
      {parameters !== undefined && (
        <TextBlock label="Parameters of the run" text={parameters} maxHeight="160px" />
      )}
    </section>
  )
}

function startedColumn(zone: 'local' | 'utc'): Column<Running> {
  return {
    id: 'started',
    header: 'Started',
    fold: 'medium',
    cell: (run) => formatClock(startMsOf(run), zone),
    sortValue: startMsOf,
  }
}

/** Everybody may end their own runs. */
function useAbortRefusal(graph: string): (run: Running) => string | null {
  const me = useQuery(sessionQuery).data?.user ?? undefined
  const refusal = useRefusal(abortQuery, graph)
  return (run) => (run.user === me || run.graph !== graph ? null : refusal)
}

interface AbortColumn {
  readonly aborting: ReadonlySet<string>
  readonly refusalOf: (run: Running) => string | null
  readonly onAbort: (id: string) => void
}

function abortColumn({ aborting, refusalOf, onAbort }: AbortColumn): Column<Running> {
  return {
    id: 'abort',
    header: 'Abort',
    hideHeader: true,
    cell: ({ requestid, url, ...run }) => (
      <Refusable refusal={refusalOf({ requestid, url, ...run })}>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<CircleStop size={12} aria-hidden="true" />}
          disabled={aborting.has(requestid)}
          aria-label={`Abort ${url}`}
          onClick={(event) => {
            // Not a click on the row.
            event.stopPropagation()
            onAbort(requestid)
          }}
        >
          {aborting.has(requestid) ? 'Aborting…' : 'Abort'}
        </Button>
      </Refusable>
    ),
  }
}

const looks: Readonly<Record<Ending, Status>> = {
  done: 'success',
  failed: 'danger',
  aborted: 'warning',
  'timed out': 'danger',
  ended: 'neutral',
}

const endedColumns: readonly Column<EndedRun<Running>>[] = [
  {
    id: 'url',
    header: 'Query',
    lead: true,
    cell: ({ run }) => <Call run={run} />,
    sortValue: ({ run }) => run.url,
  },
  {
    id: 'ending',
    header: 'How',
    cell: ({ ending, told }) => (
      <span title={told?.message}>
        <StatusBadge look="plain" status={looks[ending]}>
          {ending}
        </StatusBadge>
      </span>
    ),
    sortValue: ({ ending }) => ending,
  },
  {
    id: 'when',
    header: 'When',
    fold: 'narrow',
    cell: ({ endedAt }) => formatAge(Date.now() - endedAt),
    sortValue: ({ endedAt }) => endedAt,
  },
  {
    id: 'elapsed',
    header: 'After',
    align: 'end',
    cell: ({ run, told }) => formatDuration(told?.elapsedMs ?? run.elapsedTime),
    sortValue: ({ run, told }) => told?.elapsedMs ?? run.elapsedTime,
  },
  {
    id: 'memory',
    header: 'Most memory',
    align: 'end',
    fold: 'narrow',
    cell: ({ told }) => (told?.peakMemoryBytes == null ? '–' : formatBytes(told.peakMemoryBytes)),
    sortValue: ({ told }) => told?.peakMemoryBytes,
  },
  {
    id: 'user',
    header: 'User',
    fold: 'narrow',
    cell: ({ run }) => run.user ?? '–',
    sortValue: ({ run }) => run.user,
  },
]
