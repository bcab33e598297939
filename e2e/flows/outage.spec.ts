import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

/** Every page asks so often whether the server is back. */
const PING_SECONDS = 5

test('while the server is down the page stays, asks seldom, and comes back by itself', async ({
  page,
  sampled: server,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/home')
  const counts = page.getByRole('table', { name: 'Types of sample' })
  await expect(counts.getByRole('row', { name: /Account/ })).toBeVisible()

  await server.kill()
  const bar = page.getByRole('banner')
  await expect(bar).toContainText('offline')
  await expect(page.getByRole('alert').first()).toContainText('The server cannot be reached.')
  await expect(page.getByText(/\d s ago · Statistics/).first()).toBeVisible()
  await expect(counts.getByRole('row', { name: /Account/ })).toBeVisible()
  expect(await violations(page), 'home without a server').toEqual([])

  let pings = 0
  let requests = 0
  page.on('request', (request) => {
    requests++
    if (request.url().endsWith('/api/ping')) pings++
  })
  await expect.poll(() => pings, { timeout: 120_000 }).toBeGreaterThanOrEqual(5)
  // Between five pings lie four intervals; one more for what stood at their ends.
  expect(requests).toBeLessThanOrEqual(5 * PING_SECONDS)

  await server.restart()
  await expect(bar).toContainText('online')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(counts.getByRole('row', { name: /Account/ })).toBeVisible()
})
