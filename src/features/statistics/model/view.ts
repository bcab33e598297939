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
}

export function readView(search: URLSearchParams): StatisticsView {
  const seconds = Number(search.get('window'))
  const end = Number(search.get('end'))
  return {
    seconds: windows.some((window) => window.seconds === seconds) ? seconds : 300,
    end: Number.isSafeInteger(end) && end > 0 ? end : null,
    scale: search.get('scale') === 'log' ? 'log' : 'linear',
  }
}

export function writeView(view: StatisticsView): URLSearchParams {
  const search = new URLSearchParams({ window: String(view.seconds) })
  if (view.end !== null) search.set('end', String(view.end))
  if (view.scale === 'log') search.set('scale', 'log')
  return search
}

/** Half a window back or forth; reaching the present follows it again. */
export function scrub(view: StatisticsView, direction: -1 | 1, now: number): StatisticsView {
  const end = (view.end ?? now) + direction * Math.ceil(view.seconds / 2)
  return { ...view, end: end >= now ? null : end }
}
