import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { drag, middleOfType } from '../pages/canvas.ts'
import { watchErrors } from '../pages/console.ts'
import { makeGraph, schemaOf } from '../pages/graphs.ts'
import { SchemaPage } from '../pages/schema-page.ts'

const vertex = (name: string) => ({
  Name: name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes: [],
})
const town = {
  graph: 'town',
  change: { addVertexTypes: [vertex('Person'), vertex('City')], addEdgeTypes: [] },
}

test('an edge type is drawn by dragging from one vertex type to another', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, town))
  const person = await middleOfType(schema.canvas, schema.type('Person'))
  const city = await middleOfType(schema.canvas, schema.type('City'))
  const drawing = page.getByRole('button', { name: 'Draw an edge type' })
  await drawing.click()
  await expect(drawing).toHaveAttribute('aria-pressed', 'true')
  await drag(page, person, city)

  const dialog = page.getByRole('dialog', { name: 'New edge type' })
  await expect(dialog.getByRole('combobox', { name: 'From' })).toHaveValue('Person')
  await expect(dialog.getByRole('combobox', { name: 'To' })).toHaveValue('City')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Person_City')
  await dialog.getByRole('button', { name: 'Add edge type' }).click()
  await expect(schema.type('Person_City')).toHaveAttribute('aria-current', 'true')

  await schema.publish()
  const published = await schemaOf(server.url, 'town')
  expect(published.EdgeTypes).toMatchObject([
    { Name: 'Person_City', FromVertexTypeName: 'Person', ToVertexTypeName: 'City' },
  ])
  expect(errors).toEqual([])
})

test('a drag that comes back is a loop, and one into the void draws nothing', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, town))
  const person = await middleOfType(schema.canvas, schema.type('Person'))
  await page.getByRole('button', { name: 'Draw an edge type' }).click()
  const box = await schema.canvas.boundingBox()
  if (box === null) throw new Error('no canvas')
  await drag(page, person, { x: box.x + 12, y: box.y + box.height - 12 })
  const dialog = page.getByRole('dialog', { name: 'New edge type' })
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  await expect(dialog).toHaveCount(0)

  await page.mouse.move(person.x, person.y)
  await page.mouse.down()
  await page.mouse.move(person.x + 60, person.y + 90, { steps: 8 })
  await page.mouse.move(person.x, person.y, { steps: 8 })
  await page.mouse.up()
  await expect(dialog.getByRole('combobox', { name: 'From' })).toHaveValue('Person')
  await expect(dialog.getByRole('combobox', { name: 'To' })).toHaveValue('Person')
})

test('an edge type is made by the keyboard alone, with its reverse edge', async ({
  page,
  server,
}) => {
  const schema = new SchemaPage(page)
  await schema.open(server.url, await makeGraph(server.url, town))
  await schema.canvas.focus()
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'New edge type' })
  await expect(dialog.getByRole('combobox', { name: 'To' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Pers')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'To' })).toHaveValue('Person')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Likes')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('switch', { name: 'With a reverse edge' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(schema.type('Likes')).toHaveAttribute('aria-current', 'true')
  await expect(
    schema.inspector.getByRole('textbox', { name: 'Name of the reverse edge' }),
  ).toHaveValue('reverse_Likes')
})
