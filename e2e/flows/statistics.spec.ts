import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { consolePage } from '../pages/console.ts'

test('statistics move while traffic runs, pause, and go back in time', async ({ page, server }) => {
  const graph = await server.loadSample()
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
  server,
}) => {
  const graph = await server.loadSample()
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Account?limit=1`)
  await consolePage(page, server.url).open(`/${graph}/statistics`)

  const rates = page.getByRole('figure', { name: 'Requests per second' })
  await rates.getByRole('button', { name: 'View as table' }).click()
  await expect(rates.getByRole('table')).toBeVisible()
  await expect(rates.getByRole('row')).not.toHaveCount(0)

  await page.getByText('log', { exact: true }).click()
  await expect(page).toHaveURL(/scale=log/)
})
