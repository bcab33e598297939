import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeGraph, people, schemaOf } from '../pages/graphs.ts'
import { SchemaPage } from '../pages/schema-page.ts'

test('types and attributes are described, and told of wherever the schema is', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const schema = new SchemaPage(page)
  await schema.open(server.url, graph, '?type=Person')
  const field = (name: string) => schema.inspector.getByRole('textbox', { name, exact: true })
  await field('Description').fill('Anybody who "counts".')
  // What is written is in the draft while the field still has the focus.
  await expect(schema.draftBar).toContainText('1 change')
  await page.keyboard.type(' And more.')
  await schema.inspector.getByText('Descriptions of attributes: 0 of 5').click()
  await field('Description of age').fill('In years.')
  await field('Description of id').fill('As on the card.')
  await field('Description of tags').fill('For a moment.')
  await expect(schema.inspector.getByText('Descriptions of attributes: 3 of 5')).toBeVisible()
  await field('Description of tags').fill('')
  await expect(schema.draftBar).toContainText('3 changes')
  expect(await violations(page), 'descriptions').toEqual([])

  await page.reload()
  await expect(schema.draftBar).toContainText('3 changes')
  await schema.review()
  await expect(schema.group('Safe').getByRole('listitem')).toHaveText([
    'Describes Person.',
    'Describes Person.id.',
    'Describes Person.age.',
  ])
  await schema.publishButton.click()
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  const [type] = (await schemaOf(server.url, graph)).VertexTypes
  expect(type).toMatchObject({
    Description: 'Anybody who "counts". And more.',
    PrimaryId: { Description: 'As on the card.' },
    Attributes: [{}, { AttributeName: 'age', Description: 'In years.' }, {}, {}],
  })

  await page.getByText('Table', { exact: true }).click()
  await expect(page.getByRole('row', { name: /^Person/ })).toContainText('Anybody who "counts".')
  await page.getByText('Canvas', { exact: true }).click()
  for (const [item, text] of [
    ['Markdown', '| `age` | `UINT` |  | In years. |'],
    ['GSQL', 'age UINT DESCRIPTION "In years."'],
    ['JSON', '"Description": "As on the card."'],
  ] as const) {
    expect(await schema.exported(item)).toContain(text)
  }

  await schema.type('Person').click()
  await field('Description').fill('')
  await schema.publish()
  expect((await schemaOf(server.url, graph)).VertexTypes[0]).not.toHaveProperty('Description')
})
