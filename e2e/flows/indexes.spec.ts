import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, people, upsert } from '../pages/graphs.ts'

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

test('the page shows that a filter is served by an index', async ({ page, server }) => {
  const graph = await makeGraph(server.url, people)
  const vertices = { Person: { '1': { age: { value: 5 } }, '2': { age: { value: 7 } } } }
  await upsert(server.url, graph, { vertices })
  const read = () => fetch(`${server.url}/restpp/graph/${graph}/vertices/Person?filter=age=7`)
  await read()
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  await page.getByRole('button', { name: 'New index' }).click()
  const dialog = page.getByRole('dialog', { name: 'New index' })
  await expect(dialog).toContainText('Building it reads 2 vertices once')
  await dialog.getByRole('combobox', { name: 'Attribute' }).click()
  await page.getByRole('option', { name: 'age (UINT)' }).click()
  await dialog.getByRole('button', { name: 'Create index' }).click()
  const figure = (label: string) =>
    page.getByText(label, { exact: true }).locator('..').getByRole('definition').first()
  await expect(figure('Filtered reads of a whole type')).toHaveText('1')
  await expect(figure('Filtered reads by an index')).toHaveText('0')
  await read()
  await expect(figure('Filtered reads by an index')).toHaveText('1', { timeout: 20_000 })
})

test('axe finds nothing on the Indexes page in either theme', async ({ page, server }) => {
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
