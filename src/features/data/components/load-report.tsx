/** How far a load is, what became of its rows, and which were refused. */
import { Button, Progress } from '@mantine/core'
import { Link } from 'react-router'
import { counted, formatCount, formatDuration, formatPercent } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { ErrorNotice } from '#ui/states.tsx'
import { type Status, StatusBadge } from '#ui/status-badge.tsx'
import { type LoadProgress, type RejectedItem, rejectedCsv, speedOf } from '../model/loader.ts'
import classes from './data.module.css'
import type { Load } from './use-load.ts'

interface LoadReportProps {
  readonly graph: string
  readonly file: File
  readonly load: Load
  readonly progress: LoadProgress
}

const states: Readonly<Record<LoadProgress['state'], { text: string; status: Status }>> = {
  running: { text: 'Loading', status: 'info' },
  paused: { text: 'Paused', status: 'warning' },
  done: { text: 'Done', status: 'success' },
  stopped: { text: 'Stopped', status: 'warning' },
  failed: { text: 'Failed', status: 'danger' },
}

const rejectedColumns: readonly Column<RejectedItem>[] = [
  {
    id: 'row',
    header: 'Row',
    align: 'end',
    width: '90px',
    cell: ({ row }) => formatCount(row),
    sortValue: ({ row }) => row,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ reason }) => reason,
    sortValue: ({ reason }) => reason,
  },
]

export function LoadReport({ graph, file, load, progress }: LoadReportProps) {
  const { state, rejected, rejectedCount } = progress
  const active = state === 'running' || state === 'paused'
  const share = file.size === 0 ? 1 : Math.min(1, progress.bytesRead / file.size)
  return (
    <section className={classes['report']} aria-label="Load">
      <p className={classes['counts']} role="status">
        <StatusBadge status={states[state].status}>{states[state].text}</StatusBadge>
        <span>
          {counted(progress.acceptedVertices, 'vertex', 'vertices')} and{' '}
          {counted(progress.acceptedEdges, 'edge', 'edges')} accepted
        </span>
        {progress.skipped > 0 && <span>{formatCount(progress.skipped)} skipped</span>}
        {rejectedCount > 0 && <span>{counted(rejectedCount, 'row', 'rows')} rejected</span>}
      </p>
      <Progress
        value={state === 'done' ? 100 : share * 100}
        aria-label={`Loaded ${formatPercent(share)} of the file`}
      />
      <SpeedLine load={load} progress={progress} totalBytes={file.size} />
      {state === 'failed' && <ErrorNotice error={progress.failure} title="The load stopped" />}
      <div className={classes['buttons']}>
        {state === 'running' && (
          <Button variant="default" onClick={load.pause}>
            Pause
          </Button>
        )}
        {state === 'paused' && <Button onClick={load.resume}>Resume</Button>}
        {active && (
          <Button variant="default" onClick={load.stop}>
            Stop
          </Button>
        )}
        {!active && <Button onClick={load.reset}>Load again</Button>}
        {!active && (
          <Button variant="default" component={Link} to={paths.explorer(graph)}>
            Explore the graph
          </Button>
        )}
        {rejectedCount > 0 && (
          <Button variant="default" onClick={() => download(`${file.name}.rejected.csv`, rejected)}>
            Download rejected rows
          </Button>
        )}
      </div>
      {rejectedCount > 0 && (
        <div className={classes['framed']}>
          <DataTable
            label="Rejected rows"
            rows={rejected}
            columns={rejectedColumns}
            rowKey={({ row }) => String(row)}
            maxHeight="320px"
          />
        </div>
      )}
      {rejectedCount > rejected.length && (
        <p className={classes['hint']}>
          The first {formatCount(rejected.length)} of {formatCount(rejectedCount)} are kept.
        </p>
      )}
    </section>
  )
}

interface SpeedLineProps {
  readonly load: Load
  readonly progress: LoadProgress
  readonly totalBytes: number
}

function SpeedLine({ load, progress, totalBytes }: SpeedLineProps) {
  const { rowsPerSecond, remainingMs } = speedOf(progress, totalBytes, load.elapsedMs)
  return (
    <p className={classes['hint']}>
      {formatCount(progress.rowsSent)} rows sent
      {load.elapsedMs > 500 && ` · ${formatCount(rowsPerSecond)} rows/s`}
      {progress.state === 'running' &&
        remainingMs !== null &&
        ` · about ${formatDuration(remainingMs)} left`}
    </p>
  )
}

function download(fileName: string, rejected: readonly RejectedItem[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([rejectedCsv(rejected)], { type: 'text/csv' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
