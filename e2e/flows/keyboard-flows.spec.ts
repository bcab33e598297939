import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, people, readVertex, schemaOf, upsert } from '../pages/graphs.ts'
import { Keyboard } from '../pages/keyboard.ts'
import { QueriesPage } from '../pages/queries-page.ts'
import { SchemaPage } from '../pages/schema-page.ts'

const ENDLESS = `CREATE OR REPLACE QUERY endless() {
  SumAccum<INT> @@count;
  WHILE TRUE DO @@count += 1; END;
  PRINT @@count;
}`

test('who has no mouse signs in', async ({ page, server }) => {
  const keys = await Keyboard.of(page)
  const answer = await fetch(`${server.url}/quiver/v1/session/password`, {
    method: 'PUT',
    body: JSON.stringify({ current: 'tigergraph', next: 'a new one' }),
  })
  expect(answer.ok).toBe(true)
  await page.goto(`${server.url}/ui/settings`)
  await keys.goTo(page.getByLabel('Password').first())
  await keys.type('a new one')
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
  await keys.isSomewhere()
  await keys.usedNoMouse()
})

test('a vertex type with two attributes and an edge type are made and published by keys', async ({
  page,
  server,
}) => {
  const keys = await Keyboard.of(page)
  const graph = await makeGraph(server.url, people)
  const schema = new SchemaPage(page)
  await schema.open(server.url, graph)
  await keys.goTo(schema.canvas)
  await keys.press('n')
  await expect(schema.nameField).toBeFocused()
  await keys.type('City')
  await keys.press('Enter')
  await expect(schema.type('City')).toBeVisible()
  for (const name of ['country', 'size']) {
    await keys.goTo(schema.canvas)
    await keys.press('a')
    const field = schema.inspector.getByRole('textbox', { name: /^Name of attribute/ }).last()
    await expect(field).toBeFocused()
    await keys.type(name)
    await keys.press('Enter')
    await expect(field).toHaveValue(name)
  }
  await keys.goTo(schema.canvas)
  await keys.press('e')
  const dialog = page.getByRole('dialog', { name: 'New edge type' })
  // The first Escape in an open list closes the list alone.
  await keys.goTo(dialog.getByRole('button', { name: 'Cancel' }))
  await keys.leaves(dialog, schema.canvas)
  await keys.press('e')
  const target = dialog.getByRole('combobox', { name: 'To' })
  await keys.goTo(target)
  await keys.retype('Cit')
  await page.getByRole('option', { name: 'City', exact: true }).waitFor()
  await keys.press('ArrowDown', 'Enter')
  await expect(target).toHaveValue('City')
  await keys.goTo(dialog.getByRole('textbox', { name: 'Name', exact: true }))
  await keys.retype('Next_To')
  await keys.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(schema.canvas).toBeFocused()

  await keys.press('ControlOrMeta+s')
  await keys.activate(schema.publishButton)
  await expect(schema.draftBar).toContainText('No unpublished changes.')
  await keys.isSomewhere()
  const { VertexTypes, EdgeTypes } = await schemaOf(server.url, graph)
  const city = VertexTypes.find(({ Name }) => Name === 'City')
  expect(city?.Attributes.map((one) => one.AttributeName)).toEqual(['country', 'size'])
  expect(EdgeTypes.map(({ Name }) => Name)).toContain('Next_To')
  await keys.usedNoMouse()
})

test('what destroys data is refused until its name is typed', async ({ page, server }) => {
  const keys = await Keyboard.of(page)
  const graph = await makeGraph(server.url, people)
  await upsert(server.url, graph, { vertices: { Person: { '1': {} } } })
  const schema = new SchemaPage(page)
  await schema.open(server.url, graph, '?type=Person')
  await keys.activate(schema.inspector.getByRole('button', { name: 'Drop type' }))
  await keys.press('ControlOrMeta+s')
  await keys.activate(schema.publishButton)
  const dialog = page.getByRole('dialog', { name: 'Publish to people?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keys.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(schema.publishButton).toBeFocused()

  await keys.press('Enter')
  const name = dialog.getByRole('textbox', { name: 'Type people to confirm' })
  await keys.goTo(name)
  await keys.type('peopl')
  await expect(name).toHaveValue('peopl')
  await expect(dialog.getByRole('button', { name: /^Publish and delete/ })).toBeDisabled()
  await keys.press('Enter')
  expect((await schemaOf(server.url, graph)).VertexTypes).toHaveLength(1)
  await keys.type('e')
  await expect(dialog.getByRole('button', { name: /^Publish and delete/ })).toBeEnabled()
  await keys.press('Enter')
  await expect.poll(async () => (await schemaOf(server.url, graph)).VertexTypes).toEqual([])
  await keys.usedNoMouse()
})

test('an index is made and dropped by keys', async ({ page, server }) => {
  const keys = await Keyboard.of(page)
  const graph = await makeGraph(server.url, people)
  await page.goto(`${server.url}/ui/${graph}/indexes`)
  const create = page.getByRole('button', { name: 'New index' })
  await keys.activate(create)
  const dialog = page.getByRole('dialog', { name: 'New index' })
  await keys.leaves(dialog, create)
  await keys.press('Enter')
  const attribute = dialog.getByRole('combobox', { name: 'Attribute' })
  await keys.goTo(attribute)
  await keys.retype('age')
  await keys.press('ArrowDown', 'Enter')
  await expect(attribute).toHaveValue('age (UINT)')
  await keys.activate(dialog.getByRole('button', { name: 'Create index' }))
  const drop = page.getByRole('button', { name: 'Drop index Person_age_index' })
  await keys.activate(drop)
  const confirm = page.getByRole('dialog', { name: 'Drop index Person_age_index?' })
  await keys.leaves(confirm, drop)
  await keys.press('Enter')
  await keys.activate(confirm.getByRole('button', { name: 'Drop index Person_age_index' }))
  await expect(page.getByText('A secondary index lets filters')).toBeVisible()
  await keys.isSomewhere()
  await keys.usedNoMouse()
})

test('a vertex is found, expanded, left for a neighbour, which is edited and put back', async ({
  page,
  server,
}) => {
  const keys = await Keyboard.of(page)
  const graph = await makeGraph(server.url, people)
  const vertices = { Person: { '1': { name: { value: 'Ada' } }, '2': { name: { value: 'Bo' } } } }
  const edges = { Person: { '1': { Knows: { Person: { '2': {} } } } } }
  await upsert(server.url, graph, { vertices, edges })
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  const field = page.getByRole('textbox', { name: 'Find vertices' })
  await keys.goTo(field)
  await keys.type('Person:1')
  await keys.press('Enter')
  const ada = explorer.results.getByRole('button', { name: 'Ada' })
  await ada.waitFor()
  await keys.press('ArrowDown')
  await keys.leaves(explorer.results, field)
  await keys.press('Enter')
  await ada.waitFor()
  await keys.press('ArrowDown', 'ArrowDown', 'Enter')
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await expect(field).toBeFocused()

  await keys.goTo(explorer.canvas)
  // The drawing part may still be on its way.
  await expect(async () => {
    await keys.press('ArrowRight', 'x')
    await expect(explorer.status).toHaveText('2 vertices · 1 edge', { timeout: 3_000 })
  }).toPass()
  await keys.press(']', 'Space')
  await expect(explorer.inspector.getByRole('heading').first()).toContainText('Bo')
  await keys.activate(explorer.inspector.getByRole('button', { name: 'Edit attributes' }))
  await keys.goTo(explorer.inspector.getByRole('textbox', { name: 'name (STRING)' }))
  await keys.retype('Bob')
  await keys.press('Enter')
  const nameOfTwo = async () =>
    (await readVertex(server.url, graph, 'Person/2'))?.attributes['name']
  await expect.poll(nameOfTwo).toBe('Bob')
  await expect(explorer.inspector.getByRole('button', { name: 'Edit attributes' })).toBeFocused()
  await keys.press('ControlOrMeta+z')
  await expect.poll(nameOfTwo).toBe('Bo')
  await keys.usedNoMouse()
})

test('neighbours of a supernode are paged, three are picked and drawn', async ({
  page,
  server,
}) => {
  const keys = await Keyboard.of(page)
  const graph = await makeGraph(server.url, people)
  const many = Array.from({ length: 350 }, (_, place) => [String(place + 10), {}])
  const edges = { Person: { '1': { Knows: { Person: Object.fromEntries(many) } } } }
  await upsert(server.url, graph, { edges })
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:1')
  await keys.activate(explorer.inspector.getByRole('button', { name: 'List Knows to Person' }))
  const next = page.getByRole('button', { name: 'Next page' })
  await keys.activate(next)
  await expect(page.getByText('101–200 of 350')).toBeVisible()
  const boxes = page.getByRole('checkbox', { name: /^Choose \d/ })
  await expect(boxes).toHaveCount(100)
  // The last three are next to where the focus is.
  for (const place of [99, 98, 97]) {
    await keys.goTo(boxes.nth(place), 'Shift+Tab')
    await keys.press('Space')
    await expect(boxes.nth(place)).toBeChecked()
  }
  await keys.activate(page.getByRole('button', { name: 'Draw 3' }))
  await expect(explorer.status).toHaveText('4 vertices · 3 edges')
  await keys.isSomewhere()
  await keys.activate(page.getByRole('button', { name: 'Close the list' }), 'Shift+Tab')
  await expect(explorer.canvas).toBeFocused()
  await keys.usedNoMouse()
})

test('a query is written, corrected, installed, run and stopped by keys', async ({
  page,
  sampled: server,
}) => {
  const keys = await Keyboard.of(page)
  const queries = await QueriesPage.ofSample(page, server.url)
  await keys.activate(page.getByRole('button', { name: 'New query' }))
  const editor = page.getByRole('textbox', { name: 'Text of the new query' })
  await editor.waitFor()
  await keys.goTo(editor)
  await keys.press('ControlOrMeta+a')
  await page.keyboard.insertText(ENDLESS.replace('@@count += 1', '@@cout += 1'))
  await expect(queries.diagnostics).not.toHaveCount(0)
  await keys.press('ControlOrMeta+a')
  await page.keyboard.insertText(ENDLESS)
  await expect(queries.diagnostics).toHaveCount(0)
  await keys.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor()
  await keys.leaveEditor()
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await keys.activate(run)
  // Each takes the other's place, and the focus with it.
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeFocused()
  await keys.press('Enter')
  await expect(page.getByText('You stopped the run before it printed anything.')).toBeVisible()
  await expect(run).toBeFocused()
  await keys.usedNoMouse()
})

test('a running query is found in the list and aborted by keys', async ({
  page,
  sampled: server,
}) => {
  const keys = await Keyboard.of(page)
  const made = await fetch(`${server.url}/gsql/v1/queries?graph=sample`, {
    method: 'POST',
    body: ENDLESS,
  })
  expect(await made.json()).toMatchObject({ error: false })
  // Longer than the 16 seconds that a query has by default: the machine may be slow.
  const headers = { 'GSQL-TIMEOUT': '600000' }
  const running = fetch(`${server.url}/restpp/query/sample/endless`, { method: 'POST', headers })
  await page.goto(`${server.url}/ui/sample/queries?query=endless`)
  const queries = new QueriesPage(page)
  await keys.goTo(page.getByRole('textbox', { name: 'Text of endless' }))
  await keys.leaveEditor()
  await keys.goTo(page.getByRole('tab', { name: 'Result' }))
  await keys.press('End')
  await expect(page.getByRole('tab', { name: 'Running' })).toBeFocused()
  await expect(queries.runningRow('/query/sample/endless')).toBeVisible()
  await keys.activate(page.getByRole('button', { name: 'Abort /query/sample/endless' }))
  await expect(queries.runningRow('/query/sample/endless')).toHaveCount(0)
  await keys.isSomewhere()
  expect(await (await running).json()).toMatchObject({ error: true })
  await keys.usedNoMouse()
})

test('statistics are paused, gone through and read as a table by keys', async ({
  page,
  sampled: server,
}) => {
  const keys = await Keyboard.of(page)
  await fetch(`${server.url}/restpp/graph/sample/vertices/Account?limit=1`)
  await page.goto(`${server.url}/ui/sample/statistics?window=60`)
  await expect(page.getByText('live', { exact: true })).toBeVisible()
  await keys.press('Space')
  await expect(page.getByText('paused', { exact: true })).toBeVisible()
  const strip = page.getByRole('slider', { name: 'Part of the time that is shown' })
  await keys.goTo(strip)
  const before = await strip.getAttribute('aria-valuetext')
  await keys.press('ArrowLeft')
  await expect(strip).not.toHaveAttribute('aria-valuetext', before ?? '')
  const rates = page.getByRole('figure', { name: 'Requests per second' })
  const moment = rates.getByRole('slider', { name: 'Moment of Requests per second' })
  await keys.goTo(moment)
  await expect(moment).toHaveAttribute('aria-valuetext', 'none chosen')
  await keys.press('ArrowLeft')
  await expect(moment).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d: .+ \d/)
  const last = await moment.getAttribute('aria-valuetext')
  await keys.press('ArrowLeft')
  await expect(moment).not.toHaveAttribute('aria-valuetext', last ?? '')
  await keys.activate(rates.getByRole('button', { name: 'View as table' }), 'Shift+Tab')
  const values = rates.getByRole('table').getByRole('cell')
  await expect(values.first()).toHaveText(/^\d\d:\d\d:\d\d$/)
  await expect(values.nth(1)).toHaveText(/^\d+$/)
  await keys.isSomewhere()
  await keys.usedNoMouse()
})

test('graph and theme are changed, and the shortcuts shown, by keys', async ({
  page,
  sampled: server,
}) => {
  const keys = await Keyboard.of(page)
  await makeGraph(server.url, people)
  await page.goto(`${server.url}/ui/sample/indexes`)
  const create = page.getByRole('button', { name: 'New index' })
  await keys.goTo(create)
  await keys.press('?')
  await keys.leaves(page.getByRole('dialog', { name: 'Keyboard shortcuts' }), create)

  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  const before = await scheme()
  await keys.press('Shift+ControlOrMeta+l')
  await expect.poll(scheme).not.toBe(before)
  const palette = page.getByRole('combobox', { name: 'Search commands' })
  await keys.press('ControlOrMeta+k')
  await keys.leaves(palette, create)
  await keys.press('ControlOrMeta+k')
  await expect(palette).toBeFocused()
  await keys.type('open graph people')
  await keys.press('Enter')
  await expect(page).toHaveURL(/\/ui\/people\//)
  await keys.isSomewhere()
  await keys.usedNoMouse()
})
