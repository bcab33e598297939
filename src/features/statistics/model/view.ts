/** What the page looks at, as its address says it; and the address for another look. */
export const windows = [
  { seconds: 60, label: '1 m' },
  { seconds: 300, label: '5 m' },
  { seconds: 900, label: '15 m' },
  { seconds: 3_600, label: '1 h' },
] as const

export interface StatisticsView {
  /** Length of the window in seconds. */
  readonly seconds: number
  /** Epoch seconds of its end; null follows the present. */
  readonly end: number | null
  readonly scale: 'linear' | 'log'
  /** Whose latencies are shown; null: of all together. */
  readonly endpoint: string | null
}

const WINDOW_SECONDS_DEFAULT = 300
/** Below it a chart has no points, above it the server keeps nothing. */
export const WINDOW_SECONDS_MIN = 5
const WINDOW_SECONDS_MAX = 7 * 86_400

const isWindow = (seconds: number): boolean =>
  Number.isSafeInteger(seconds) && seconds >= WINDOW_SECONDS_MIN && seconds <= WINDOW_SECONDS_MAX

export function readView(search: URLSearchParams): StatisticsView {
  const seconds = Number(search.get('window'))
  const end = Number(search.get('end'))
  return {
    seconds: isWindow(seconds) ? seconds : WINDOW_SECONDS_DEFAULT,
    end: Number.isSafeInteger(end) && end > 0 ? end : null,
    scale: search.get('scale') === 'log' ? 'log' : 'linear',
    endpoint: search.get('endpoint'),
  }
}

export function writeView(view: StatisticsView): URLSearchParams {
  const search = new URLSearchParams({ window: String(view.seconds) })
  if (view.end !== null) search.set('end', String(view.end))
  if (view.scale === 'log') search.set('scale', 'log')
  if (view.endpoint !== null) search.set('endpoint', view.endpoint)
  return search
}

/** Half a window back or forth; reaching the present follows it again. */
export function scrub(view: StatisticsView, direction: -1 | 1, now: number): StatisticsView {
  const end = (view.end ?? now) + direction * Math.ceil(view.seconds / 2)
  return { ...view, end: end >= now ? null : end }
}

/** Looks at a part of the present window; too short a part is widened round its middle. */
export function zoom(view: StatisticsView, from: number, to: number): StatisticsView {
  const [first, last] = from <= to ? [from, to] : [to, from]
  const seconds = Math.max(WINDOW_SECONDS_MIN, Math.round(last - first))
  return { ...view, seconds, end: Math.round((first + last + seconds) / 2) }
}
