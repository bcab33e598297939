/** What runs now, on all graphs: time left, live counters, and a way to end it. */
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleStop } from 'lucide-react'
import { formatCount, formatDuration } from '#lib/format.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { ErrorNotice, Loading } from '#ui/states.tsx'
import { notify } from '#ui/toasts.tsx'
import { abort, queryKeys, runningQuery } from '../api/queries.ts'
import classes from '../queries-page.module.css'
import type { Running } from '../use-live-run.ts'

export function RunningList() {
  const client = useQueryClient()
  const running = useQuery(runningQuery)
  const ending = useMutation({
    mutationFn: abort,
    onSuccess: (wasRunning) => {
      if (!wasRunning) notify('It had already finished.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.running }),
  })
  if (running.isPending) return <Loading what="running queries" rows={3} />
  if (running.data === undefined) {
    return (
      <ErrorNotice
        title="The running queries could not be read"
        error={running.error}
        onRetry={running.refetch}
      />
    )
  }
  const columns: readonly Column<Running>[] = [
    ...factColumns,
    {
      id: 'abort',
      header: 'Abort',
      hideHeader: true,
      align: 'end',
      cell: ({ requestid, url, aborting }) => {
        const isEnding = aborting === true || (!ending.isError && ending.variables === requestid)
        return (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<CircleStop size={12} aria-hidden="true" />}
            disabled={isEnding}
            aria-label={`Abort ${url}`}
            onClick={() => ending.mutate(requestid)}
          >
            {isEnding ? 'Aborting…' : 'Abort'}
          </Button>
        )
      },
    },
  ]
  return (
    <>
      {ending.isError && <ErrorNotice title="It could not be aborted" error={ending.error} />}
      <DataTable
        label="Running queries"
        rows={running.data}
        columns={columns}
        rowKey={({ requestid }) => requestid}
        emptyText="No query is running."
        maxHeight="fill"
      />
    </>
  )
}

const factColumns: readonly Column<Running>[] = [
  {
    id: 'url',
    header: 'Query',
    cell: ({ url }) => <code className={classes.url}>{url}</code>,
    sortValue: ({ url }) => url,
  },
  {
    id: 'elapsed',
    header: 'Elapsed',
    align: 'end',
    cell: ({ elapsedTime }) => formatDuration(elapsedTime),
    sortValue: ({ elapsedTime }) => elapsedTime,
  },
  { id: 'left', header: 'Until timeout', cell: (row) => <Deadline running={row} /> },
  {
    id: 'edges',
    header: 'Edges read',
    align: 'end',
    cell: ({ edges }) => (edges === undefined ? '–' : formatCount(edges)),
    sortValue: ({ edges }) => edges,
  },
  {
    id: 'line',
    header: 'Line',
    align: 'end',
    cell: ({ line }) => line ?? '–',
    sortValue: ({ line }) => line,
  },
]

/** Times are told without a zone: they are UTC. */
const epochMs = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

function Deadline({ running }: { readonly running: Running }) {
  const total = epochMs(running.expirationTime) - epochMs(running.startTime)
  if (!(total > 0)) return <span>no limit</span>
  const used = Math.min(1, running.elapsedTime / total)
  const left = formatDuration(Math.max(0, total - running.elapsedTime))
  return (
    <span className={classes.deadline}>
      <meter min={0} max={1} value={used} aria-label={`${left} left`} />
      {left}
    </span>
  )
}
