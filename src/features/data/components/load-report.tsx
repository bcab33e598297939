/** How far a load is, what became of its rows, and which were refused. */
import { Button, Progress } from '@mantine/core'
import { useRebuild, useRebuildProgress } from '#api/rebuild.ts'
import { useRefusal } from '#api/rights.ts'
import { rebuildNow } from '#contract/system.ts'
import { counted, formatCount, formatDuration, formatPercent } from '#lib/format.ts'
import { RebuildProgress } from '#ui/feedback/rebuild-progress.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { type Status, StatusBadge } from '#ui/feedback/status-badge.tsx'
import { useKeptFocus } from '#ui/inputs/focus-again.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { type LoadProgress, sentShare, speedOf } from '../model/loader.ts'
import { CreatedEndpoints } from './created-endpoints.tsx'
import classes from './data.module.css'
import { DefaultedValuesText } from './defaulted-values.tsx'
import { ExploreWritten } from './explore-written.tsx'
import { RejectedRows } from './rejected-rows.tsx'
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

/** All of the file was sent, yet not all of it was taken. */
const statusOf = ({ state, rejectedCount }: LoadProgress): Status =>
  state === 'done' && rejectedCount > 0 ? 'warning' : states[state].status

export function LoadReport({ graph, file, load, progress }: LoadReportProps) {
  const { state, rejectedCount } = progress
  const active = state === 'running' || state === 'paused'
  const buttons = useKeptFocus<HTMLDivElement>(state)
  const share = sentShare(progress, file.size)
  return (
    <section className={classes['report']} aria-label="Load">
      <p className={classes['counts']} role="status">
        <StatusBadge status={statusOf(progress)}>{states[state].text}</StatusBadge>
        <span>
          {counted(progress.acceptedVertices, 'vertex', 'vertices')} and{' '}
          {counted(progress.acceptedEdges, 'edge', 'edges')} accepted
        </span>
        {progress.skipped > 0 && <span>{formatCount(progress.skipped)} skipped</span>}
        <CreatedEndpoints count={progress.createdEndpoints} />
        <DefaultedValuesText counts={progress.defaulted} />
        {rejectedCount > 0 && <span>{counted(rejectedCount, 'row', 'rows')} rejected</span>}
      </p>
      <Progress
        value={state === 'done' ? 100 : share * 100}
        color={`var(--q-${state === 'failed' ? 'danger' : 'accent'})`}
        aria-label={`Loaded ${formatPercent(share)} of the file`}
      />
      <SpeedLine load={load} progress={progress} totalBytes={file.size} />
      {state === 'failed' && <ErrorNotice error={progress.failure} title="The load stopped" />}
      <div ref={buttons} className={classes['buttons']}>
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
        {!active && (
          <Button variant={rejectedCount > 0 ? 'default' : 'filled'} onClick={load.reset}>
            Load again
          </Button>
        )}
        {!active && <ExploreWritten graph={graph} names={load.written} />}
      </div>
      {!active && isLarge(progress) && <RebuildOffer graph={graph} />}
      {rejectedCount > 0 && load.source !== null && (
        <RejectedRows
          fileName={file.name}
          progress={progress}
          source={load.source}
          canRetry={!active}
          onRetry={load.retry}
        />
      )}
    </section>
  )
}

/** Vertices and edges from which on folding them in is worth a thought. */
const LARGE_COUNT = 10_000

const isLarge = ({ acceptedVertices, acceptedEdges }: LoadProgress): boolean =>
  acceptedVertices + acceptedEdges >= LARGE_COUNT

/** What was just loaded lies beside the base until the next rebuild. */
function RebuildOffer({ graph }: { readonly graph: string }) {
  const rebuild = useRebuild()
  const { isAsked, rebuild: running } = useRebuildProgress()
  const refusal = useRefusal(rebuildNow, graph)
  const run = () => rebuild.mutate({ graph })
  if (rebuild.isSuccess) {
    return (
      <p className={classes['hint']} role="status">
        Committed to disk in {formatDuration(rebuild.data.durationMs)}.
      </p>
    )
  }
  return (
    <>
      <p className={classes['hint']}>
        After a large load, committing to disk makes reads faster, memory smaller and the next start
        shorter; reads and writes go on meanwhile.
      </p>
      <div className={classes['buttons']}>
        <Refusable refusal={refusal}>
          <Button variant="default" onClick={run} loading={isAsked}>
            Commit to disk
          </Button>
        </Refusable>
      </div>
      {running !== null && <RebuildProgress {...running} />}
      {rebuild.isError && (
        <ErrorNotice title="The rebuild did not finish" error={rebuild.error} onRetry={run} />
      )}
    </>
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
      {counted(progress.rowsSent, 'row', 'rows')} sent
      {load.elapsedMs > 500 && ` · ${formatCount(rowsPerSecond)} rows/s`}
      {progress.state === 'running' &&
        remainingMs !== null &&
        ` · about ${formatDuration(Math.ceil(remainingMs / 1_000) * 1_000)} left`}
    </p>
  )
}
