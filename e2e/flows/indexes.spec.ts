import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, people } from '../pages/graphs.ts'

test('an index is created, dropped, and brought back', async ({ page, server }) => {
  const errors = watchErrors(page)
  const graph = await makeGraph(server.url, people)
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  await page.getByRole('button', { name: 'New index' }).click()
  const dialog = page.getByRole('dialog', { name: 'New index' })
  await dialog.getByRole('combobox', { name: 'Attribute' }).click()
  await expect(page.getByRole('option', { name: /tags/ })).toHaveCount(0)
  await page.getByRole('option', { name: 'age (UINT)' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Person_age_index')
  await dialog.getByRole('button', { name: 'Create index' }).click()

  const table = page.getByRole('table', { name: 'Indexes of people' })
  const row = table.getByRole('row', { name: /Person_age_index/ })
  await expect(row).toContainText('UINT')
  await row.getByRole('button', { name: 'Drop index Person_age_index' }).click()
  const confirm = page.getByRole('dialog', { name: 'Drop index Person_age_index?' })
  await confirm.getByRole('button', { name: 'Drop index Person_age_index' }).click()
  await expect(page.getByText('A secondary index lets filters')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  expect(errors).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the Indexes page in the ${colorScheme} theme`, async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const graph = await makeGraph(server.url, people)
    await page.goto(`${server.url}/ui/${graph}/indexes`)
    const button = page.getByRole('button', { name: 'New index' })
    await expect(button).toBeVisible()
    expect(await violations(page), 'empty').toEqual([])
    await button.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'dialog').toEqual([])
    await page.getByRole('button', { name: 'Create index' }).click()
    await expect(page.getByRole('table', { name: 'Indexes of people' })).toBeVisible()
    expect(await violations(page), 'filled').toEqual([])
  })
}
