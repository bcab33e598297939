/** What a user feels: frames while the mouse moves, and tasks that hold the page up. */
import type { Page } from '@playwright/test'

export interface Frames {
  readonly perSecond: number
  /** Milliseconds that 95 of 100 frames stay below. */
  readonly p95Ms: number
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
  await page.evaluate(start)
  await gesture()
  const times = await page.evaluate<number[]>(stop)
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time))
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const sorted = gaps.toSorted((a, b) => a - b)
  return {
    perSecond: whole === 0 ? 0 : (gaps.length * 1_000) / whole,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  }
}

/** The page's clock after what is on its way has been painted. */
export const paintedAt = (page: Page): Promise<number> => page.evaluate<number>(twoFrames)

export const watchTasks = (page: Page): Promise<void> => page.evaluate(watch)

/** The longest task since `watchTasks`, in milliseconds; below 50 none is told. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(0, ...window.benchTasks)`)
