/** A longer time that goes on while the charts below look at a part of it; dragging moves the part. */
import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent, PointerEvent } from 'react'
import { historyQuery } from '#api/statistics.ts'
import { formatClock, formatDuration, formatRate } from '#lib/format.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { sparkPaths } from '#ui/chart/spark.tsx'
import { spanOf, windowAt, windowPlace } from '../model/overview.ts'
import { type StatisticsView, scrub } from '../model/view.ts'
import classes from './overview.module.css'

/** Its steps are six seconds long and more: asked for no more often than this, nor than is set. */
const REFETCH_SECONDS_MIN = 5

interface OverviewProps {
  readonly graph: string
  readonly view: StatisticsView
  readonly onLook: (view: StatisticsView) => void
}

export function Overview({ graph, view, onLook }: OverviewProps) {
  const { includeConsoleTraffic, timeZone, pollSeconds } = usePreferences()
  const { seconds, label } = spanOf(view, Math.floor(Date.now() / 1_000))
  const range = { graph, seconds, end: null, includeConsole: includeConsoleTraffic }
  const { data: history } = useQuery(
    historyQuery(range, Math.max(REFETCH_SECONDS_MIN, pollSeconds)),
  )
  if (history === undefined) return <div className={classes.overview} aria-hidden="true" />
  const { series } = history.total
  const place = windowPlace(view, history)
  const end = view.end ?? history.to
  const clock = (at: number) => formatClock(at * 1_000, timeZone)
  const move = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    onLook(windowAt(view, history, (event.clientX - box.left) / Math.max(1, box.width)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (direction === undefined) return
    event.preventDefault()
    onLook(scrub(view, direction, history.to))
  }
  return (
    <div className={classes.overview}>
      <span className={classes.label}>{label}</span>
      <div
        className={classes.strip}
        role="slider"
        tabIndex={0}
        aria-label="Part of the time that is shown"
        aria-valuemin={history.from}
        aria-valuemax={history.to}
        aria-valuenow={Math.min(history.to, Math.max(history.from, end))}
        aria-valuetext={`${clock(end - view.seconds)} to ${view.end === null ? 'now' : clock(end)}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          move(event)
        }}
        onPointerMove={move}
      >
        <svg viewBox="0 0 160 36" preserveAspectRatio="none" aria-hidden="true">
          {sparkPaths(series.completed).map((path) => (
            <path key={path} d={path} />
          ))}
        </svg>
        <i style={{ left: `${place.left * 100}%`, width: `${place.width * 100}%` }} />
      </div>
      <span className={classes.now}>
        now {formatRate((series.completed.at(-2) ?? 0) / history.stepSeconds)}
        {series.p95Ms.at(-2) != null && ` · p95 ${formatDuration(series.p95Ms.at(-2) ?? 0)}`}
      </span>
    </div>
  )
}

const directions: Readonly<Record<string, -1 | 1>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
}
