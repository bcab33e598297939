/** What a user feels: frames while the mouse moves, and tasks that hold the page up. */
import type { Locator, Page } from '@playwright/test'

export interface Frames {
  readonly perSecond: number
  /** Milliseconds that 95 of 100 frames stay below. */
  readonly p95Ms: number
  /** Milliseconds that the page works on a frame; what other programs take is not in it. */
  readonly workMs: number
}

const start = `{
  const record = { times: [performance.now()], on: true }
  window.benchFrames = record
  const tick = () => { record.times.push(performance.now()); if (record.on) requestAnimationFrame(tick) }
  requestAnimationFrame(tick)
}`
const stop = `(() => { window.benchFrames.on = false; return window.benchFrames.times })()`
const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))`
const watch = `{
  window.benchTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.benchTasks.push(duration)
  }).observe({ type: 'longtask' })
}`

/** Frames that the page makes while the gesture goes on. */
export async function framesDuring(page: Page, gesture: () => Promise<void>): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
  await page.evaluate(start)
  const before = await workedMs()
  await gesture()
  const worked = (await workedMs()) - before
  const times = await page.evaluate<number[]>(stop)
  await session.detach()
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time))
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const sorted = gaps.toSorted((a, b) => a - b)
  return {
    perSecond: whole === 0 ? 0 : (gaps.length * 1_000) / whole,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    workMs: gaps.length === 0 ? 0 : worked / gaps.length,
  }
}

/**
 * From a click to the frame after the one in which the page's first status has a text, by the clock
 * of the page: how long Playwright takes to find things among thousands is no part of it.
 */
const clickWatch = (text: string) => `{
  window.benchClick = new Promise((done) => {
    document.addEventListener('click', ({ timeStamp }) => {
      const look = () => {
        const status = document.querySelector('main [role="status"]')?.textContent ?? ''
        if (!status.includes(${JSON.stringify(text)})) return requestAnimationFrame(look)
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - timeStamp)))
      }
      look()
    }, { capture: true, once: true })
  })
  undefined
}`

/** Milliseconds from the click to its outcome on screen. */
export async function clickToPaint(page: Page, button: Locator, text: string): Promise<number> {
  await page.evaluate(clickWatch(text))
  await button.click()
  return await page.evaluate<number>('window.benchClick')
}

/** The page's clock after what is on its way has been painted. */
export const paintedAt = (page: Page): Promise<number> => page.evaluate<number>(twoFrames)

export const watchTasks = (page: Page): Promise<void> => page.evaluate(watch)

/** The longest task since `watchTasks`, in milliseconds; below 50 none is told. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(0, ...window.benchTasks)`)

/** The same since the page was opened: the browser keeps the first two hundred. */
export const longestTaskSinceOpened = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    new PerformanceObserver((list) => {
      done(Math.max(0, ...list.getEntries().map(({ duration }) => duration)))
    }).observe({ type: 'longtask', buffered: true })
    setTimeout(() => done(0), 500)
  })`)
