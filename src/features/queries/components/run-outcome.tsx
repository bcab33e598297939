/** The run of the query in the editor: how far it is, how it ended, what it printed. */

import { Button } from '@mantine/core'
import { CircleStop } from 'lucide-react'
import { useState } from 'react'
import { formatCount, formatDuration } from '#lib/format.ts'
import { EmptyState, ErrorNotice } from '#ui/feedback/states.tsx'
import { failureOf } from '../model/run-failure.ts'
import classes from '../queries-page.module.css'
import { useElapsedSince, useLiveRun } from '../use-live-run.ts'
import type { LineRange, QueryRun } from '../use-query-run.ts'
import { ResultsView, type ResultTab } from './results-view.tsx'

interface RunOutcomeProps {
  readonly graph: string
  readonly name: string
  readonly run: QueryRun
  readonly onStop: () => void
}

export function RunOutcome({ graph, name, run, onStop }: RunOutcomeProps) {
  // Who reads JSON reads that of the next run, too.
  const [tab, onTab] = useState<ResultTab>('table')
  switch (run.status) {
    case 'idle':
      return null
    case 'pending':
      return <Progress {...{ graph, name, run, onStop }} />
    case 'stopped':
      return <EmptyState text="You stopped the run before it printed anything." />
    case 'error':
      return <ErrorNotice title={failureOf(run.error)} error={run.error} />
    case 'success':
      return run.answer === undefined ? null : (
        <>
          {run.isDraft && (
            <p className={classes.draft}>
              <strong>{run.lines === null ? 'Draft' : linesText(run.lines)}:</strong> run as it
              stood in the editor; what is installed is unchanged.
            </p>
          )}
          <ResultsView answer={run.answer} name={name || 'draft'} {...{ graph, tab, onTab }} />
        </>
      )
    default:
      return run.status satisfies never
  }
}

const linesText = ({ first, last }: LineRange): string =>
  `Selection, line ${first}${first === last ? '' : ` to ${last}`}`

/** Most runs are over before this; figures would only flash. */
const SHOWN_AFTER_MS = 150

interface ProgressProps {
  readonly graph: string
  readonly name: string
  readonly run: QueryRun
  readonly onStop: () => void
}

/** What the server tells of the run while it goes on. */
function Progress({ graph, name, run, onStop }: ProgressProps) {
  const elapsedMs = useElapsedSince(run.startedAt)
  const address = run.isDraft ? '/gsql/v1/queries/interpret' : `/query/${graph}/${name}`
  const mine = useLiveRun(graph, address)
  if (elapsedMs < SHOWN_AFTER_MS) return null
  const isWaiting = mine?.waiting === true
  const begun = isWaiting ? undefined : mine
  const figures: readonly (readonly [string, string])[] = [
    ['Elapsed', formatDuration(elapsedMs)],
    ['Edges read', begun?.edges === undefined ? '–' : formatCount(begun.edges)],
    ['Rows', begun?.rows === undefined ? '–' : formatCount(begun.rows)],
    ['Line', begun?.line === undefined ? '–' : String(begun.line + (run.lines?.before ?? 0))],
  ]
  return (
    <section className={classes.progress} aria-label="The run so far">
      <span role="status" className="visually-hidden">
        {isWaiting ? 'The query is waiting for a worker.' : 'The query is running.'}
      </span>
      {isWaiting && (
        <p className={classes.waitingText}>Waiting for a worker: other queries are running.</p>
      )}
      <dl>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button
        variant="default"
        leftSection={<CircleStop size={14} aria-hidden="true" />}
        onClick={onStop}
      >
        Stop this run
      </Button>
    </section>
  )
}
