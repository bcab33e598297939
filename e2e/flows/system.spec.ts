import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

test('metrics are plotted, explored and read as text', async ({ page, server }) => {
  const view = consolePage(page, server.url)
  await view.open('/system')
  await expect(page.getByRole('figure', { name: 'CPU' })).toBeVisible()

  await page.getByRole('tab', { name: 'Metric explorer' }).click()
  await expect(page.getByRole('table', { name: /Samples of/ })).toBeVisible()

  await page.getByRole('tab', { name: 'Raw metrics' }).click()
  await page.getByRole('textbox', { name: 'Search lines' }).fill('tigergraph_memory_total{')
  await expect(page.getByRole('region', { name: 'Metrics text' })).toHaveText(
    /tigergraph_memory_total\{.*\} [\d.]+/,
  )

  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(
    page.getByRole('table', { name: 'Component versions' }).getByText('gpe'),
  ).toBeVisible()
})

test('a rebuild and a deleted-vertex check run and are remembered', async ({
  page,
  sampled: server,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/system?tab=maintenance')
  await page.getByRole('button', { name: 'Rebuild now' }).click()
  await expect(page.getByText(/RebuildNow finished/)).toBeVisible()

  await page.getByRole('checkbox', { name: 'Counts', exact: true }).check()
  await page.getByRole('button', { name: 'Run check' }).click()
  await expect(page.getByText(/^passed, answered after/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Details of the check' })).toBeVisible()

  const runs = page.getByRole('table', { name: 'Maintenance runs' })
  await expect(runs.getByText('Deleted-vertex check')).toBeVisible()
  await expect(runs.getByText('Rebuild', { exact: true })).toBeVisible()
})

test('a rebuild that somebody else runs is shown with how far it is', async ({
  page,
  sampled: server,
}) => {
  const rebuild = { startedAt: 0, step: 'writing', share: 0.429 }
  let results: object = { rebuild }
  await page.route('**/quiver/v1/maintenance/progress', (route) =>
    route.fulfill({ json: { error: false, message: '', results } }),
  )
  await consolePage(page, server.url).open('/system?tab=maintenance')
  const bar = page.getByRole('progressbar', { name: 'Rebuild: writing, 42 %' })
  await expect(bar).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rebuild now' })).toBeEnabled()
  results = { rebuild: null }
  await expect(bar).toHaveCount(0)
})

test('the log of the server is filtered, searched and read line by line', async ({
  page,
  server,
}) => {
  const lines = [
    { number: 0, timeMs: 1_000, level: 'info', text: 'request', details: '{"status":200}' },
    { number: 1, timeMs: 2_000, level: 'warn', text: 'the store is slow', details: '' },
    { number: 2, timeMs: 3_000, level: 'error', text: 'rebuild failed', details: '{"err":"full"}' },
  ]
  await page.route('**/quiver/v1/log?*', (route) => {
    const search = new URL(route.request().url()).searchParams
    const least = search.get('level') === 'error' ? 2 : 0
    const wanted = search.get('search') ?? ''
    const fitting = lines.slice(least).filter(({ text }) => text.includes(wanted))
    const results = { loggedLevel: 'info', lines: fitting }
    return route.fulfill({ json: { error: false, message: '', results } })
  })
  await consolePage(page, server.url).open('/home')
  await page.getByRole('link', { name: 'rebuild failed' }).click()
  const log = page.getByRole('table', { name: 'Server log' })
  await expect(log.getByRole('row')).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Least level' }).selectOption('info and above')
  await expect(log.getByRole('row')).toHaveCount(4)
  await expect(log.getByRole('row').nth(1)).toContainText('rebuild failed {"err":"full"}')
  lines.push({ number: 3, timeMs: 4_000, level: 'info', text: 'a new line', details: '' })
  await expect(log.getByRole('row')).toHaveCount(5)
  await page.getByRole('textbox', { name: 'Search the log' }).fill('rebuild')
  await expect(log.getByRole('row')).toHaveCount(2)
  await log.getByRole('row').last().click()
  await expect(page.getByRole('region', { name: 'Details of the line' })).toContainText('"full"')
  expect(await violations(page), 'log').toEqual([])
})

test('the real log answers whom may read it', async ({ page, server }) => {
  await consolePage(page, server.url).open('/system?tab=log')
  await expect(page.getByText('since the start, warn and above (--log-level)')).toBeVisible()
  await expect(page.getByText('Nothing of this level was logged.')).toBeVisible()
})
