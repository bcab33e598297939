import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'
import { makeGraph, people } from '../pages/graphs.ts'

test('statistics move while traffic runs, pause, and go back in time', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const read = () => fetch(`${server.url}/restpp/graph/${graph}/vertices/Account?limit=1`)
  const view = consolePage(page, server.url)
  await view.open(`/${graph}/statistics?window=60`)
  await expect(page.getByText('live', { exact: true })).toBeVisible()

  const endpoint = /GET \/graph\/vertices/
  const requests = view.cell('Endpoints', endpoint, 2)
  await read()
  await expect(requests).toHaveText(/\d/)
  const before = Number((await requests.textContent())?.replace(',', ''))
  for (let count = 0; count < 20; count++) await read()
  await expect
    .poll(async () => Number((await requests.textContent())?.replace(',', '')))
    .toBeGreaterThanOrEqual(before + 20)

  await page.keyboard.press('Space')
  await expect(page.getByText('paused', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/end=\d+/)
  await page.getByRole('button', { name: 'Back in time' }).click()
  await page.getByRole('button', { name: 'Live' }).click()
  await expect(page.getByText('live', { exact: true })).toBeVisible()
})

test('every chart has a table behind it, and latency a logarithmic scale', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Account?limit=1`)
  await consolePage(page, server.url).open(`/${graph}/statistics`)

  const rates = page.getByRole('figure', { name: 'Requests per second' })
  await rates.getByRole('button', { name: 'View as table' }).click()
  const values = rates.getByRole('table').getByRole('cell')
  await expect(values.first()).toHaveText(/^\d\d:\d\d:\d\d$/)
  await expect(values.nth(1)).toHaveText(/^\d/)

  await page.getByText('log', { exact: true }).click()
  await expect(page).toHaveURL(/scale=log/)
})

test('a restart in the window keeps what was before, and the page goes on by itself', async ({
  page,
  sampledProgram: server,
}) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Account/account-00001`)
  await view.open(`/${graph}/statistics?window=900`)
  const row = page.getByRole('row', { name: /vertices\/\{vertex_type\}\/\{vertex_id\}/ })
  await expect(row).toBeVisible()
  // The code of the charts comes after the rows: from now on nothing more is asked of the server.
  const rates = page.getByRole('figure', { name: 'Requests per second' })
  await expect(rates.locator('.recharts-surface').first()).toBeVisible()
  await server.stop()
  await expect(page.getByText(/^no answer; data from/)).toBeVisible({ timeout: 30_000 })
  await expect(row).toBeVisible()
  await server.restart()
  await expect(page.getByText('live', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(row).toBeVisible()
  await expect(rates).toContainText('The server started.')
})

test('a part of the time is marked by dragging, and an endpoint has its own map', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Account/account-00001`)
  await consolePage(page, server.url).open(`/${graph}/statistics?window=900`)
  const map = page.getByRole('figure', { name: 'Latency heat map of all endpoints' })
  await expect(map).toContainText(/Up to \d+ requests? in one field/)
  await page.getByRole('row', { name: /vertices\/\{vertex_type\}\/\{vertex_id\}/ }).click()
  await expect(page).toHaveURL(/endpoint=GET/)
  const own = page.getByRole('figure', { name: /^Latency heat map of GET / })
  await own.getByRole('button', { name: 'View as table' }).click()
  await expect(own.getByRole('table').getByRole('cell').first()).toHaveText(/\d/)

  const plot = page
    .getByRole('figure', { name: 'Requests per second' })
    .locator('.recharts-surface')
  await plot.first().scrollIntoViewIfNeeded()
  const box = await plot.first().boundingBox()
  if (box === null) throw new Error('the chart has no place')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 })
  await page.mouse.move(box.x + box.width * 0.8, box.y + 60, { steps: 5 })
  await page.mouse.up()
  const ran = page.getByRole('table', { name: 'What ran' })
  await expect(ran.or(page.getByText('Nothing was answered in this time.')).first()).toBeVisible()
  await expect(page.getByText('live', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show this time alone' }).click()
  await expect(page.getByText('paused', { exact: true })).toBeVisible()
  const seconds = Number(new URL(page.url()).searchParams.get('window'))
  expect(seconds).toBeGreaterThan(100)
  expect(seconds).toBeLessThan(500)
  await page.getByRole('button', { name: 'Live' }).click()
  await expect(page.getByText('live', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(ran).toHaveCount(0)
})

test('a slow query is told with its parameters and its plan, and a limit that it breaks', async ({
  page,
  sampled: server,
}) => {
  await page.addInitScript(() => {
    const told: string[] = []
    class Told {
      static permission = 'default'
      static async requestPermission() {
        Told.permission = 'granted'
        return Told.permission
      }
      constructor(_title: string, { body }: { readonly body: string }) {
        told.push(body)
      }
    }
    Object.assign(globalThis, { told, Notification: Told })
  })
  const address = `${server.url}/restpp/query/sample/transfer_rank`
  const headers = { 'GSQL-TIMEOUT': '400' }
  const slow = await fetch(address, { method: 'POST', headers, body: '{"iterations":1000000}' })
  expect(await slow.json()).toMatchObject({ error: true })
  await fetch(address, { method: 'POST', body: '{"top":3,"iterations":40}' })
  await consolePage(page, server.url).open('/sample/statistics?window=300')
  const runs = page.getByRole('table', { name: 'Slow queries' })
  const row = runs.getByRole('row', { name: /transfer_rank.*timed out/ })
  await row.click()
  await expect(page.getByRole('region', { name: 'Parameters of the run' })).toHaveText(
    '{"iterations":1000000}',
  )
  const plan = page.getByRole('table', { name: 'Plan of the run' })
  await expect(plan.getByRole('row', { name: /Transfer to Account/ })).toContainText(/[\d,]{5,}/)
  expect(await violations(page), 'slow query').toEqual([])

  // What is marked is the window as it is drawn.
  const endpoints = page.getByRole('table', { name: 'Endpoints' })
  await expect(endpoints.getByRole('row', { name: /transfer_rank/ })).toBeVisible()
  await page.getByRole('heading', { name: 'Statistics' }).click()
  await page.keyboard.press('w')
  const ran = page.getByRole('table', { name: 'What ran' })
  const rank = ran.getByRole('row', { name: /^transfer_rank [\d.]+ %/ })
  await expect(rank.getByRole('link', { name: 'transfer_rank' })).toBeVisible()
  await ran.getByRole('button', { name: 'Slow runs of transfer_rank' }).click()
  await expect(page.getByText(/^transfer_rank, .* and longer$/)).toBeVisible()
  await expect(row).toBeVisible()
  expect(await violations(page), 'what ran').toEqual([])
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(ran).toHaveCount(0)

  await page.getByRole('textbox', { name: 'p95 limit' }).fill('2')
  await expect(page.getByText(/^above the limit for \d+ seconds$/)).toBeVisible()
  await expect(page.getByText('The 95th percentile is above 2 ms.')).toBeVisible()
  const latency = page.getByRole('figure', { name: /^Latency percentiles of/ })
  await expect(latency).toContainText('p95 limit 2 ms')
  const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
  expect(await told()).toEqual([])
  await page.getByRole('button', { name: 'Notify by the browser' }).click()
  await expect(page.getByRole('button', { name: 'No browser notifications' })).toBeVisible()
  await page.getByRole('textbox', { name: 'p95 limit' }).fill('1')
  await expect.poll(told).toEqual(['The 95th percentile is above 1 ms.'])
  await page.getByRole('textbox', { name: 'p95 limit' }).fill('2')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'p95 limit' })).toHaveValue('2')
  await page.getByRole('link', { name: 'open transfer_rank' }).waitFor({ state: 'detached' })
  await row.press('Enter')
  await page.getByRole('link', { name: 'open transfer_rank' }).click()
  await expect(page.getByRole('textbox', { name: 'Text of transfer_rank' })).toBeVisible()
})

test('the strip above goes on while a part of it is looked at', async ({
  page,
  sampled: server,
}) => {
  await fetch(`${server.url}/restpp/graph/sample/vertices/Account/account-00001`)
  await consolePage(page, server.url).open('/sample/statistics?window=300')
  const strip = page.getByRole('slider', { name: 'Part of the time that is shown' })
  await expect(strip).toHaveAttribute('aria-valuetext', /to now$/)
  await strip.press('ArrowLeft')
  await expect(page.getByText('paused', { exact: true })).toBeVisible()
  await expect(strip).toHaveAttribute('aria-valuetext', /to \d/)
  const looked = page.url()
  const end = Number(await strip.getAttribute('aria-valuemax'))
  const present = async () => Number(await strip.getAttribute('aria-valuemax'))
  await expect.poll(present).toBeGreaterThan(end)
  expect(page.url()).toBe(looked)

  const box = await strip.boundingBox()
  if (box === null) throw new Error('the strip has no place')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.3, box.y + 10, { steps: 4 })
  await page.mouse.up()
  const middle = Number(new URL(page.url()).searchParams.get('end')) - 150
  const share = (middle - ((await present()) - 1_800)) / 1_800
  expect(share).toBeGreaterThan(0.25)
  expect(share).toBeLessThan(0.35)
  await page.mouse.click(box.x + box.width - 1, box.y + 10)
  await expect(page.getByText('live', { exact: true })).toBeVisible()
})

test('silence is told, and the traffic of the console is left out until asked for', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const view = consolePage(page, server.url)
  // The requests that made the graphs fall out of the shortest window in a minute: look before them.
  const before = Math.floor(Date.now() / 1_000) - 600
  await view.open(`/${graph}/statistics?window=60&end=${before}`)
  await expect(page.getByText('No request reached this graph in this window.')).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Requests per second' })).toBeVisible()

  await page.getByRole('button', { name: 'Live' }).click()
  const rates = page.getByRole('figure', { name: 'Requests per second' })
  await expect(rates).toContainText('Schema change')
  const own = page.getByRole('row', { name: /GET \/quiver\/v1\/statistics/ })
  await expect(own).toBeHidden()
  await page.getByRole('switch', { name: 'Console traffic' }).check()
  await expect(own).toBeVisible()
})

test('axe finds nothing in the statistics in either theme', async ({ page, sampled: server }) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  await view.open(`/${graph}/statistics?window=900`)
  await expect(page.getByRole('table', { name: 'Endpoints' })).toBeVisible()
  expect(await violations(page), 'live').toEqual([])
  await columnsAreDragged(page)
  expect(await violations(page), 'with other widths').toEqual([])
  await page.getByRole('button', { name: 'View as table' }).first().click()
  expect(await violations(page), 'as table').toEqual([])
  await view.open(`/${graph}/statistics?window=60&end=1700000000`)
  await expect(page.getByText('No request reached this graph')).toBeVisible()
  expect(await violations(page), 'silence').toEqual([])
})

/** One column of the endpoints by key and mouse; the others stay, and so it is after a reload. */
async function columnsAreDragged(page: Page): Promise<void> {
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const width = async (name: string) => (await head(name).boundingBox())?.width
  const bar = page.getByRole('separator', { name: 'Width of Endpoint' })
  await bar.press('ArrowLeft')
  const [endpoint, rate] = [Number(await bar.getAttribute('aria-valuenow')), await width('p95')]
  expect(await width('Endpoint')).toBe(endpoint)
  await bar.hover()
  const box = await bar.boundingBox()
  await page.mouse.down()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2 + 60, box?.y ?? 0)
  await page.mouse.up()
  await page.reload()
  await expect.poll(() => width('Endpoint')).toBe(endpoint + 60)
  expect(await width('p95')).toBe(rate)
  await bar.press('Home')
  await expect(bar).toHaveAttribute('aria-valuetext', 'its own width')
}
