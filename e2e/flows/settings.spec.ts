import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
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
  server,
}) => {
  await server.loadSample()
  const limits = { expandLimit: 30, rowLimit: 50 }
  await page.addInitScript((kept) => {
    localStorage.setItem('quiver.preferences', JSON.stringify(kept))
  }, limits)
  await page.goto(`${server.url}/ui/sample/explorer?vertex=Merchant:merchant-00000`)
  await page.getByRole('button', { name: 'Show 30 more of Pays from Card' }).click()
  await expect(page.getByRole('main').getByRole('status').first()).toContainText('30 edges')

  await page.goto(`${server.url}/ui/sample/queries?query=shared_devices`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('50 of 100 rows; the download has all')).toBeVisible()
})
