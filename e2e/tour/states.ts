/**
 * `node e2e/tour/states.ts <folder>`: pictures of what only some servers show, for who looks at the console as a
 * whole: several servers over one store, and the page of data in each state of its banner. Each is taken in light
 * and dark, wide and narrow, from the running product. Needs `npm run build` and PostgreSQL.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../../scripts/chromium.mjs'
import { startPostgres } from '../../server/test/fixtures/postgres.ts'
import { unusedPort } from '../../server/test/fixtures/postgres-programs.ts'
import { end, launch, loadSample } from '../server.ts'

const folder = process.argv[2] ?? join(tmpdir(), 'quiver-states')
const looks = ['light', 'dark'] as const
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const
const names = ['one', 'two', 'three'] as const

interface State {
  readonly name: string
  /** @param urls of the three servers; the first one writes */
  readonly go: (page: Page, urls: readonly string[]) => Promise<void>
}

const chip = (page: Page) => page.getByRole('button', { name: /writes are/ })

/** By the settings: a phone shows the chip only once it has something to say. */
async function refuseWrites(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/ui/settings`)
  await page.getByText('Read-only', { exact: true }).click()
}

const states: readonly State[] = [
  {
    name: 'instances-writer',
    go: async (page, urls) => {
      await page.goto(`${urls[0]}/ui/system?tab=instances`)
      await page.getByRole('row', { name: /three/ }).waitFor()
    },
  },
  {
    name: 'instances-follower',
    go: async (page, urls) => {
      await page.goto(`${urls[1]}/ui/system?tab=instances`)
      await page.getByRole('row', { name: /three/ }).waitFor()
    },
  },
  {
    name: 'instances-handing-over',
    go: async (page, urls) => {
      await page.goto(`${urls[1]}/ui/system?tab=instances`)
      await page.getByRole('button', { name: 'Hand over' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'chip-menu',
    go: async (page, urls) => {
      await page.goto(`${urls[1]}/ui/home`)
      await chip(page).click()
      await page.getByRole('menuitem', { name: 'Instances' }).waitFor()
    },
  },
  {
    name: 'data-follower',
    go: async (page, urls) => {
      await page.goto(`${urls[1]}/ui/sample/data`)
      await page.getByRole('tab', { name: 'JSON' }).waitFor()
    },
  },
  {
    name: 'data-read-only',
    go: async (page, urls) => {
      await refuseWrites(page, urls[1] ?? '')
      await page.goto(`${urls[1]}/ui/sample/data`)
      await page.getByText('Nothing can be written here.').waitFor()
    },
  },
  {
    name: 'data-read-only-form',
    go: async (page, urls) => {
      await refuseWrites(page, urls[1] ?? '')
      await page.goto(`${urls[1]}/ui/sample/data?tab=form`)
      await page.getByText('Nothing can be written here.').waitFor()
    },
  },
  {
    name: 'data-loading',
    go: async (page, urls) => {
      await page.goto(`${urls[0]}/ui/sample/data`)
      const lines = Array.from({ length: 4_000 }, (_, i) =>
        JSON.stringify({ vertices: { Merchant: { [`state-${i}`]: {} } } }),
      )
      const buffer = Buffer.from(lines.join('\n'))
      const file = { name: 'merchants.ndjson', mimeType: 'application/x-ndjson', buffer }
      await page.locator('input[type=file]').first().setInputFiles(file)
      // The second batch is not answered while the picture is taken.
      let count = 0
      await page.route('**/restpp/graph/sample*', (route) => {
        count++
        if (count === 1) return route.continue()
        return undefined
      })
      await page.getByRole('button', { name: /^Load/ }).last().click()
      await page.getByRole('button', { name: 'Pause' }).waitFor()
    },
  },
  {
    name: 'instances-silent',
    go: async (page, urls) => {
      await page.goto(`${urls[0]}/ui/system?tab=instances`)
      await page.getByText('silent').first().waitFor()
    },
  },
]

async function take(browser: Browser, state: State, urls: readonly string[]): Promise<void> {
  for (const colorScheme of looks) {
    for (const viewport of sizes) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
      await state.go(page, urls)
      await page.evaluate('document.fonts.ready')
      await page.screenshot({
        path: join(folder, `${state.name}-${colorScheme}-${viewport.width}.png`),
      })
      await page.close()
    }
  }
  process.stdout.write(`${state.name}\n`)
}

await mkdir(folder, { recursive: true })
const directory = await mkdtemp(join(tmpdir(), 'quiver-states-'))
const database = await startPostgres({ settings: { fsync: 'off' } })
const servers: Awaited<ReturnType<typeof launch>>[] = []
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? '',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
try {
  for (const name of names) {
    const shared = ['--store', database.url({ schema: 'quiver' }), '--name', name]
    const port = await unusedPort()
    const advertised = ['--advertise', `http://127.0.0.1:${port}`, '--query-workers', '1']
    servers.push(await launch(join(directory, name), port, [...shared, ...advertised]))
  }
  const urls = servers.map(({ url }) => url)
  await loadSample(urls[0]!)
  const wanted = process.argv.slice(3)
  const taken = states.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  for (const state of taken.filter(({ name }) => name !== 'instances-silent')) {
    await take(browser, state, urls)
  }
  const silent = taken.find(({ name }) => name === 'instances-silent')
  if (silent !== undefined) {
    servers[2]!.child.kill('SIGSTOP')
    await take(browser, silent, urls)
    servers[2]!.child.kill('SIGCONT')
  }
} finally {
  await browser.close()
  for (const { child } of servers) await end(child, 'SIGTERM')
  await database.remove()
  await rm(directory, { recursive: true, force: true })
}
