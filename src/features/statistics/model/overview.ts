/** The strip above the charts: a longer time that goes on, and in it the part that is looked at. */
import type { StatisticsView } from './view.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

/** The first is short enough for the seconds that the server keeps; the others move by minutes. */
const spans = [
  { seconds: 30 * MINUTE_SECONDS, label: 'Last 30 minutes' },
  { seconds: 6 * HOUR_SECONDS, label: 'Last 6 hours' },
  { seconds: 24 * HOUR_SECONDS, label: 'Last 24 hours' },
  { seconds: 7 * 24 * HOUR_SECONDS, label: 'Last 7 days' },
] as const

export type Span = (typeof spans)[number]

/** The shortest time up to now that has the window in it, with room to move. */
export function spanOf(view: StatisticsView, now: number): Span {
  const needed = Math.max(now - ((view.end ?? now) - view.seconds), view.seconds * 2)
  return spans.find(({ seconds }) => seconds >= needed) ?? spans[3]
}

interface Range {
  /** Epoch seconds. */
  readonly from: number
  readonly to: number
}

/** Where the window stands in the strip, as shares of its width. */
export function windowPlace(view: StatisticsView, { from, to }: Range) {
  const length = Math.max(1, to - from)
  const end = view.end ?? to
  const clamped = (share: number) => Math.min(1, Math.max(0, share))
  const left = clamped((end - view.seconds - from) / length)
  return { left, width: Math.max(0, clamped((end - from) / length) - left) }
}

/** The window with its middle at a share of the strip; at its end it follows the present. */
export function windowAt(view: StatisticsView, { from, to }: Range, share: number): StatisticsView {
  const end = Math.round(from + share * (to - from) + view.seconds / 2)
  return { ...view, end: end >= to ? null : Math.max(from + view.seconds, end) }
}
