import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, people, schemaOf } from '../pages/graphs.ts'
import { SchemaPage } from '../pages/schema-page.ts'

test('every kind of id is designed in the form and published', async ({ page, server }) => {
  const errors = watchErrors(page)
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, { graph: 'town', change: {} }))

  await schema.addVertexByKey('Beside')
  await schema.idField.fill('bid')
  await schema.chooseIn('Id type', 'UINT')
  await schema.inspector.getByRole('switch', { name: /see the id as an attribute/ }).click()

  await schema.addVertexByKey('Keyed')
  await schema.chooseId('Primary key')
  await schema.idField.fill('at')
  await schema.chooseIn('Id type', 'DATETIME')
  await expect(schema.idField).toHaveValue('at')

  await schema.addVertexByKey('Several')
  await schema.pasteAttributes('name STRING\nnumber INT = -9223372036854775808\nnote LIST<STRING>')
  await schema.chooseId('Composite key')
  await expect(schema.keyMembers).toHaveText([/id/, /name/])
  await schema.inspector.getByRole('combobox', { name: 'Add a member to the key' }).click()
  await expect(page.getByRole('option', { name: 'note' })).toHaveCount(0)
  await page.getByRole('option', { name: 'number' }).click()
  await schema.inspector.getByRole('button', { name: 'Move number up' }).click()
  await schema.inspector.getByRole('button', { name: 'Take id out of the key' }).click()
  await expect(schema.keyMembers).toHaveText([/number/, /name/])
  await schema.inspector.getByRole('switch', { name: /Count the edges/ }).click()
  expect(await violations(page)).toEqual([])

  await schema.publish()
  const { VertexTypes } = await schemaOf(server.url, 'town')
  expect(VertexTypes).toMatchObject([
    { Name: 'Beside', PrimaryId: { AttributeName: 'bid', AttributeType: { Name: 'UINT' } } },
    {
      Name: 'Keyed',
      PrimaryId: { AttributeName: 'at', AttributeType: { Name: 'DATETIME' }, IsPrimaryKey: true },
      Attributes: [{ AttributeName: 'at' }],
    },
    {
      Name: 'Several',
      PrimaryId: { AttributeName: 'number,name', IsPartOfCompositeKey: true },
      Config: { STATS: 'NONE' },
    },
  ])
  expect(VertexTypes[0]?.PrimaryId).not.toHaveProperty('PrimaryIdAsAttribute')
  const number = VertexTypes[2]?.Attributes.find(({ AttributeName }) => AttributeName === 'number')
  expect(number).toMatchObject({ DefaultValue: '-9223372036854775808' })
  await schema.type('Several').click()
  await expect(schema.inspector).toContainText('(number, name)')
  expect(errors).toEqual([])
})

test('attributes take every type, default and index, and say what does not fit', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, { graph: 'town', change: {} })
  await page.goto(`${server.url}/ui/${graph}/schema`)
  await schema.openDialog('Tuple types')
  const tuples = page.getByRole('dialog', { name: 'Tuple types' })
  await tuples.getByRole('textbox', { name: 'Name' }).fill('Addr')
  await tuples.getByRole('textbox', { name: 'One field per row' }).fill('street STRING(0)')
  await expect(tuples).toContainText('a length is 1 to 65535')
  await tuples.getByRole('textbox', { name: 'One field per row' }).fill('street STRING(40)\nno INT')
  await tuples.getByRole('button', { name: 'Create tuple type' }).click()
  await expect(tuples.getByRole('list', { name: 'Tuple types' })).toContainText('street STRING(40)')
  await page.keyboard.press('Escape')
  await expect(tuples).toHaveCount(0)

  await schema.addVertexByKey('Thing')
  await schema.addAttributeByKey('big')
  await schema.setCell('Type of big', 'LIST<BOOL>')
  await expect(schema.inspector).toContainText('LIST holds')
  await schema.setCell('Type of big', 'int')
  await schema.setCell('Default of big', '9223372036854775808')
  await expect(schema.inspector).toContainText('Outside -9223372036854775808')
  await schema.setCell('Default of big', '9223372036854775807')
  await schema.inspector.getByRole('checkbox', { name: 'Index on big' }).check()
  await schema.addAttributeByKey('home')
  await schema.setCell('Type of home', 'Addr')
  await schema.pasteAttributes('tags SET<STRING>\nphones MAP<STRING,INT>\nhomes LIST<Addr>')
  await schema.publish()

  const { VertexTypes } = await schemaOf(server.url, 'town')
  expect(VertexTypes[0]?.Attributes).toMatchObject([
    { AttributeName: 'big', DefaultValue: '9223372036854775807', IndexName: 'Thing_big_index' },
    { AttributeName: 'home', AttributeType: { Name: 'UDT', ValueTypeName: 'Addr' } },
    { AttributeName: 'tags', AttributeType: { Name: 'SET', ValueTypeName: 'STRING' } },
    { AttributeName: 'phones', AttributeType: { KeyTypeName: 'STRING', ValueTypeName: 'INT' } },
    { AttributeName: 'homes', AttributeType: { Name: 'LIST', ValueTypeName: 'Addr' } },
  ])
})

test('a type chosen by the arrow keys is one step, whatever was typed before', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, { graph: 'town', change: {} }))
  await schema.addVertexByKey('Thing')
  await schema.addAttributeByKey('big')
  const type = schema.inspector.getByRole('combobox', { name: 'Type of big' })
  await expect(type).toHaveValue('STRING')
  await type.fill('INT')
  const offered = page.getByRole('option')
  await expect(offered.nth(1)).toHaveText('UINT')
  await type.press('ArrowDown')
  await type.press('ArrowDown')
  await type.press('Enter')
  await expect(type).toHaveValue('UINT')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(type).toHaveValue('STRING')
})

test('an edge type gets pairs, discriminators and no direction in the form', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, people))
  await schema.addVertexByKey('City')
  await schema.addEdge('Meets', 'Person', 'City')
  await schema.inspector.getByRole('checkbox', { name: 'City to City' }).check()
  await schema.inspector.getByText('Undirected', { exact: true }).click()
  await schema.inspector.getByRole('checkbox', { name: 'City to Person' }).uncheck()
  await schema.inspector.getByRole('checkbox', { name: 'City to Person' }).check()
  await expect(schema.inspector.getByRole('checkbox', { name: 'Person to City' })).toBeChecked()
  await schema.pasteAttributes('place STRING\nday DATETIME\nweight DOUBLE')
  await schema.inspector.getByRole('checkbox', { name: /^day tells/ }).check()
  await schema.inspector.getByRole('checkbox', { name: /^place tells/ }).check()
  await expect(schema.inspector.getByRole('checkbox', { name: /^weight tells/ })).toBeDisabled()
  await schema.publish()
  const meets = (await schemaOf(server.url, 'people')).EdgeTypes.find(
    ({ Name }) => Name === 'Meets',
  )
  expect(meets).toMatchObject({
    IsDirected: false,
    CompositeDiscriminator: ['day', 'place'],
    EdgePairs: [
      { From: 'City', To: 'City' },
      { From: 'City', To: 'Person' },
    ],
  })
})

test('a global type made in one graph is taken into another', async ({ page, server }) => {
  const schema = new SchemaPage(page)
  await makeGraph(server.url, { graph: 'other', change: {} })
  await schema.open(server.url, await makeGraph(server.url, people))
  await schema.addVertexByKey('Country')
  await schema.inspector.getByRole('switch', { name: /^Global/ }).click()
  await schema.addEdge('Borders', 'Country', 'Country')
  await schema.inspector.getByRole('switch', { name: /^Global/ }).click()
  await schema.inspector.getByRole('checkbox', { name: 'Country to Person' }).click()
  await expect(schema.inspector.getByRole('alert')).toContainText('Person is local to this graph')
  await schema.publish()

  await schema.open(server.url, 'other')
  await schema.openDialog('Add global types')
  const dialog = page.getByRole('dialog', { name: 'Global types' })
  await dialog.getByRole('checkbox', { name: 'Borders' }).check()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Put into the draft' }).click()
  await expect(schema.draftBar).toContainText('2 changes')
  await schema.publish()
  const other = await schemaOf(server.url, 'other')
  expect(other.VertexTypes.map(({ Name }) => Name)).toEqual(['Country'])
  expect(other.EdgeTypes.map(({ Name }) => Name)).toEqual(['Borders'])
})

test('a draft goes on in another browser, and is gone there once published', async ({
  page,
  browser,
  server,
}) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  await schema.open(server.url, graph)
  const written = page.waitForResponse(
    (answer) =>
      answer.url().includes('/documents/schema-draft/') && answer.request().method() === 'PUT',
  )
  await schema.addVertexByKey('Place')
  expect((await written).ok()).toBe(true)
  const draftOf = () => documentOf(server.url, graph)
  await expect.poll(draftOf).toMatchObject({ done: [{ kind: 'addType' }, { to: 'Place' }] })

  const other = await browser.newContext()
  try {
    const elsewhere = new SchemaPage(await other.newPage())
    await elsewhere.open(server.url, graph)
    await expect(elsewhere.type('Place')).toBeVisible()
    await elsewhere.publish()
    await expect.poll(draftOf).toMatchObject({ done: [], undone: [] })
  } finally {
    await other.close()
  }
  await page.reload()
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('two windows do not overwrite each other’s draft unseen', async ({ page, server }) => {
  const schema = new SchemaPage(page)
  const graph = await makeGraph(server.url, people)
  await schema.open(server.url, graph)
  const done = [{ kind: 'dropType', name: 'Knows' }]
  const other = { format: 1, baseVersion: '', done, undone: [], savedAt: Date.now() }
  await fetch(`${server.url}/quiver/v1/documents/schema-draft/${graph}`, {
    method: 'PUT',
    body: JSON.stringify(other),
  })
  await schema.addVertexByKey('Place')
  await expect(page.getByRole('alert')).toContainText('Another window changed the draft')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Take the other one' }).click()
  await expect(schema.type('Knows')).toHaveCount(0)
  await expect(schema.type('Place')).toHaveCount(0)
  await schema.addVertexByKey('Place')
  const draftOf = () => documentOf(server.url, graph)
  await expect
    .poll(draftOf)
    .toMatchObject({ done: [{ kind: 'dropType' }, { kind: 'addType' }, {}] })
})

async function documentOf(url: string, key: string): Promise<unknown> {
  const answer = await fetch(`${url}/quiver/v1/documents/schema-draft/${key}`)
  return ((await answer.json()) as { results: { value: unknown } | null }).results?.value
}

test('a vector attribute is added, published, renamed with the id, and dropped again', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, { graph: 'town', change: {} }))
  await schema.addVertexByKey('Doc')
  const vectors = schema.inspector.getByRole('region', { name: 'Vectors' })
  await vectors.getByRole('button', { name: 'Add vector' }).click()
  await vectors.getByRole('textbox', { name: 'Vector name' }).fill('emb')
  const numbers = vectors.getByRole('textbox', { name: 'Numbers' })
  await numbers.fill('4000')
  await numbers.fill('40000')
  await numbers.press('Enter')
  await expect(vectors.getByText('1 to 32,768')).toBeVisible()
  await expect(vectors.getByRole('button', { name: 'Drop vector emb' })).toHaveCount(0)
  await numbers.fill('384')
  await vectors.getByRole('combobox', { name: 'Metric' }).selectOption('L2')
  await vectors.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(vectors).toContainText('384 numbers, L2')
  expect(await violations(page)).toEqual([])
  await schema.publish()
  const published = await schemaOf(server.url, 'town')
  expect(published.VertexTypes).toMatchObject([
    { Name: 'Doc', EmbeddingAttributes: [{ Name: 'emb', Dimension: 384, Metric: 'L2' }] },
  ])
  await schema.type('Doc').click()
  await schema.setCell('Name of vector emb', 'meaning')
  await expect(vectors).toContainText('Published as emb: its values stay.')
  await schema.idField.fill('meaning')
  await expect(schema.inspector).toContainText('Doc already has an attribute meaning.')
  await schema.idField.fill('number')
  await schema.idField.press('Enter')
  await expect(schema.draftBar).toContainText('2 changes')
  await schema.publish()
  expect((await schemaOf(server.url, 'town')).VertexTypes).toMatchObject([
    { PrimaryId: { AttributeName: 'number' }, EmbeddingAttributes: [{ Name: 'meaning' }] },
  ])
  await schema.type('Doc').click()
  await vectors.getByRole('button', { name: 'Drop vector meaning' }).click()
  await expect(schema.draftBar).toContainText('deletes data')
  expect(errors).toEqual([])
})
