import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

test('a named environment is guarded: refused on read-only, asked about on ask', async ({
  page,
  sampled: server,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/settings?section=environment')
  const name = page.getByRole('textbox', { name: 'Environment' })
  await expect(name).toBeFocused()
  await name.fill('production')
  await page.getByText('Red', { exact: true }).click()
  const bar = page.getByRole('banner')
  await bar.getByRole('button', { name: 'production, writes are free' }).click()
  await page.getByRole('menuitem', { name: 'Read-only: refuse every write' }).click()
  await expect(bar.getByRole('button', { name: 'production read-only' })).toBeVisible()
  expect(await violations(page), 'read-only').toEqual([])

  const write = async () => {
    await view.open('/sample/data?tab=json')
    const payload = page.getByRole('textbox', { name: 'Upsert payload' })
    await payload.fill('{"vertices":{"Account":{"guarded":{}}}}')
    await page.getByRole('button', { name: /^Write/ }).click()
  }
  const written = async () =>
    (await fetch(`${server.url}/restpp/graph/sample/vertices/Account/guarded`)).text()
  await write()
  await expect(page.getByRole('alert')).toContainText('The write guard of this request')
  expect(await written()).toContain('"error":true')

  await bar.getByRole('button', { name: 'production read-only' }).click()
  await page.getByRole('menuitem', { name: 'Ask before each write' }).click()
  await write()
  const question = page.getByRole('dialog', { name: 'Change something in production?' })
  await expect(question).toContainText('POST /restpp/graph/sample')
  expect(await violations(page), 'question').toEqual([])
  await question.getByRole('button', { name: 'Go ahead' }).click()
  await expect(page.getByRole('status', { name: 'Result' })).toBeVisible()
  expect(await written()).toContain('"guarded"')
})
