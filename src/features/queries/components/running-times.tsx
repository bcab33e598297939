/** How long a query has run or waited, and how long it may go on. */
import { formatDuration } from '#lib/format.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import type { Running } from '../api/queries.ts'
import { timeLimitMs } from '../model/watched-runs.ts'
import classes from '../queries-page.module.css'

export function Elapsed({ run: { elapsedTime, waiting } }: { readonly run: Running }) {
  return (
    <span className={classes.elapsed}>
      {waiting === true && (
        <StatusBadge look="plain" status="neutral">
          Waiting
        </StatusBadge>
      )}
      {formatDuration(elapsedTime)}
    </span>
  )
}

export function Deadline({ running }: { readonly running: Running }) {
  const total = timeLimitMs(running)
  if (total === 0) return <span>no limit</span>
  const used = Math.min(1, running.elapsedTime / total)
  const left = formatDuration(Math.max(0, total - running.elapsedTime))
  return (
    <span className={classes.deadline}>
      <meter min={0} max={1} value={used} aria-label={`${left} left`} />
      {left}
    </span>
  )
}
