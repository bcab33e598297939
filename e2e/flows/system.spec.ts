import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
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
  await expect(page.getByText(/^passed, in/)).toBeVisible()
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
