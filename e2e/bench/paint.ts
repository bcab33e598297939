/** How soon the console is there and answers: first paint, blocking, shifts, interactions, changes of page. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Row } from './canvas.ts'

const VIEWPORT = { width: 1280, height: 800 }
const RUNS = 3
/** After the last long task so much quiet ends a load. */
const QUIET_MS = 2_000
const HOVER_MS = 300

interface Vitals {
  readonly fcpMs: number
  readonly lcpMs: number
  readonly tbtMs: number
  readonly cls: number
}

/** What the browser tells of itself, from its first moment on. */
const observe = `{
  const seen = { fcp: 0, lcp: 0, tasks: [], shifts: 0, interactions: new Map() }
  window.benchVitals = seen
  const on = (type, take, more = {}) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry)
  }).observe({ type, buffered: true, ...more })
  on('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') seen.fcp = startTime })
  on('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  on('longtask', ({ startTime, duration }) => { seen.tasks.push([startTime, duration]) })
  on('layout-shift', ({ hadRecentInput, value }) => { if (!hadRecentInput) seen.shifts += value })
  on('event', ({ interactionId, duration }) => {
    if (interactionId) seen.interactions.set(interactionId, Math.max(duration, seen.interactions.get(interactionId) ?? 0))
  }, { durationThreshold: 16 })
}`

const readVitals = `({
  fcpMs: benchVitals.fcp,
  lcpMs: benchVitals.lcp,
  cls: benchVitals.shifts,
  tbtMs: benchVitals.tasks.filter(([at]) => at >= benchVitals.fcp).reduce((sum, [, took]) => sum + Math.max(0, took - 50), 0),
})`

const quietFor = `performance.now() - Math.max(benchVitals.lcp, ...benchVitals.tasks.map(([at, took]) => at + took))`

/** First paint of Home with an empty cache, the median of several runs. */
export async function paintRows(context: BrowserContext, url: string): Promise<readonly Row[]> {
  const browser = context.browser()
  if (browser === null) throw new Error('no browser to make contexts in')
  const rows: Row[] = []
  for (const [slower, goals] of [
    [1, { fcp: '≤ 800 ms', lcp: '≤ 1,200 ms', tbt: '≤ 150 ms', cls: '≤ 0.02' }],
    [4, { fcp: '≤ 1,800 ms', lcp: '≤ 2,500 ms', tbt: 'none set', cls: '≤ 0.02' }],
  ] as const) {
    const runs: Vitals[] = []
    for (let run = 0; run < RUNS; run++) runs.push(await coldLoad(browser, url, slower))
    const at = slower === 1 ? 'Home, cold' : `Home, cold, processor ${slower} times slower`
    const row = (what: string, goal: string, of: (one: Vitals) => number, digits = 0): Row => {
      const unit = digits === 0 ? ' ms' : ''
      return {
        what: `${at}: ${what}`,
        goal,
        measured: `${median(runs.map(of)).toFixed(digits)}${unit}`,
      }
    }
    rows.push(
      row('first contentful paint', goals.fcp, ({ fcpMs }) => fcpMs),
      row('largest contentful paint', goals.lcp, ({ lcpMs }) => lcpMs),
      row('total blocking time', goals.tbt, ({ tbtMs }) => tbtMs),
      row('layout shift', goals.cls, ({ cls }) => cls, 3),
    )
  }
  return rows
}

async function coldLoad(browser: Browser, url: string, slower: number): Promise<Vitals> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  if (slower > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  }
  await page.addInitScript(observe)
  await page.goto(`${url}/ui/home`)
  await page.getByRole('table', { name: /^Types of/ }).waitFor()
  // Asked from outside: the page's policy lets no text be run as a script within it.
  while ((await page.evaluate<number>(quietFor)) < QUIET_MS) await page.waitForTimeout(100)
  const vitals = await page.evaluate<Vitals>(readVitals)
  await context.close()
  return vitals
}

/** From the click to the frame after the one that shows the heading of the page, and no "Loading". */
const changeWatch = (heading: string) => `{
  window.benchChange = new Promise((done) => {
    document.addEventListener('click', ({ timeStamp }) => {
      const look = () => {
        const isThere = document.querySelector('h1')?.textContent === ${JSON.stringify(heading)}
        if (!isThere || document.querySelector('[role="status"][aria-label^="Loading"]') !== null) return requestAnimationFrame(look)
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - timeStamp)))
      }
      look()
    }, { capture: true, once: true })
  })
  undefined
}`

const pages = ['Schema', 'Data', 'Explorer', 'Queries', 'Indexes', 'Statistics', 'System', 'Home']

/** Every page once by the rail, hovered first as a hand does, and what is typed on the way. */
export async function interactionRows(
  context: BrowserContext,
  url: string,
): Promise<readonly Row[]> {
  const page = await context.newPage()
  await page.addInitScript(observe)
  await page.goto(`${url}/ui/sample/statistics`)
  await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  const changes: number[] = []
  for (const name of pages) {
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
    await link.hover()
    await page.waitForTimeout(HOVER_MS)
    await page.evaluate(changeWatch(name))
    await link.click()
    changes.push(await page.evaluate<number>('window.benchChange'))
    await pressOverlays(page)
  }
  const { count, slow } = await page.evaluate<{ count: number; slow: number[] }>(
    '({ count: performance.interactionCount, slow: [...benchVitals.interactions.values()] })',
  )
  await page.close()
  // The browser tells of none below 16 ms; those are so many of the fastest.
  const all = [...Array.from({ length: Math.max(0, count - slow.length) }, () => 16), ...slow]
  return [
    {
      what: `change of page, ${pages.length} pages: median, slowest`,
      goal: '≤ 150 ms',
      measured: `${median(changes).toFixed(0)} ms, ${Math.max(...changes).toFixed(0)} ms`,
    },
    {
      what: `interaction to next paint, 75 of 100 of ${all.length}`,
      goal: '≤ 200 ms',
      measured: `${(all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.75)] ?? 0).toFixed(0)} ms`,
    },
  ]
}

/** Keys and clicks that every page answers. */
async function pressOverlays(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.waitFor()
  await page.keyboard.type('sta')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await palette.waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
