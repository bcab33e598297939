import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'
import { send } from '../pages/graphs.ts'
import { makeUser, PASSWORD, signIn } from '../pages/users.ts'

test('a user is made, given a role on a graph, and seen in the log', async ({ page, sampled }) => {
  const view = consolePage(page, sampled.url)
  await view.open('/access')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog', { name: 'New user' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('ada')
  await dialog.getByRole('textbox', { name: 'New password' }).fill('eight letters')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)

  const rights = page.getByRole('region', { name: 'Rights of ada', exact: true })
  await expect(rights.getByText('Nothing here: a role gives privileges.')).toBeVisible()
  await rights.getByRole('combobox', { name: 'Where' }).selectOption('On sample')
  await rights.getByRole('checkbox', { name: 'queryreader' }).click()
  const users = page.getByRole('table', { name: 'Users' })
  await expect(users.getByRole('columnheader', { name: 'On sample' })).toBeVisible()
  await expect(users.getByRole('row', { name: /^ada/ })).toContainText('queryreader')
  const privileges = rights.getByRole('table', { name: 'Privileges of ada' })
  await expect(privileges.getByRole('row', { name: /^READ_DATA/ })).toContainText('queryreader')
  await expect(privileges.getByRole('row', { name: /^WRITE_SCHEMA/ })).toHaveCount(0)
  expect(await violations(page), 'users').toEqual([])

  await page.getByRole('tab', { name: 'Roles' }).click()
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('reader')
  await page.keyboard.press('Enter')
  const box = page.getByRole('checkbox', { name: 'READ_DATA' })
  await box.press('Space')
  await expect(page.locator('fieldset[aria-busy="true"], fieldset:disabled')).toHaveCount(0)
  await expect(box).toBeChecked()
  await expect(box).toBeFocused()
  expect(await violations(page), 'roles').toEqual([])

  await page.getByRole('tab', { name: 'Log' }).click()
  const log = page.getByRole('table', { name: 'Log of access' })
  await expect(log.getByRole('row', { name: /ada/ }).first()).toContainText('done')
  await expect(log.getByRole('row', { name: /READ_DATA: reader/ })).toContainText('done')
  expect(await violations(page), 'log').toEqual([])
})

test('a token is made from a secret, works, and is refused once revoked', async ({
  page,
  sampled,
}) => {
  const view = consolePage(page, sampled.url)
  await view.open('/access?tab=credentials')
  await page.getByRole('textbox', { name: 'Name of the new secret' }).fill('nightly')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /^nightly/ })).toBeVisible()
  await page.getByRole('button', { name: 'Create token' }).click()
  const token = await page.getByRole('textbox', { name: 'The new token' }).inputValue()
  await expect(page.getByRole('row', { name: /^nightly/ })).not.toContainText('never')
  expect(await violations(page), 'secrets and tokens').toEqual([])
  const statusWithToken = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${sampled.url}/gsql/v1/users`, { headers })).status
  }
  expect(await statusWithToken()).toBe(200)
  const listed = page.getByRole('table', { name: 'Your tokens' })
  await expect(listed.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(listed.getByRole('row')).toHaveCount(3)
  // The one that was just used, and the one that was just made.
  await expect(listed.getByRole('row', { name: /never/ })).toHaveCount(1)
  // Not the first one: both may have been made within one second, so their order is open.
  await listed
    .getByRole('row', { name: /never/ })
    .getByRole('button', { name: /^Revoke/ })
    .click()
  const asked = page.getByRole('dialog', { name: 'Revoke this token?' })
  await asked.getByRole('button', { name: 'Revoke the token' }).click()
  await expect(listed.getByRole('row')).toHaveCount(2)
  await page.getByRole('textbox', { name: 'Token to revoke' }).fill(token)
  await page.getByRole('button', { name: 'Revoke token' }).click()
  // That of the row may still be told, too.
  await expect(page.getByText('The token is refused from now on').last()).toBeVisible()
  await expect.poll(statusWithToken).toBe(401)

  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(listed.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Revoke all' }).click()
  const all = page.getByRole('dialog', { name: 'Revoke all your tokens?' })
  expect(await violations(page), 'revoking all tokens').toEqual([])
  await all.getByRole('button', { name: 'Revoke all tokens' }).click()
  await expect(page.getByText('All your tokens are refused from now on')).toBeVisible()
  await expect(listed).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove the secret nightly' }).click()
  const question = page.getByRole('dialog', { name: 'Remove the secret nightly?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /^nightly/ })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the secret nightly' }).click()
  await question.getByRole('button', { name: 'Remove nightly' }).click()
  await expect(page.getByText('You have no secrets.')).toBeVisible()
})

test('who signs in over the page of another sees nothing of theirs', async ({ page, sampled }) => {
  const { url } = sampled
  await makeUser(url, 'ada')
  const first = 'eight digits'
  await send('PUT', `${url}/gsql/v1/users`, { name: 'tigergraph', password: first })
  await signIn(page, url, 'tigergraph', first)
  await consolePage(page, url).open('/access?tab=credentials')
  const token = page.getByRole('textbox', { name: 'Token to revoke' })
  await token.fill('what only tigergraph may see')
  await page.context().clearCookies()
  await page.getByRole('textbox', { name: 'Name of the new secret' }).fill('nightly')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByRole('textbox', { name: 'User' }).fill('ada')
  await dialog.getByLabel('Password').first().fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('You have no secrets.')).toBeVisible()
  await expect(token).toHaveValue('')
})

test('who may read one graph works with its queries, and no refusal is logged', async ({
  page,
  sampled,
}) => {
  const { url } = sampled
  await makeUser(url, 'ada', 'queryreader')
  await signIn(page, url, 'ada')
  await consolePage(page, url).open('/sample/queries?query=shared_devices')
  await page.getByRole('tab', { name: 'Running' }).click()
  await expect(page.getByText('No query is running.')).toBeVisible()

  const install = page.getByRole('button', { name: 'Install', exact: true })
  await expect(install).toHaveAccessibleDescription(
    /CREATE_QUERY on graph sample, which you do not/,
  )
  await expect(install).toBeDisabled()
  await install.hover()
  await expect(page.getByRole('tooltip')).toContainText('Whoever administers sample')
  await install.press('Enter')
  expect(await violations(page), 'refused').toEqual([])
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
  expect(await refusalsOf(url, 'ada')).toEqual([])
})

test('who administers one graph gives roles on it, and no refusal is logged', async ({
  page,
  sampled,
}) => {
  const { url } = sampled
  await makeUser(url, 'ada', 'admin')
  await makeUser(url, 'grace')
  await signIn(page, url, 'ada')
  await consolePage(page, url).open('/access')
  const users = page.getByRole('table', { name: 'Users' })
  await expect(users.getByRole('row', { name: /^ada/ })).toContainText('admin')
  await expect(page.getByText('those who have a role on sample')).toBeVisible()
  await expect(users.getByRole('row', { name: /^grace/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New user' })).toHaveCount(0)

  await page.getByRole('textbox', { name: 'Name of another user' }).fill('grace')
  await page.keyboard.press('Enter')
  const rights = page.getByRole('region', { name: 'Rights of grace', exact: true })
  const where = rights.getByRole('combobox', { name: 'Where' })
  await expect(where.getByRole('option')).toHaveText(['On sample'])
  await rights.getByRole('checkbox', { name: 'queryreader' }).click()
  await expect(users.getByRole('row', { name: /^grace/ })).toContainText('queryreader')
  expect(await violations(page), 'of a graph’s admin').toEqual([])
  expect(await refusalsOf(url, 'ada')).toEqual([])
})

async function refusalsOf(url: string, user: string): Promise<readonly unknown[]> {
  const audit = await fetch(`${url}/quiver/v1/audit?user=${user}`)
  const { results } = (await audit.json()) as { results: { outcome: string }[] }
  return results.filter(({ outcome }) => outcome === 'denied')
}
