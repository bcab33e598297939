/**
 * `npm run tour`: takes the pictures of docs/tour from the running product, on a server of its own
 * with the sample graph. The words beside them are written by hand. Needs `npm run build`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { SAMPLE_TRAFFIC_SECONDS } from '#contract/sample.ts'
import { chromiumPath } from '../../scripts/chromium.mjs'
import { end, launch, loadSample } from '../server.ts'

const folder = fileURLToPath(new URL('../../docs/tour/', import.meta.url))
const QUALITY = 62
/** Live charts need something to show: the sample's traffic, which lasts a little longer. */
const TRAFFIC_MS = (SAMPLE_TRAFFIC_SECONDS - 3) * 1_000
const customers = 'customer_id,name,zip,joined\n17,Ada,01234,2020-01-02\n18,Bo,99999,2021-05-06\n'

interface Stop {
  readonly name: string
  readonly go: (page: Page, url: string) => Promise<void>
}

/** On a server that has no graph yet. */
const beginning: readonly Stop[] = [
  {
    name: 'empty-server',
    go: async (page, url) => {
      await page.goto(`${url}/ui/home`)
      await page.getByRole('button', { name: 'Load sample graph' }).waitFor()
    },
  },
  {
    name: 'from-a-csv',
    go: async (page, url) => {
      await page.goto(`${url}/ui/start?from=csv`)
      const buffer = Buffer.from(customers)
      const file = { name: 'customers.csv', mimeType: 'text/csv', buffer }
      await page.getByLabel('CSV file').last().setInputFiles(file)
      await page.getByRole('table', { name: 'Columns' }).waitFor()
    },
  },
]

const stops: readonly Stop[] = [
  {
    name: 'schema',
    go: async (page, url) => {
      await page.goto(`${url}/ui/sample/schema?type=Account`)
      await page.getByRole('application').waitFor()
    },
  },
  {
    name: 'explorer',
    go: async (page, url) => {
      await page.goto(`${url}/ui/sample/explorer?vertex=Merchant:merchant-00000`)
      await page.getByRole('button', { name: 'Show 50 more of Pays from Card' }).click()
      await page.getByText('50 edges').waitFor()
      await page.getByRole('tab', { name: 'Style' }).click()
      const style = (type: string) => page.getByRole('region', { name: `Style of ${type}` })
      await style('Card').getByRole('combobox', { name: 'Colour' }).selectOption('network')
      await style('Pays').getByRole('combobox', { name: 'Width' }).selectOption('amount')
    },
  },
  {
    name: 'paths',
    go: async (page, url) => {
      await page.goto(`${url}/ui/sample/explorer`)
      await page.getByRole('button', { name: 'Clear canvas' }).click()
      const field = page.getByRole('textbox', { name: 'Find vertices' })
      await field.fill('Account:account-02222,account-06666')
      await field.press('Enter')
      await page.getByRole('button', { name: 'Add all 2' }).click()
      await page.getByRole('application').focus()
      await page.keyboard.press('Control+a')
      await page.getByRole('button', { name: 'Shortest paths between them' }).click()
      await page.getByRole('region', { name: /^Paths between/ }).waitFor()
    },
  },
  {
    name: 'queries',
    go: async (page, url) => {
      await page.goto(`${url}/ui/sample/queries?query=shared_devices`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('table').first().waitFor()
    },
  },
  {
    name: 'statistics',
    go: async (page, url) => {
      await loadSample(url)
      await page.goto(`${url}/ui/sample/statistics?window=60`)
      await page.waitForTimeout(TRAFFIC_MS)
    },
  },
  {
    name: 'data',
    go: async (page, url) => {
      await page.goto(`${url}/ui/sample/data?tab=form`)
      await page.getByRole('form').waitFor()
    },
  },
  // After the others: it leads back to what was looked at.
  {
    name: 'home',
    go: async (page, url) => {
      await loadSample(url)
      await page.goto(`${url}/ui/home`)
      await page.waitForTimeout(TRAFFIC_MS)
    },
  },
  {
    name: 'write-guard',
    go: async (page, url) => {
      await page.goto(`${url}/ui/settings?section=environment`)
      await page.getByRole('textbox', { name: 'Environment' }).fill('production')
      await page.getByText('Red', { exact: true }).click()
      await page.getByText('Read-only', { exact: true }).click()
    },
  },
]

/** Waits until two pictures in a row are the same, or for three seconds: charts never rest. */
async function calm(page: Page): Promise<void> {
  let last: Buffer = Buffer.alloc(0)
  for (let look = 0; look < 10; look++) {
    await page.waitForTimeout(300)
    const now = await page.screenshot()
    if (now.equals(last)) return
    last = now
  }
}

async function take(page: Page, { name, go }: Stop, url: string): Promise<void> {
  await go(page, url)
  await calm(page)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  const bytes = Buffer.from(data, 'base64')
  await writeFile(join(folder, `${name}.webp`), bytes)
  process.stdout.write(`${name}.webp ${(bytes.length / 1_000).toFixed(0)} KB\n`)
}

const directory = await mkdtemp(join(tmpdir(), 'quiver-tour-'))
const { child, url } = await launch(directory, 0)
const browser = await chromium.launch({
  executablePath: chromiumPath() ?? '',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
})
try {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
  })
  for (const stop of beginning) await take(page, stop, url)
  await loadSample(url)
  for (const stop of stops) await take(page, stop, url)
} finally {
  await browser.close()
  await end(child, 'SIGTERM')
  await rm(directory, { recursive: true, force: true })
}
