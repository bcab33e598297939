import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, people, send, upsert } from '../pages/graphs.ts'

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

test('an index that a filter would need is offered, made by one click, and then serves it', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const vertices = { Person: { '1': { age: { value: 5 } }, '2': { age: { value: 7 } } } }
  await upsert(server.url, graph, { vertices })
  const read = () => fetch(`${server.url}/restpp/graph/${graph}/vertices/Person?filter=age=7`)
  await read()
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  await page.getByRole('button', { name: 'New index' }).click()
  const dialog = page.getByRole('dialog', { name: 'New index' })
  await expect(dialog).toContainText('Building it reads 2 vertices once')
  await page.keyboard.press('Escape')
  const missed = page.getByRole('table', { name: 'Attributes of people without an index' })
  await expect(missed.getByRole('row', { name: /Person age UINT 1 / })).toContainText('2 vertices')
  expect(await violations(page), 'would help').toEqual([])
  await missed.getByRole('button', { name: 'Create index Person_age_index' }).click()
  await expect(page.getByRole('table', { name: 'Indexes of people' })).toBeVisible()
  await expect(missed).toHaveCount(0)
  const figure = (label: string) =>
    page.getByText(label, { exact: true }).locator('..').getByRole('definition').first()
  await expect(figure('Filtered reads without one')).toHaveText('1')
  await expect(figure('Filtered reads by an index')).toHaveText('0')
  await read()
  await expect(figure('Filtered reads by an index')).toHaveText('1', { timeout: 20_000 })
})

test('each index tells how often it was of use, and whose queries will miss it', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const ask = (path: string, body?: string | object) =>
    fetch(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  await upsert(server.url, graph, { vertices: { Person: { '1': { age: { value: 5 } } } } })
  await ask(`/gsql/v1/schema/indexes?graph=${graph}`, {
    vertex: 'Person',
    addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
  })
  await ask(
    `/gsql/v1/queries?graph=${graph}`,
    'CREATE QUERY of_age(UINT years) { R = SELECT p FROM Person:p WHERE p.age == years; PRINT R; }',
  )
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  const row = page.getByRole('row', { name: /by_age/ })
  await expect(row).toContainText('never yet')
  await ask(`/restpp/query/${graph}/of_age?years=5`)
  await expect(row.getByRole('cell', { name: '1', exact: true })).toHaveCount(1)
  await expect(row).not.toContainText('never yet')
  await row.getByRole('button', { name: 'Drop index by_age' }).click()
  await expect(page.getByRole('dialog')).toContainText('One query begins with it')
  await expect(page.getByRole('dialog')).toContainText('1 read or run went by it, the last')
  await expect(page.getByRole('dialog').getByRole('link', { name: 'of_age' })).toBeVisible()
  expect(await violations(page), 'dropping').toEqual([])
  const isDrop = (url: URL) => url.pathname.endsWith('/indexes/by_age')
  await page.route(isDrop, (route) =>
    route.fulfill({ status: 503, json: { error: true, message: 'Not now.', code: 'BUSY' } }),
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Drop index by_age' }).click()
  await expect(page.getByRole('dialog')).toContainText('Not now.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await row.getByRole('button', { name: 'Drop index by_age' }).click()
  await expect(page.getByRole('dialog')).toContainText('One query begins with it')
  await expect(page.getByRole('dialog')).not.toContainText('Not now.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await row.getByRole('link', { name: 'of_age' }).click()
  await expect(page.getByRole('textbox', { name: 'Text of of_age' })).toBeVisible()
})

test('an index is told by its figures, and measured against reading without it', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const Person = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, number) => [number, { age: { value: number % 50 } }]),
  )
  await upsert(server.url, graph, { vertices: { Person } })
  await send('POST', `${server.url}/gsql/v1/schema/indexes?graph=${graph}`, {
    vertex: 'Person',
    addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }],
  })
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  const row = page.getByRole('row', { name: /by_age/ })
  await expect(row).toContainText('not built')
  await row.getByRole('button', { name: 'Benchmark index by_age' }).click()
  const dialog = page.getByRole('dialog', { name: 'Benchmark by_age' })
  const value = dialog.getByRole('textbox', { name: 'Value' })
  await expect(value).toHaveValue(/^[0-9]+$/)
  await value.fill('none')
  await dialog.getByRole('button', { name: 'Run' }).click()
  await expect(dialog.getByRole('alert')).toContainText('none')
  await value.fill('7')
  await dialog.getByRole('button', { name: 'Run' }).click()
  await expect(dialog.getByRole('status')).toContainText('60 vertices found', { timeout: 20_000 })
  await expect(dialog.getByRole('status')).toContainText(/With the index.*ms/s)
  expect(await violations(page), 'measured').toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(row).toContainText('50 of 3,000')
  await expect(row).toContainText('KiB')
})

test('a dialog opens while the server is out of reach, and says so', async ({ page, server }) => {
  const graph = await makeGraph(server.url, people)
  const loaded = page.waitForResponse((answer) => /\/modal-[^/]*\.js$/.test(answer.url()))
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  await (await loaded).finished()
  await page.getByRole('button', { name: 'New index' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'New index' }).click()
  const dialog = page.getByRole('dialog', { name: 'New index' })
  await dialog.getByRole('button', { name: 'Create index' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.')
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Create index' }).click()
  await expect(page.getByRole('table', { name: 'Indexes of people' })).toBeVisible()
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
