import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, people, readVertex, schemaOf, upsert } from '../pages/graphs.ts'
import { SchemaPage } from '../pages/schema-page.ts'

test('a graph is created, designed by keyboard and published', async ({ page, server }) => {
  const errors = watchErrors(page)
  const schema = new SchemaPage(page)
  await page.goto(`${server.url}/ui/home`)
  await page.getByRole('button', { name: 'Create a graph' }).click()
  const dialog = page.getByRole('dialog', { name: 'New graph' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('town')
  await dialog.getByRole('button', { name: 'Create graph' }).click()
  await expect(page.getByText('A schema says which vertices')).toBeVisible()

  await schema.addVertexByKey('Person')
  await schema.addAttributeByKey('name')
  await schema.pasteAttributes('age UINT = 18\nphones MAP<STRING,STRING>')
  await schema.addVertexByKey('City')
  await schema.paste('size INT\nfounded DATETIME')
  await expect(schema.inspector.getByRole('combobox', { name: 'Type of founded' })).toHaveValue(
    'DATETIME',
  )
  await schema.addEdge('Lives_In', 'Person', 'City')
  await expect(schema.draftBar).toContainText('3 changes')

  await schema.review()
  await expect(schema.group('Safe')).toContainText('Lives_In')
  await schema.publishButton.click()
  await expect(schema.draftBar).toContainText('No unpublished changes.')

  const published = await schemaOf(server.url, 'town')
  expect(published.VertexTypes.map(({ Name }) => Name)).toEqual(['Person', 'City'])
  const attributes = published.VertexTypes[0]?.Attributes.map((one) => one.AttributeName)
  expect(attributes).toEqual(['name', 'age', 'phones'])
  expect(published.EdgeTypes.map(({ Name }) => Name)).toEqual(['Lives_In'])
  expect(errors).toEqual([])
})

test('wrong names are said while typing and never reach the draft', async ({ page, server }) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, people))
  await page.getByRole('button', { name: 'Add vertex type' }).click()
  await schema.nameField.fill('1st')
  await expect(schema.inspector).toContainText('A name starts with a letter')
  await schema.nameField.fill('Knows')
  await expect(schema.inspector).toContainText('Knows is already an edge type.')
  await page.keyboard.press('Enter')
  await expect(schema.type('NewVertex')).toBeVisible()
})

test('what destroys data names its price and wants a name typed', async ({ page, server }) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  const vertices = { Person: { '1': {}, '2': {}, '3': {} } }
  const edges = { Person: { '1': { Knows: { Person: { '2': {} } } } } }
  await upsert(server.url, graph, { vertices, edges })
  await schema.open(server.url, graph, '?type=Person')
  await schema.inspector.getByRole('button', { name: 'Drop type' }).click()
  await expect(schema.draftBar).toContainText('2 changes, 2 delete data')
  await schema.review()
  await expect(schema.group('Deletes data')).toContainText('3 vertices')
  await expect(schema.publishButton).toHaveText('Publish and delete 3 vertices and 1 edge')
  await page.getByRole('tab', { name: 'GSQL' }).click()
  const script = page.getByRole('region', { name: 'The change as GSQL', exact: true })
  await expect(script).toContainText('RUN SCHEMA_CHANGE JOB change_people')
  await expect(page.getByRole('region', { name: 'GSQL of a new graph' })).toBeVisible()
  expect(await violations(page), 'the change as GSQL').toEqual([])
  await schema.publishButton.click()

  const dialog = page.getByRole('dialog', { name: 'Publish to people?' })
  const saving = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Save the affected data' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^people.*-before-change\.ndjson$/)
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { vertices: { Person: { '1': {}, '2': {}, '3': {} } } },
    { edges: { Person: { '1': { Knows: { Person: { '2': {} } } } } } },
  ])
  const confirm = dialog.getByRole('button', { name: /^Publish and delete/ })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Type people to confirm' }).fill('people')
  await confirm.click()
  await expect(page.getByText('A schema says which vertices')).toBeVisible()
  expect((await schemaOf(server.url, graph)).VertexTypes).toEqual([])
})

test('a draft survives a reload, undo, and a change made by somebody else', async ({
  page,
  server,
}) => {
  await page.clock.install()
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  await schema.open(server.url, graph)
  await schema.addVertexByKey('Place')
  await schema.addVertexByKey('Thing')
  await page.reload()
  await expect(schema.type('Thing')).toBeVisible()

  const other = { addVertexTypes: [{ Name: 'Town', PrimaryId: idOf('id'), Attributes: [] }] }
  await changeSchema(server.url, graph, other)
  await page.clock.runFor(10_000)
  await page.getByRole('button', { name: /^schema v\d+: reload$/ }).click()
  const rebase = schema.draftBar.getByRole('button', { name: /Rebase$/ })
  await expect(rebase).toBeVisible()
  await expect(schema.type('Town')).toHaveCount(0)
  await rebase.click()
  await expect(schema.type('Town')).toBeVisible()
  await expect(schema.draftBar).toContainText('2 changes')
  await expect(rebase).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)

  await schema.draftBar.getByRole('button', { name: 'Undo', exact: true }).click()
  await schema.draftBar.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(schema.type('Thing')).toHaveCount(0)

  const change = { addVertexTypes: [{ Name: 'Place', PrimaryId: idOf('id'), Attributes: [] }] }
  await changeSchema(server.url, graph, change)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Place is already a vertex type.')
})

test('what is published is renamed with its data, written as text, and gone back to', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  await upsert(server.url, graph, { vertices: { Person: { '1': {} } } })
  await schema.open(server.url, graph, '?type=Person')
  await expect(schema.nameField).toHaveValue('Person')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('F2')
  await expect(schema.nameField).toBeFocused()
  await page.keyboard.type('Human')
  await page.keyboard.press('Enter')
  await expect(schema.type('Person → ?Human')).toBeVisible()
  for (const [item, text] of [
    ['Markdown', 'Not published yet: `Person → Human`'],
    ['GSQL', '//   Person → Human\nCREATE GRAPH people'],
  ] as const) {
    expect(await schema.exported(item)).toContain(text)
  }
  const query = 'CREATE QUERY all_people() {\n  S = {Person.*};\n  PRINT S;\n}'
  await page.evaluate(
    ([key = '', text = '']) => localStorage.setItem(key, text),
    [`quiver.query.${graph}.all_people`, query],
  )
  await schema.review()
  const costs = schema.group('Rewrites data')
  await expect(costs).toContainText('Person to Human')
  const drafts = page.getByRole('region', { name: 'Your drafts of queries' })
  await expect(drafts.getByRole('listitem')).toHaveText(/^all_people\s*line 2: .*Person/)

  // Somebody else takes the name, after what the change would do was told.
  const human = { Name: 'Human', PrimaryId: idOf('id'), Attributes: [] }
  await changeSchema(server.url, graph, { addVertexTypes: [human] })
  await schema.publishButton.click()
  await expect(page.getByText('Nothing was published')).toBeVisible()
  await expect(costs.getByRole('listitem')).toContainText(
    'The vertex name Human is used by another object!',
  )
  expect(await violations(page), 'a refused publish').toEqual([])
  await changeSchema(server.url, graph, { dropVertexTypes: ['Human'] })
  await schema.publishButton.click()
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  expect((await schemaOf(server.url, graph)).VertexTypes.map(({ Name }) => Name)).toEqual(['Human'])
  expect(await readVertex(server.url, graph, 'Human/1')).toBeDefined()

  await page.getByText('JSON', { exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Schema of people as JSON' })
  await expect(text).toContainText('"Human"')
  const state = page.getByRole('status').filter({ hasText: /draft/ }).first()
  await text.press('Control+Home')
  await page.keyboard.press('Delete')
  await expect(state).toContainText('Not in the draft yet. Line 2')
  expect(await violations(page), 'a text that is no schema').toEqual([])
  await text.press('ControlOrMeta+z')
  await expect(state).toHaveText('The draft matches this text.')
  await schema.type('Knows').click()
  await expect(text).toContainText('"Knows"')
  await text.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('_Of')
  await expect(schema.type('Knows → ?Knows_Of')).toBeVisible()
  await page.getByRole('button', { name: 'Add vertex type' }).click()
  await expect(text).toContainText('"NewVertex"')

  await page.getByRole('button', { name: 'History of the draft' }).click()
  const steps = page.getByRole('menuitem')
  await expect(steps).toContainText([/^Add vertex/, /^JSON: Rename Knows/, 'As published'])
  await steps.last().click()
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  await expect(text).not.toContainText('Knows_Of')
})

test('canvas and table show the same draft, and the canvas is walked by keyboard', async ({
  page,
  sampled: server,
}) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, 'sample')
  const nodes = page.getByRole('list', { name: 'Nodes' })
  await expect(nodes.getByRole('button')).toHaveCount(4)
  await schema.canvas.focus()
  await page.keyboard.press(']')
  await page.keyboard.press('Space')
  await expect(nodes.getByRole('button', { pressed: true })).toHaveCount(1)
  const chosen = await nodes.getByRole('button', { pressed: true }).textContent()
  const name = chosen?.replace('Vertex type ', '') ?? ''
  await expect(schema.inspector.getByRole('heading', { level: 2 }).first()).toHaveText(name)
  await page.keyboard.press('Control+\\')
  const table = page.getByRole('table', { name: 'Types of sample' })
  await expect(table.getByRole('row', { selected: true })).toContainText(name)
})

test('axe finds nothing in the designer in either theme', async ({ page, server }) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  await schema.open(server.url, graph, '?type=Person')
  await expect(schema.canvas).toBeVisible()
  expect(await violations(page), 'vertex').toEqual([])
  await schema.type('Knows').click()
  expect(await violations(page), 'edge').toEqual([])
  await page.getByRole('button', { name: 'Add edge type' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await violations(page), 'new edge').toEqual([])
  await page.keyboard.press('Escape')
  await schema.open(server.url, graph, '?view=table')
  expect(await violations(page), 'table').toEqual([])
  await schema.type('Person').click()
  await schema.inspector.getByRole('button', { name: 'Drop type' }).click()
  await schema.review()
  await expect(schema.group('Deletes data')).toContainText('0 vertices')
  expect(await violations(page), 'review').toEqual([])
})

async function changeSchema(url: string, graph: string, change: object): Promise<void> {
  const body = JSON.stringify(change)
  const answer = await fetch(`${url}/gsql/v1/schema/change?graph=${graph}`, {
    method: 'POST',
    body,
  })
  expect(await answer.json()).toMatchObject({ error: false })
}

function idOf(name: string): object {
  return { AttributeName: name, AttributeType: { Name: 'STRING' } }
}
