import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { consolePage } from '../pages/console.ts'

test('after a password is set, a login is asked for and leads back', async ({
  page,
  server,
  browser,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/home')
  await view.banner.getByRole('link', { name: 'Set a password' }).click()
  await expect(view.heading).toHaveText('Settings')

  await page.getByLabel('Current password').fill('wrong')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a new one')
  await page.getByRole('textbox', { name: 'New password again' }).fill('a new oen')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('The two are not the same.')).toBeVisible()

  await page.getByLabel('Current password').fill('tigergraph')
  await page.getByRole('textbox', { name: 'New password again' }).fill('a new one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(view.banner).toHaveCount(0)

  const visitor = await browser.newContext()
  const stranger = await visitor.newPage()
  const door = consolePage(stranger, server.url)
  await door.open('/settings')
  await expect(stranger.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await stranger.getByLabel('Password').first().fill('tigergraph')
  await stranger.keyboard.press('Enter')
  await expect(stranger.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(door.heading).toHaveText('Quiver')

  await stranger.getByLabel('Password').first().fill('a new one')
  await stranger.keyboard.press('Enter')
  await expect(door.heading).toHaveText('Settings')
  await visitor.close()
})
