import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage, watchErrors } from '../pages/console.ts'
import { DataPage } from '../pages/data-page.ts'

const customers = 'customer_id,name,zip,age\n17,Ada,01234,36\n18,Bo,99999,41\n19,Cy,00001,\n'

test('a CSV on an empty server becomes a graph with its rows in it', async ({ page, server }) => {
  const errors = watchErrors(page)
  const view = consolePage(page, server.url)
  await view.open('/')
  await page.getByRole('link', { name: 'Start from a CSV' }).click()
  await expect(view.heading).toHaveText('New graph')
  const buffer = Buffer.from(customers)
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer }
  await page.getByLabel('CSV file').last().setInputFiles(file)
  await expect(page.getByRole('textbox', { name: 'Graph' })).toHaveValue('customers')
  await expect(page.getByRole('textbox', { name: /^Vertex type/ })).toHaveValue('Customer')
  await expect(page.getByRole('combobox', { name: 'Type of zip' })).toHaveValue('STRING')
  await expect(page.getByRole('combobox', { name: 'Type of age' })).toHaveValue('INT')

  const attribute = page.getByRole('textbox', { name: 'Attribute for name' })
  const create = page.getByRole('button', { name: /^Create the graph/ })
  await attribute.fill('zip')
  await expect(page.getByText('Another column is zip, too.')).toBeVisible()
  await expect(create).toBeDisabled()
  await attribute.fill('name')
  await create.click()

  const data = new DataPage(page)
  await expect(data.dryRun).toContainText('3')
  await page.getByRole('button', { name: 'Load into Customer' }).click()
  await expect(data.load).toContainText('3')
  const answer = await fetch(`${server.url}/restpp/graph/customers/vertices/Customer/17`)
  const { results } = (await answer.json()) as { results: readonly { attributes: object }[] }
  expect(results[0]?.attributes).toMatchObject({ name: 'Ada', zip: '01234', age: 36 })
  expect(errors).toEqual([])
})

test('a schema pasted as JSON becomes a graph, or is refused whole', async ({ page, server }) => {
  const view = consolePage(page, server.url)
  await view.open('/')
  await page.getByRole('link', { name: 'Paste a schema' }).click()
  const text = page.getByRole('textbox', { name: 'Schema' })
  const create = page.getByRole('button', { name: 'Create the graph' })
  const typed = (attribute: string) =>
    JSON.stringify({
      VertexTypes: [
        {
          Name: 'City',
          PrimaryId: { Name: 'id', AttributeType: { Name: 'STRING' } },
          Attributes: [{ AttributeName: 'people', AttributeType: { Name: attribute } }],
        },
      ],
    })
  await text.fill('{"VertexTypes": [}')
  await page.getByRole('textbox', { name: 'Graph' }).fill('atlas')
  await create.click()
  await expect(page.getByRole('alert')).toContainText('JSON')
  await text.fill(typed('INTT'))
  await create.click()
  await expect(page.getByRole('alert')).toContainText("'INTT' is not a valid attribute type")
  const graphs = await fetch(`${server.url}/gsql/v1/schema/graphs`)
  expect(await graphs.json()).toMatchObject({ graphs: [] })
  await text.fill(typed('INT'))
  await create.click()
  await expect(view.heading).toHaveText('Schema')
  await expect(page.getByText('1 vertex type, 0 edge types')).toBeVisible()
})

test('a GSQL script makes its graph and shows what the server printed', async ({
  page,
  server,
}) => {
  const view = consolePage(page, server.url)
  await view.open('/start?from=schema')
  const text = page.getByRole('textbox', { name: 'Schema' })
  const run = page.getByRole('button', { name: 'Run the script' })
  const printed = page.getByRole('region', { name: 'What the server printed' })
  await text.fill('CREATE VERTEX Person (PRIMARY_ID id STRNG)')
  await run.click()
  await expect(printed).toContainText('STRNG')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await text.fill('CREATE VERTEX Person (PRIMARY_ID id STRING)')
  await run.click()
  await expect(page.getByRole('alert')).toContainText('The script made no graph')
  await text.fill(
    'CREATE UNDIRECTED EDGE Knows (FROM Person, TO Person)\n' +
      'CREATE GRAPH people (Person, Knows)',
  )
  await run.click()
  await page.getByRole('link', { name: 'Open the graph people' }).click()
  await expect(page.getByText('1 vertex type, 1 edge type')).toBeVisible()
})

test('axe finds nothing at the start in either theme', async ({ page, server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const view = consolePage(page, server.url)
  await view.open('/')
  await expect(page.getByText('No graphs yet.')).toBeVisible()
  expect(await violations(page), 'home').toEqual([])
  await view.open('/start')
  const file = { name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from('n,k\n1,a\n1,b\n') }
  await page.getByLabel('CSV file').last().setInputFiles(file)
  await expect(page.getByRole('table', { name: 'Columns' })).toBeVisible()
  expect(await violations(page), 'CSV').toEqual([])
  await page.getByRole('tab', { name: 'Schema' }).click()
  await page.getByRole('textbox', { name: 'Schema' }).fill('{"VertexTypes": 1}')
  expect(await violations(page), 'schema').toEqual([])
})

test('renamed columns stay mapped, and all rows decide on types and on what is loaded', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const view = consolePage(page, server.url)
  await view.open('/start')
  const rows = Array.from({ length: 400 }, (_, row) => `p${row},Name ${row},town,${row},x`)
  rows[0] = 'p0,"Ada ""A""\nLovelace","one, two",9223372036854775807,x'
  rows[350] = 'p350,Short'
  rows[360] = 'p360,"damaged" quote,town,360,x'
  rows[399] = 'p399,Last,town,0042,x'
  const text = `person_id,Full Name,city,ticket,unused\n${rows.join('\n')}\n`
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel('CSV file').last().setInputFiles(file)
  await expect(page.getByRole('combobox', { name: 'Type of ticket' })).toHaveValue('STRING')
  await expect(page.getByText('Of 400 rows: 1 with a damaged quote, 1 with too few')).toBeVisible()
  await page.getByRole('textbox', { name: 'Attribute for Full Name' }).fill('name')
  await page.getByRole('textbox', { name: 'Attribute for city' }).fill('home')
  await page.getByRole('checkbox', { name: 'unused' }).uncheck()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^Create the graph/ }).click()

  const data = new DataPage(page)
  await expect(data.column('name')).toHaveValue(/^Full Name/)
  await expect(data.column('home')).toHaveValue(/^city/)
  await expect(page.getByText('Not loaded: unused')).toBeVisible()
  await expect(data.dryRun).toContainText('398 of 400 rows can be loaded.')
  await expect(data.dryRun).toContainText('has 2 cells instead of 5')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^Load into/ }).click()
  await expect(data.load).toContainText('398 vertices and 0 edges accepted')
  await expect(data.load).toContainText('2 rows rejected')
  const read = async (id: string) => {
    const path = `${server.url}/restpp/graph/people/vertices/People/${id}`
    const { results } = (await (await fetch(path)).json()) as {
      results: readonly { attributes: object }[]
    }
    return results[0]?.attributes
  }
  expect(await read('p0')).toMatchObject({
    name: 'Ada "A"\nLovelace',
    home: 'one, two',
    ticket: '9223372036854775807',
  })
  expect(await read('p399')).toMatchObject({ name: 'Last', ticket: '0042' })
  expect(errors).toEqual([])
})
