import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

test('preferences hold over a reload and go back when the storage is cleared', async ({
  page,
  server,
}) => {
  const view = consolePage(page, server.url)
  const root = page.locator('html')
  await view.open('/settings')
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('Compact', { exact: true }).click()
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')

  await page.reload()
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(root).toHaveAttribute('data-density', 'compact')

  await page.getByRole('button', { name: 'Clear storage' }).click()
  const dialog = page.getByRole('dialog', { name: /Clear this browser/ })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Clear storage' }).click()
  await expect(root).toHaveAttribute('data-density', 'comfortable')
})

test('settings are found by their words and travel as a file', async ({ page, server }) => {
  await consolePage(page, server.url).open('/settings')
  await page.getByRole('textbox', { name: 'Search settings' }).fill('utc')
  await expect(page.getByText('Time zone')).toBeVisible()
  await expect(page.getByText('Density')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Search settings' }).fill('')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export settings' }).click()
  expect((await download).suggestedFilename()).toBe('quiver-settings.json')

  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import settings' }).click()
  await (await chooser).setFiles({
    name: 'settings.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"quiver":"settings","version":1,"preferences":{"density":"compact"}}'),
  })
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
})

test('the limits of the settings are what the explorer and the tables go by', async ({
  page,
  sampled: server,
}) => {
  const limits = { expandLimit: 30, rowLimit: 50 }
  await page.addInitScript((kept) => {
    localStorage.setItem('quiver.preferences', JSON.stringify(kept))
  }, limits)
  await page.goto(`${server.url}/ui/sample/explorer?vertex=Merchant:merchant-00000`)
  await page.getByRole('button', { name: 'Show 30 more of Pays from Card' }).click()
  await expect(page.locator('header, main').getByRole('status').first()).toContainText('30 edges')

  await page.goto(`${server.url}/ui/sample/queries?query=shared_devices`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText(/\b50 of 100 rows/)).toBeVisible()
})

test('density and motion change what is drawn', async ({ page, sampled: server }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const view = consolePage(page, server.url)
  const row = page.getByRole('table', { name: 'Types of sample' }).getByRole('row').nth(1)
  await view.open('/home')
  const roomy = (await row.boundingBox())?.height ?? 0
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Compact', { exact: true }).click()
  const speed = (): Promise<string> =>
    page.evaluate(`getComputedStyle(document.body).getPropertyValue('--q-t-1').trim()`)
  expect(Number.parseFloat(await speed())).toBeGreaterThan(0)
  await page.getByRole('switch', { name: 'Reduce motion' }).check({ force: true })
  await expect.poll(speed).toMatch(/^0m?s$/)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect.poll(async () => (await row.boundingBox())?.height ?? roomy).toBeLessThan(roomy)
})

test.describe('far from Greenwich', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('times are written in the zone of the settings', async ({ page, server }) => {
    const view = consolePage(page, server.url)
    await view.open('/system?tab=raw')
    const hour = async () => {
      const [, text] = /read at (\d\d):/.exec(await page.getByRole('main').innerText()) ?? []
      return Number(text)
    }
    await expect.poll(hour).not.toBeNaN()
    const local = await hour()
    await view.open('/settings')
    await page.getByText('UTC', { exact: true }).click()
    await view.open('/system?tab=raw')
    // Fourteen hours ahead of UTC; an hour may begin in between.
    await expect.poll(async () => [10, 11].includes((24 + (await hour()) - local) % 24)).toBe(true)
  })
})

test('live charts ask as often, and count what, the settings say', async ({
  page,
  sampled: server,
}) => {
  await page.addInitScript(() => {
    if (localStorage.getItem('quiver.preferences') === null) {
      localStorage.setItem('quiver.preferences', JSON.stringify({ pollSeconds: 60 }))
    }
  })
  const asked: URL[] = []
  const askedByStrip: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!url.pathname.endsWith('/history')) return
    if (url.searchParams.has('heat')) asked.push(url)
    else askedByStrip.push(url)
  })
  await page.clock.install()
  const view = consolePage(page, server.url)
  await view.open('/sample/statistics')
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]?.searchParams.get('console')).toBe('false')
  // Longer than the default interval of a second: at a minute no second question comes.
  const pinged = () => page.waitForResponse((response) => response.url().includes('/api/ping'))
  for (const _ of [1, 2]) await Promise.all([pinged(), page.clock.runFor(5_000)])
  expect([asked.length, askedByStrip.length]).toEqual([1, 1])

  await view.open('/settings')
  await page.getByRole('textbox', { name: 'Statistics interval' }).fill('1')
  await page.getByRole('switch', { name: /own requests/ }).check({ force: true })
  await view.open('/sample/statistics')
  await expect.poll(() => asked.length).toBeGreaterThan(3)
  expect(asked.at(-1)?.searchParams.get('console')).toBe('true')
})

test('the explorer warns beyond the vertices of the settings', async ({
  page,
  sampled: server,
}) => {
  await page.addInitScript(() => {
    const kept = { expandLimit: 200, canvasLimit: 200 }
    localStorage.setItem('quiver.preferences', JSON.stringify(kept))
  })
  await page.goto(`${server.url}/ui/sample/explorer?vertex=Merchant:merchant-00000`)
  const more = page.getByRole('button', { name: 'Show 200 more of Pays from Card' })
  await more.click()
  await expect(page.locator('header, main').getByRole('status').first()).toContainText('200 edges')
  await more.click()
  await expect(page.getByRole('main')).toContainText(/2\d\d nodes: fewer would be more fluent/)
})

test('the server presets and locks settings, and says why', async ({ page, server }) => {
  const results = {
    preset: { timeZone: 'utc', numberFormat: 'point' },
    locked: { writeGuard: 'confirm' },
    reason: 'Here is production.',
  }
  await page.route('**/quiver/v1/console/settings', (route) =>
    route.fulfill({ json: { error: false, message: '', results } }),
  )
  await page.goto(`${server.url}/ui/settings`)
  await expect(page.getByText('Locked by this server. Here is production.')).toBeVisible()
  const guard = page.getByRole('group', { name: 'Write guard' })
  await expect(guard.getByRole('radio', { name: 'Ask' })).toBeChecked()
  await expect(guard.getByRole('radio', { name: 'Off' })).toBeDisabled()
  const zone = page.getByRole('radiogroup', { name: 'Time zone' })
  await expect(zone.getByRole('radio', { name: 'UTC' })).toBeChecked()
  await expect(page.getByText('Default: 1.000 rows')).toBeVisible()
  expect(await violations(page), 'locked').toEqual([])
  await zone.getByText('Local').click()
  await page.getByRole('button', { name: 'writes are asked about' }).click()
  await expect(page.getByRole('menuitem', { name: /Read-only/ })).toBeDisabled()
  await page.reload()
  await expect(zone.getByRole('radio', { name: 'Local' })).toBeChecked()
  await expect(guard.getByRole('radio', { name: 'Ask' })).toBeChecked()
})

test('numbers are written as one is used to', async ({ page, server }) => {
  await page.goto(`${server.url}/ui/settings`)
  await page.getByRole('radiogroup', { name: 'Numbers' }).getByText('1 234,5').click()
  await expect(page.getByText('Default: 1\u202f000 rows')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Default: 1\u202f000 rows')).toBeVisible()
})
