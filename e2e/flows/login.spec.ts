import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

test('after a password is set, a login is asked for and leads back', async ({
  page,
  server,
  browser,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/home')
  await view.notice.click()
  await page.getByRole('link', { name: 'Set a password' }).click()
  await expect(view.heading).toHaveText('Settings')

  await page.getByLabel('Current password').fill('wrong')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a new one')
  await page.getByRole('textbox', { name: 'New password again' }).fill('a new oen')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('The two are not the same.')).toBeVisible()

  await page.getByLabel('Current password').fill('tigergraph')
  await page.getByRole('textbox', { name: 'New password again' }).fill('a new one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(view.notice).toHaveCount(0)

  const visitor = await browser.newContext()
  const stranger = await visitor.newPage()
  const door = consolePage(stranger, server.url)
  // Whatever else answers there is told before anybody types a password; so is a clock that is off.
  const trouble = stranger.getByRole('alert')
  let sessions = 0
  await stranger.route('**/quiver/v1/session', (route) => {
    sessions++
    return route.fulfill({ status: 404, body: 'Not here' })
  })
  await door.open('/home')
  await expect(trouble).toContainText('answers like a TigerGraph server')
  expect(sessions, 'no storm of questions').toBeLessThanOrEqual(3)
  await stranger.unroute('**/quiver/v1/session')
  await trouble.getByRole('button', { name: 'Retry' }).click()
  await expect(stranger.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await stranger.route('**/api/ping', (route) => route.fulfill({ status: 502, body: 'Bad' }))
  await door.open('/settings#behind')
  await expect(trouble).toContainText('the server behind it does not')
  expect(await violations(stranger), 'a proxy alone').toEqual([])
  await stranger.unroute('**/api/ping')
  await stranger.route('**/api/ping', async (route) => {
    const response = await route.fetch()
    const date = new Date(Date.now() - 7_230_000).toUTCString()
    await route.fulfill({ response, headers: { ...response.headers(), date } })
  })
  await trouble.getByRole('button', { name: 'Retry' }).click()
  await expect(stranger.getByText(/clock is 2 h .*ahead of the server’s/)).toBeVisible()
  await expect(trouble).toHaveCount(0)
  await stranger.unroute('**/api/ping')
  await expect(stranger.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await stranger.getByLabel('Password').first().fill('tigergraph')
  await stranger.keyboard.press('Enter')
  // While an answer is awaited, Enter asks no second time.
  await expect(stranger.getByText('Authentication failed')).toBeVisible()
  await expect(door.heading).toHaveText('Quiver')

  await stranger.getByLabel('Password').first().fill('a new one')
  await stranger.keyboard.press('Enter')
  await expect(door.heading).toHaveText('Settings')
  await expect(stranger).toHaveURL(/\/ui\/settings#behind$/)
  await visitor.close()
})

test('a session that ends is taken up again over the page, with its draft', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  await view.open('/settings?section=password')
  await page.getByLabel('Current password').fill('tigergraph')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a new one')
  await page.getByRole('textbox', { name: 'New password again' }).fill('a new one')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(view.notice).toHaveCount(0)

  await view.open(`/${graph}/queries?query=shared_devices`)
  const editor = page.getByRole('textbox', { name: /^Text of/ })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# a draft that nobody saved\n')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Install', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Password').first().fill('a new one')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(editor).toContainText('a draft that nobody saved')
  // What was refused meanwhile is sent again.
  const authorization = `Basic ${Buffer.from('tigergraph:a new one').toString('base64')}`
  const address = `${server.url}/gsql/v1/queries/shared_devices?graph=${graph}`
  await expect
    .poll(async () => await (await fetch(address, { headers: { authorization } })).text())
    .toContain('a draft that nobody saved')
  await page.getByRole('link', { name: 'System' }).click()
  await expect(view.heading).toHaveText('System')
})

test('too many wrong passwords make a login wait, and it says how long', async ({
  page,
  server,
}) => {
  const password = 'a new one'
  const change = JSON.stringify({ name: 'tigergraph', password })
  await fetch(`${server.url}/gsql/v1/users`, { method: 'PUT', body: change })
  await consolePage(page, server.url).open('/home')
  await page.getByLabel('Password').first().fill(password)
  // What is ready to be sent meets the wait, on a slow machine, too.
  for (let count = 0; count < 5; count++) {
    const body = JSON.stringify({ user: 'tigergraph', password: 'a guess' })
    await fetch(`${server.url}/quiver/v1/session`, { method: 'POST', body })
  }
  await page.keyboard.press('Enter')
  const notChecked = page.getByText('Too many attempts. Password not checked.')
  await expect(notChecked).toBeVisible()
  const wait = page.getByRole('button', { name: /^Wait \d+ s$/ })
  await expect(wait).toBeDisabled()
  await expect(page.getByLabel('Password').first()).toBeFocused()
  expect(await violations(page), 'while one has to wait').toEqual([])
  // Another user need not wait.
  const user = page.getByRole('textbox', { name: 'User' })
  await user.fill('ada')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  await expect(notChecked).toHaveCount(0)
  await user.fill('tigergraph')
  await expect(wait).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled({ timeout: 15_000 })
  await expect(notChecked).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(consolePage(page, server.url).heading).toHaveText('Home')
})
