/** What the page looks at, as its address says it; and the address for another look. */
export const windows = [
  { seconds: 60, label: '1 m' },
  { seconds: 300, label: '5 m' },
  { seconds: 900, label: '15 m' },
  { seconds: 3_600, label: '1 h' },
] as const

/** Epoch seconds; the end is not part of it. */
export interface TimePart {
  readonly from: number
  readonly to: number
}

export interface StatisticsView {
  /** Length of the window in seconds. */
  readonly seconds: number
  /** Epoch seconds of its end; null follows the present. */
  readonly end: number | null
  readonly scale: 'linear' | 'log'
  /** Whose latencies are shown; null: of all together. */
  readonly endpoint: string | null
  /** Of which it is told what ran; null: of none. It stays while the window moves on. */
  readonly marked: TimePart | null
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
    marked: readPart(search.get('marked')),
  }
}

function readPart(text: string | null): TimePart | null {
  const [, from, to] = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? '') ?? []
  const part = { from: Number(from), to: Number(to) }
  const length = part.to - part.from
  return length >= 1 && length <= WINDOW_SECONDS_MAX ? part : null
}

export function writeView(view: StatisticsView): URLSearchParams {
  const search = new URLSearchParams({ window: String(view.seconds) })
  if (view.end !== null) search.set('end', String(view.end))
  if (view.scale === 'log') search.set('scale', 'log')
  if (view.endpoint !== null) search.set('endpoint', view.endpoint)
  if (view.marked !== null) search.set('marked', `${view.marked.from}-${view.marked.to}`)
  return search
}

/** Half a window back or forth; reaching the present follows it again. */
export function scrub(view: StatisticsView, direction: -1 | 1, now: number): StatisticsView {
  const end = (view.end ?? now) + direction * Math.ceil(view.seconds / 2)
  return { ...view, end: end >= now ? null : end }
}

/** Looks at a part of the time alone; too short a part is widened round its middle. */
export function zoom(view: StatisticsView, { from, to }: TimePart): StatisticsView {
  const seconds = Math.max(WINDOW_SECONDS_MIN, Math.round(to - from))
  return { ...view, seconds, end: Math.round((from + to + seconds) / 2) }
}
