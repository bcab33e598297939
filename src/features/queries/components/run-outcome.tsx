/** The run of the query in the editor: how far it is, how it ended, what it printed. */

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleStop } from 'lucide-react'
import { useEffect, useState } from 'react'
import { formatCount, formatDuration } from '#lib/format.ts'
import { EmptyState, ErrorNotice } from '#ui/states.tsx'
import { runningQuery } from '../api/queries.ts'
import classes from '../queries-page.module.css'
import type { QueryRun } from '../use-query-run.ts'
import { ResultsView } from './results-view.tsx'

interface RunOutcomeProps {
  readonly graph: string
  readonly name: string
  readonly run: QueryRun
  readonly onStop: () => void
}

export function RunOutcome({ graph, name, run, onStop }: RunOutcomeProps) {
  switch (run.status) {
    case 'idle':
      return null
    case 'pending':
      return <Progress {...{ graph, name, onStop }} startedAt={run.startedAt} />
    case 'stopped':
      return <EmptyState text="You stopped the run before it printed anything." />
    case 'error':
      return <ErrorNotice title="The query ended early" error={run.error} />
    case 'success':
      return run.answer === undefined ? null : (
        <ResultsView answer={run.answer} graph={graph} name={name} />
      )
    default:
      return run.status satisfies never
  }
}

const CLOCK_MS = 100
/** Most runs are over before this; figures would only flash. */
const SHOWN_AFTER_MS = 150

interface ProgressProps {
  readonly graph: string
  readonly name: string
  readonly startedAt: number
  readonly onStop: () => void
}

/** What the server tells of the run while it goes on. */
function Progress({ graph, name, startedAt, onStop }: ProgressProps) {
  const running = useQuery(runningQuery)
  const elapsedMs = useElapsed(startedAt)
  const address = `/query/${graph}/${name}`
  const mine = running.data
    ?.filter(({ url }) => url === address || url.startsWith(`${address}?`))
    .sort((one, other) => one.elapsedTime - other.elapsedTime)[0]
  if (elapsedMs < SHOWN_AFTER_MS) return null
  const figures: readonly (readonly [string, string])[] = [
    ['Elapsed', formatDuration(Math.floor(elapsedMs / CLOCK_MS) * CLOCK_MS)],
    ['Edges read', mine?.edges === undefined ? '–' : formatCount(mine.edges)],
    ['Rows', mine?.rows === undefined ? '–' : formatCount(mine.rows)],
    ['Line', mine?.line === undefined ? '–' : String(mine.line)],
  ]
  return (
    <section className={classes.progress} aria-label="The run so far">
      <span role="status" className="visually-hidden">
        The query is running.
      </span>
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

function useElapsed(startedAt: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, now - startedAt)
}
