import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { DataPage } from '../pages/data-page.ts'
import { makeGraph, people, readVertex } from '../pages/graphs.ts'

const ROWS = 12_000

test('a CSV file is mapped, tried, loaded, and its wrong rows are listed', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  const rows = Array.from({ length: ROWS }, (_, row) => `${row};"N; ${row}";${row % 100};a|b`)
  rows[9] = '9;nine;-1;'
  rows[5_000] = 'x;none;1;'
  rows[11_999] = '708663653625634816;last;1;'
  await data.chooseFile('person.csv', `ID;Name;AGE;tags\n${rows.join('\n')}\n`)
  await expect(data.column('Person id')).toHaveValue(/^ID/)
  await expect(data.column('age')).toHaveValue(/^AGE/)
  await expect(data.dryRun).toContainText('11,998 of 12,000 rows can be loaded.')
  await expect(data.dryRun).toContainText('Row 11: age: “-1” is not a valid UINT')
  await data.button('Load into Person').click()
  await expect(data.load).toContainText('Done')
  await expect(data.load).toContainText('11,998 vertices and 0 edges accepted')
  const rejected = page.getByRole('table', { name: 'Rejected rows' })
  await expect(rejected).toContainText('the id x is not a valid INT')
  await expect(rejected.getByRole('row')).toHaveCount(3)
  await data.load.getByRole('button', { name: 'Commit to disk' }).click()
  await expect(data.load).toContainText('Committed to disk in')
  const download = page.waitForEvent('download')
  await data.button('Download rejected rows').click()
  expect((await download).suggestedFilename()).toBe('person.csv.rejected.csv')

  expect(await readVertex(server.url, graph, 'Person/708663653625634816')).toBeDefined()
  const seven = await readVertex(server.url, graph, 'Person/7')
  expect(seven?.attributes).toMatchObject({ name: 'N; 7', age: 7, tags: ['a', 'b'] })
  expect(errors).toEqual([])
})

test('a load goes on while other pages are looked at', async ({ page, server }) => {
  const errors = watchErrors(page)
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  const held = Promise.withResolvers<void>()
  await page.route(`**/restpp/graph/${graph}*`, async (route) => {
    await held.promise
    await route.continue()
  })
  const rows = Array.from({ length: ROWS }, (_, row) => `${row};N ${row}`)
  await data.chooseFile('person.csv', `id;name\n${rows.join('\n')}\n`)
  await data.button('Load into Person').click()
  await expect(data.load).toContainText('Loading')
  await page.getByRole('tab', { name: 'Form' }).click()
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.getByRole('button', { name: 'Activity, 1 running' }).click()
  await expect(page.getByText(`Load into ${graph}`)).toBeVisible()
  await page.keyboard.press('Escape')
  held.resolve()
  await page.getByRole('link', { name: 'Data' }).click()
  await expect(data.load).toContainText('12,000 vertices and 0 edges accepted')
  await expect(data.load).toContainText('Done')
  await data.button('Load again').click()
  await expect(data.button('Load into Person')).toBeVisible()
  expect(errors).toEqual([])
})

test('rejected rows are mended in place and tried again', async ({ page, server }) => {
  const errors = watchErrors(page)
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  const lines = [
    'id;name;age',
    '1;"Zoë; ""Z""";5',
    '2;Bo;-1',
    '9223372036854775807;Cy;\\N',
    'x;D;1',
  ]
  await data.chooseFile('person.csv', `\uFEFF${lines.join('\r\n')}\r\n5;a;1;surplus\r\n`)
  await expect(data.dryRun).toContainText('2 of 5 rows can be loaded.')
  await data.button('Load into Person').click()
  await expect(data.load).toContainText('2 vertices and 0 edges accepted')
  await expect(data.rejected).toContainText('has 4 cells instead of 3')
  expect(await violations(page)).toEqual([])

  await page.getByRole('textbox', { name: 'age of row 3' }).fill('41')
  await expect(data.rejected.getByRole('row', { name: /^3 mended/ })).toBeVisible()
  await page.getByRole('textbox', { name: 'id of row 5' }).fill('y')
  await data.button('Try 3 rows again').click()
  await expect(data.load).toContainText('3 vertices and 0 edges accepted')
  await expect(data.load).toContainText('2 rows rejected')
  await expect(data.rejected).toContainText('the id y is not a valid INT')

  const text = async (path: string) =>
    (await fetch(`${server.url}/restpp/graph/${graph}/vertices/${path}`)).text()
  expect(await text('Person/1')).toContain('Zoë; \\"Z\\"')
  expect(await text('Person/2')).toContain('"age":41')
  expect(await text('Person/9223372036854775807')).toContain('"v_id":"9223372036854775807"')
  expect(errors).toEqual([])
})

test('an edge type is made for the rows of a file, and rejected rows are not lost unasked', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  await data.chooseFile('met.csv', 'who,whom,since,weight\n1,2,2020,1.5\n1,3,,2\n2,9,2021,\n')
  await data.button('New edge type').click()
  await data.button('Create met').click()
  await expect(data.column('weight')).toHaveValue(/^weight/)
  await expect(data.dryRun).toContainText('2 values defaulted (since 1, weight 1)')
  await data.button('Load into met').click()
  await expect(data.load).toContainText('0 vertices and 3 edges accepted')
  await expect(data.load).toContainText('4 missing endpoints created')
  await expect(data.load).toContainText('2 values defaulted (since 1, weight 1)')

  await data.chooseFile('person.csv', 'id,name\n5,a\nx,b\n', 'Other file')
  await data.button('Load into Person').click()
  await expect(data.load).toContainText('1 row rejected')
  await data.button('Other file').click()
  const question = page.getByRole('dialog', { name: 'Leave 1 rejected row?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(data.rejected).toContainText('the id x is not a valid INT')
})

test('NDJSON payloads are loaded line by line; the server’s refusal names the line', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  const lines = [
    '{"vertices":{"Person":{"1":{"name":{"value":"Ada"}}}}}',
    '{"vertices":{"Person":{"2":{"nothing":{"value":1}}}}}',
    'no json',
    '{"edges":{"Person":{"1":{"Knows":{"Person":{"3":{}}}}}}}',
  ]
  await data.chooseFile('some.ndjson', lines.join('\n'))
  await data.button('Load some.ndjson').click()
  await expect(data.load).toContainText('1 vertex and 1 edge accepted')
  const rejected = page.getByRole('table', { name: 'Rejected rows' })
  await expect(rejected.getByRole('row', { name: /^2 .*nothing/ })).toBeVisible()
  await expect(rejected.getByRole('row', { name: /^3 / })).toBeVisible()
  await page
    .getByRole('textbox', { name: 'Line of row 3' })
    .fill('{"vertices":{"Person":{"9":{"score":{"value":9223372036854775807}}}}}')
  await data.button('Try 2 rows again').click()
  await expect(data.load).toContainText('2 vertices and 1 edge accepted')
  const answer = await fetch(`${server.url}/restpp/graph/${graph}/vertices/Person/9`)
  expect(await answer.text()).toContain('"score":9223372036854775807')
})

test('a JSON payload is looked over, written with options, and its counts are shown', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'json')
  await data.writePayload('{"vertices":{"Person":{"1":{"nme":{"value":"A"}}}}}')
  await expect(data.preview).toContainText('Person has no attribute nme')
  await data.writePayload('{"vertices":{"Person":{"1":{"name":{"value":"A"}},"2":{}}}}')
  await expect(data.preview).toContainText('Holds 2 Person.')
  await data.button(/^Write$/).click()
  await expect(data.result).toContainText('2 vertices and 0 edges accepted')

  await data.choose('Vertices', 'New vertices only')
  await expect(page.getByText('those that exist are left alone')).toBeVisible()
  await data.writePayload('{"vertices":{"Person":{"1":{"name":{"value":"B"}},"3":{}}}}')
  await data.button(/^Write$/).click()
  await expect(data.result).toContainText('1 vertex and 0 edges accepted')
  await expect(data.result).toContainText('Vertices that exist already (1)')
  expect((await readVertex(server.url, graph, 'Person/1'))?.attributes).toMatchObject({ name: 'A' })
})

test('one vertex is written in a form, which knows what fits', async ({ page, server }) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'form')
  await page.getByRole('textbox', { name: 'Id', exact: true }).fill('7')
  await page.getByRole('textbox', { name: 'age (UINT)' }).fill('-1')
  await data.button('Write Person').click()
  await expect(page.getByText('“-1” is not a valid UINT')).toBeVisible()
  await page.getByRole('textbox', { name: 'age (UINT)' }).fill('5')
  await data.button('Write Person').click()
  await expect(data.result).toContainText('1 vertex and 0 edges accepted')
  await data.choose('Operation on age', '+ add')
  await data.button('Write Person').click()
  await expect
    .poll(async () => (await readVertex(server.url, graph, 'Person/7'))?.attributes['age'])
    .toBe(10)
})

test('axe finds nothing on the Data page in either theme', async ({ page, server }) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'file')
  expect(await violations(page), 'no file').toEqual([])
  await data.chooseFile('person.csv', 'id,name,age\n1,a,-1\n2,b,3\n')
  await expect(data.dryRun).toBeVisible()
  expect(await violations(page), 'mapping').toEqual([])
  await data.button('Load into Person').click()
  await expect(data.load).toContainText('Done')
  expect(await violations(page), 'loaded').toEqual([])
  await data.open(server.url, graph, 'form')
  expect(await violations(page), 'form').toEqual([])
  await data.open(server.url, graph, 'json')
  await expect(page.getByRole('textbox', { name: 'Upsert payload' })).toBeVisible()
  expect(await violations(page), 'json').toEqual([])
})
