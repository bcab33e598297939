/**
 * `npm run bench:console`: what a user of the console feels, measured in Chromium with real mouse
 * gestures on a server of its own. Figures are reported beside their goals and never asserted: they
 * are the machine's as much as ours, so its load is told with them. Needs `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { chromiumPath } from '../../scripts/chromium.mjs'
import { end, launch, loadSample } from '../server.ts'
import {
  addRow,
  expandRow,
  gestureRows,
  hoverRow,
  layoutRows,
  openRows,
  type Row,
  reloadRow,
  sceneSizes,
  sizes,
} from './canvas.ts'
import { chartRows } from './live-charts.ts'
import { interactionRows, paintRows } from './paint.ts'
import { makeBenchGraph } from './scenes.ts'

const VERTICES_MAX = 5_000

type Measure = (context: BrowserContext, url: string) => Promise<readonly Row[]>

const all: Readonly<Record<string, Measure>> = {
  paint: paintRows,
  interactions: interactionRows,
  ...Object.fromEntries(
    sizes.map((size): [string, Measure] => [
      `gestures-${size.vertices}`,
      (context, url) => gestureRows(context, url, size),
    ]),
  ),
  add: async (context, url) => [await addRow(context, url)],
  expand: async (context, url) => [await expandRow(context, url)],
  open: openRows,
  hover: async (context, url) => [await hoverRow(context, url)],
  reload: async (context, url) => [await reloadRow(context, url)],
  layout: layoutRows,
  charts: chartRows,
}

/** `npm run bench:console gestures add` measures only what begins with one of these words. */
const wanted = process.argv.slice(2)
const measures = Object.entries(all)
  .filter(([name]) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
  .map(([, measure]) => measure)
if (measures.length === 0) throw new Error(`measures are: ${Object.keys(all).join(', ')}`)

function print({ what, goal, measured }: Row): void {
  process.stdout.write(`| ${what} | ${goal} | ${measured} |\n`)
}

const directory = await mkdtemp(join(tmpdir(), 'quiver-bench-'))
const { child, url } = await launch(directory, 0)
// Without a graphics card its emulation would be measured instead of us.
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? '',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-accelerated-2d-canvas',
    '--disable-dev-shm-usage',
  ],
})
try {
  await makeBenchGraph(url, VERTICES_MAX, sceneSizes)
  await loadSample(url)
  const model = cpus()[0]?.model ?? 'unknown processor'
  const [load = 0] = loadavg()
  process.stdout.write(
    `${availableParallelism()} × ${model}, Chromium ${browser.version()}, load ${load.toFixed(1)} before the start\n\n` +
      '| what | goal | measured |\n|---|---|---|\n',
  )
  for (const measure of measures) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    try {
      for (const row of await measure(context, url)) print(row)
    } catch (error) {
      process.stdout.write(`| not measured | | ${String(error).split('\n')[0]} |\n`)
      process.exitCode = 1
    }
    await context.close()
  }
  process.stdout.write(`\nload ${(loadavg()[0] ?? 0).toFixed(1)} at the end\n`)
} finally {
  await browser.close()
  await end(child, 'SIGTERM')
  await rm(directory, { recursive: true, force: true })
}
