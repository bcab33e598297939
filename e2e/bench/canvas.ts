/** The explorer's canvas under real mouse gestures: figures of the design's section on the canvas. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import {
  clickToPaint,
  framesDuring,
  longestTask,
  longestTaskSinceOpened,
  paintedAt,
  watchTasks,
} from './frames.ts'
import { BENCH_GRAPH, type SceneSize, savedScene } from './scenes.ts'

const STEPS = 90
const STEP_MS = 16

export interface Row {
  readonly what: string
  readonly goal: string
  readonly measured: string
}

const counted = (count: number): string => count.toLocaleString('en')
const statusOf = (page: Page): Locator => page.locator('header, main').getByRole('status').first()

async function openScene(context: BrowserContext, url: string, scene: string): Promise<Page> {
  const page = await context.newPage()
  const item = JSON.stringify(`quiver.explorer.${BENCH_GRAPH}`)
  // Only where there is none: what a reload finds is what the page itself has kept.
  await page.addInitScript(
    `if (localStorage.getItem(${item}) === null) localStorage.setItem(${item}, ${JSON.stringify(scene)})`,
  )
  await page.goto(`${url}/ui/${BENCH_GRAPH}/explorer`)
  await statusOf(page).filter({ hasText: 'vertices' }).waitFor()
  // More vertices than one call reads: their attributes are missing, and the notice is in the way.
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  if (await dismiss.isVisible()) await dismiss.click()
  await settled(page)
  return page
}

/** No long task for half a second. */
async function settled(page: Page): Promise<void> {
  for (let calm = 0; calm < 5; ) {
    const before = await paintedAt(page)
    await page.waitForTimeout(100)
    calm = (await paintedAt(page)) - before < 250 ? calm + 1 : 0
  }
}

/** A place on the canvas beside every node: the corner of its margin. */
async function corner(page: Page): Promise<Place> {
  const box = await page.getByRole('application').boundingBox()
  if (box === null) throw new Error('no canvas on screen')
  return { x: box.x + 14, y: box.y + 14 }
}

interface Place {
  readonly x: number
  readonly y: number
}

async function pan(page: Page, { x, y }: Place): Promise<void> {
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= STEPS; step++) {
    const turn = (step / STEPS) * 2 * Math.PI
    await page.mouse.move(x + 180 * (1 - Math.cos(turn)), y + 120 * Math.sin(turn / 2))
    await page.waitForTimeout(STEP_MS)
  }
  await page.mouse.up()
}

async function wheel(page: Page, { x, y }: Place): Promise<void> {
  await page.mouse.move(x + 300, y + 250)
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.wheel(0, step % 30 < 15 ? -60 : 60)
    await page.waitForTimeout(STEP_MS)
  }
}

interface Size extends SceneSize {
  readonly goal: string
}

/** The most that the canvas holds: the goal for tasks is about it. */
const VERTICES_HARD = 5_000

export const sizes: readonly Size[] = [
  { vertices: 1_000, edges: 2_000, goal: '≥ 45 FPS, p95 ≤ 50 ms' },
  { vertices: 2_000, edges: 5_000, goal: '≥ 30 FPS, p95 ≤ 80 ms' },
  { vertices: 5_000, edges: 10_000, goal: '≥ 15 FPS, p95 ≤ 150 ms' },
]

const forReload = { vertices: 500, edges: 1_000 }
/** The most in which a node under the pointer dims what is not beside it. */
const forHover = { vertices: 130, edges: 270 }
const forLayout = { vertices: 2_000, edges: 4_000 }
const forAdding = { vertices: 1_000, edges: 2_000 }
const forOpening = { vertices: VERTICES_HARD, edges: 10_000 }

/** Of all scenes that are measured: the database has their edges. */
export const sceneSizes: readonly SceneSize[] = [
  ...sizes,
  forReload,
  forHover,
  forLayout,
  forAdding,
]

export async function gestureRows(
  context: BrowserContext,
  url: string,
  { vertices, edges, goal }: Size,
): Promise<readonly Row[]> {
  const page = await openScene(context, url, savedScene({ vertices, edges }))
  // To find a place among a thousand named elements is a long task of Playwright's own.
  const place = await corner(page)
  await watchTasks(page)
  const rows: Row[] = []
  for (const [name, gesture] of [['pan', pan] as const, ['wheel', wheel] as const]) {
    const { perSecond, p95Ms, workMs } = await framesDuring(page, () => gesture(page, place))
    const what = `${name}, ${counted(vertices)} vertices, ${counted(edges)} edges`
    const frames = `${perSecond.toFixed(0)} FPS, p95 ${p95Ms.toFixed(0)} ms`
    rows.push({ what, goal, measured: `${frames}, ${workMs.toFixed(1)} ms of work a frame` })
  }
  const longest = `${(await longestTask(page)).toFixed(0)} ms`
  const taskGoal = vertices < VERTICES_HARD ? '–' : '≤ 500 ms'
  rows.push({ what: 'longest task of both', goal: taskGoal, measured: longest })
  await page.close()
  return rows
}

export async function reloadRow(context: BrowserContext, url: string): Promise<Row> {
  const page = await openScene(context, url, savedScene(forReload))
  await page.reload()
  await statusOf(page).filter({ hasText: '500 vertices' }).waitFor()
  const took = await paintedAt(page)
  await page.close()
  return {
    what: 'reload restores 500 vertices',
    goal: '≤ 1,500 ms',
    measured: `${took.toFixed(0)} ms`,
  }
}

/** All at once on an empty canvas: what a saved scene of the most that fits does to the page. */
export async function openRows(context: BrowserContext, url: string): Promise<readonly Row[]> {
  const { vertices, edges } = forOpening
  const page = await openScene(context, url, savedScene(forOpening))
  const took = await paintedAt(page)
  const longest = await longestTaskSinceOpened(page)
  await page.close()
  const what = `open ${counted(vertices)} vertices, ${counted(edges)} edges`
  return [
    { what: `${what}: until nothing is left to do`, goal: '–', measured: `${took.toFixed(0)} ms` },
    { what: 'its longest task', goal: '≤ 500 ms', measured: `${longest.toFixed(0)} ms` },
  ]
}

/** The pointer rests on many places of the largest scene in which a node dims what is not beside it. */
export async function hoverRow(context: BrowserContext, url: string): Promise<Row> {
  const { vertices, edges } = forHover
  const page = await openScene(context, url, savedScene(forHover))
  const { x, y } = await corner(page)
  await watchTasks(page)
  for (let place = 0; place < 40; place++) {
    await page.mouse.move(x + 120 + (place % 8) * 70, y + 90 + Math.floor(place / 8) * 90)
    await page.waitForTimeout(200)
  }
  const longest = await longestTask(page)
  await page.close()
  return {
    what: `a pointer over ${counted(vertices)} vertices, ${counted(edges)} edges: longest task`,
    goal: '≤ 50 ms',
    measured: longest === 0 ? 'below 50 ms' : `${longest.toFixed(0)} ms`,
  }
}

export async function layoutRows(context: BrowserContext, url: string): Promise<readonly Row[]> {
  const page = await openScene(context, url, savedScene(forLayout))
  const arrange = await page.getByRole('button', { name: /^Arrange/ }).elementHandle()
  const undo = await page.getByRole('button', { name: 'Undo', exact: true }).elementHandle()
  await watchTasks(page)
  const began = performance.now()
  await arrange?.click()
  // It can be taken back once its picture is there.
  await undo?.waitForElementState('enabled')
  await paintedAt(page)
  const took = performance.now() - began
  await settled(page)
  const longest = await longestTask(page)
  await page.close()
  const what = 'force layout in a worker, 2,000 vertices, 4,000 edges'
  return [
    { what, goal: '≤ 4,000 ms', measured: `${took.toFixed(0)} ms` },
    { what: 'its longest task on the page', goal: '≤ 50 ms', measured: `${longest.toFixed(0)} ms` },
  ]
}

export async function addRow(context: BrowserContext, url: string): Promise<Row> {
  const page = await openScene(context, url, savedScene(forAdding))
  const ids = Array.from({ length: 100 }, (_, place) => 1_000 + place)
  const field = page.getByRole('textbox', { name: 'Find vertices' })
  await field.fill(`Node:${ids.join()}`)
  await field.press('Enter')
  const add = page.getByRole('button', { name: 'Add all 100' })
  await add.waitFor()
  const took = await clickToPaint(page, add, '1,100 vertices')
  await page.close()
  return { what: 'add 100 vertices to 1,000', goal: '≤ 250 ms', measured: `${took.toFixed(0)} ms` }
}

export async function expandRow(context: BrowserContext, url: string): Promise<Row> {
  const page = await context.newPage()
  await page.goto(`${url}/ui/${BENCH_GRAPH}/explorer?vertex=Hub:h`)
  const button = page.getByRole('button', { name: 'Show 50 more of Has to Leaf' })
  await button.waitFor()
  await settled(page)
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/neighbours')) {
      sizes.push(response.body().then(({ length }) => length))
    }
  })
  const took = await clickToPaint(page, button, '51 vertices')
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  const requests = sizes.length
  await page.close()
  return {
    what: 'expand a vertex of 100,000 neighbours: click to 50 painted',
    goal: '≤ 500 ms, ≤ 2 requests, ≤ 256 KB',
    measured: `${took.toFixed(0)} ms, ${requests} requests, ${(bytes / 1_000).toFixed(0)} KB`,
  }
}
