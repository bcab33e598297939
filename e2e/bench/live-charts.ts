/**
 * The statistics page at one tick a second: what it costs while it is looked at, with four endpoints
 * and 300 steps in each of its charts, and the pointer on one of them.
 */
import type { BrowserContext } from '@playwright/test'
import { feedBusyHistory } from './busy-history.ts'
import type { Row } from './canvas.ts'

const WATCHED_MS = 120_000
/** As long as it takes to fill the hundred entries of the request inspector. */
const WARM_UP_MS = 75_000
/** After the pointer has come the heap grows by 800 KB in two minutes, and then no more. */
const POINTED_MS = 150_000
const REQUESTS_PER_SECOND_MAX = 2

/** The line under the pointer is the only one of its colour; looked for in each frame. */
const watchMoment = `{
  const seen = { looks: 0, lost: 0 }
  window.benchMoment = seen
  const look = () => {
    seen.looks++
    if (document.querySelector('line[stroke="var(--q-field)"]') === null) seen.lost++
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}`

export async function chartRows(context: BrowserContext, url: string): Promise<readonly Row[]> {
  const page = await context.newPage()
  await feedBusyHistory(page)
  await page.goto(`${url}/ui/sample/statistics`)
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  const chart = page.getByRole('figure', { name: /^Latency percentiles/ })
  await page.waitForTimeout(WARM_UP_MS)
  // Not before the chart is drawn: one that appears under a pointer that rests knows nothing of it.
  await chart.hover({ position: { x: 300, y: 160 } })
  await page.waitForTimeout(POINTED_MS)
  // The moment goes to the left with its second: from here it stays in sight longer than is watched.
  await chart.hover({ position: { x: 500, y: 160 } })
  await page.evaluate(watchMoment)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const read = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    return new Map(metrics.map(({ name, value }) => [name, value]))
  }
  let requests = 0
  page.on('request', () => requests++)
  const before = await read()
  requests = 0
  await page.waitForTimeout(WATCHED_MS)
  const seen = requests
  const after = await read()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  const seconds = grown('Timestamp')
  const charts = await page.getByRole('figure').count()
  const moment = await page.evaluate<{ looks: number; lost: number }>('window.benchMoment')
  // An answer may be on its way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.close()
  const script = (grown('ScriptDuration') * 1_000) / seconds
  const busy = (grown('TaskDuration') * 100) / seconds
  const heap = grown('JSHeapUsedSize') / 1_000
  return [
    {
      what: `live charts: script per tick, the whole page with its ${charts} charts`,
      goal: '≤ 40 ms a chart',
      measured: `${script.toFixed(0)} ms, ${(script / charts).toFixed(0)} ms a chart`,
    },
    { what: 'live charts: main thread busy', goal: '≤ 20 %', measured: `${busy.toFixed(0)} %` },
    {
      what: `live charts: heap growth in ${seconds.toFixed(0)} s`,
      goal: '≤ 10 MB an hour',
      measured: `${heap.toFixed(0)} KB, ${((heap * 3.6) / seconds).toFixed(1)} MB an hour`,
    },
    {
      what: 'live charts: frames without the moment under the pointer',
      goal: 'none',
      measured: `${moment.lost} of ${moment.looks}`,
    },
    {
      what: 'live charts: requests of the page',
      goal: `≤ ${REQUESTS_PER_SECOND_MAX} a second`,
      measured: `${(seen / (WATCHED_MS / 1_000)).toFixed(1)} a second`,
    },
  ]
}
