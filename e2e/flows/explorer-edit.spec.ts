import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, upsert } from '../pages/graphs.ts'

const wide = '18446744073709551615'
const attribute = (name: string, type: string) => ({
  AttributeName: name,
  AttributeType: { Name: type },
})

async function makePeople(url: string): Promise<string> {
  const person = {
    Name: 'Person',
    PrimaryId: attribute('id', 'STRING'),
    Attributes: [attribute('name', 'STRING'), attribute('score', 'UINT'), attribute('vip', 'BOOL')],
  }
  const knows = {
    Name: 'Knows',
    IsDirected: false,
    FromVertexTypeName: 'Person',
    ToVertexTypeName: 'Person',
    Attributes: [attribute('weight', 'INT')],
  }
  const change = { addVertexTypes: [person], addEdgeTypes: [knows] }
  const graph = await makeGraph(url, { graph: 'people', change })
  const vertices = { Person: { ada: { name: { value: 'Ada' } }, bo: { name: { value: 'Bo' } } } }
  const edges = { Person: { ada: { Knows: { Person: { bo: { weight: { value: 1 } } } } } } }
  await upsert(url, graph, { vertices, edges })
  return graph
}

const readText = async (url: string, graph: string, id: string): Promise<string> =>
  await (await fetch(`${url}/restpp/graph/${graph}/vertices/Person/${id}`)).text()

test('an attribute is edited to the last digit, undone and redone', async ({ page, server }) => {
  const errors = watchErrors(page)
  const graph = await makePeople(server.url)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:ada')
  // By keyboard from here on.
  await explorer.inspector.getByRole('button', { name: 'Edit attributes' }).focus()
  await page.keyboard.press('Enter')
  const form = explorer.inspector.getByRole('form', { name: 'Attributes' })
  const score = form.getByRole('textbox', { name: 'score (UINT)' })
  await expect(form.getByRole('textbox', { name: 'name (STRING)' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(`${wide}0`)
  await expect(form).toContainText('is not a valid UINT')
  expect(await violations(page), 'editing').toEqual([])
  await page.keyboard.press('Backspace')
  await expect(score).toHaveValue(wide)
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)
  await expect(explorer.inspector).toContainText(wide)
  await expect(explorer.inspector.getByRole('button', { name: 'Edit attributes' })).toBeFocused()
  expect(await readText(server.url, graph, 'ada')).toContain(`"score":${wide}`)

  await page.keyboard.press('ControlOrMeta+z')
  await expect(explorer.inspector).not.toContainText(wide)
  expect(await readText(server.url, graph, 'ada')).toContain('"score":0')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(explorer.inspector).toContainText(wide)
  expect(await readText(server.url, graph, 'ada')).toContain(`"score":${wide}`)
  expect(errors).toEqual([])
})

test('what somebody else changed meanwhile is neither overwritten nor undone', async ({
  page,
  server,
}) => {
  const graph = await makePeople(server.url)
  const explorer = new ExplorerPage(page)
  const rename = (value: string) =>
    upsert(server.url, graph, { vertices: { Person: { ada: { name: { value } } } } })
  await explorer.openAt(server.url, graph, 'Person:ada')
  const edit = explorer.inspector.getByRole('button', { name: 'Edit attributes' })
  await edit.click()
  const name = explorer.inspector.getByRole('textbox', { name: 'name (STRING)' })
  await name.fill('Augusta')
  await rename('Countess')
  await explorer.inspector.getByRole('button', { name: 'Save 1' }).click()
  await expect(explorer.inspector.getByRole('alert')).toContainText('name is “Countess” now')
  expect(await readText(server.url, graph, 'ada')).toContain('Countess')
  await explorer.inspector.getByRole('button', { name: 'Cancel' }).click()

  await rename('Ada')
  await edit.click()
  await name.fill('Augusta')
  await explorer.inspector.getByRole('button', { name: 'Save 1' }).click()
  await expect(name).toHaveCount(0)
  await rename('Byron')
  await explorer.press('Undo Edit Person')
  await expect(page.getByRole('alert')).toContainText('name is “Byron” now')
  expect(await readText(server.url, graph, 'ada')).toContain('Byron')
})

test('an edge is edited where it is seen', async ({ page, server }) => {
  const graph = await makePeople(server.url)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:ada')
  await explorer.expand('Expand all')
  await explorer.edge(/^Knows/).dispatchEvent('click')
  await explorer.inspector.getByRole('button', { name: 'Edit attributes' }).click()
  await explorer.inspector.getByRole('textbox', { name: 'weight (INT)' }).fill('708663653625634816')
  await explorer.inspector.getByRole('button', { name: 'Save 1' }).click()
  await expect(explorer.inspector).toContainText('708663653625634816')
  const edges = await fetch(`${server.url}/restpp/graph/${graph}/edges/Person/bo`)
  expect(await edges.text()).toContain('708663653625634816')
})

test('rows of the table and the canvas are one selection, of several at once', async ({
  page,
  server,
}) => {
  const graph = await makePeople(server.url)
  await upsert(server.url, graph, {
    edges: { Person: { ada: { Knows: { Person: { cy: {}, di: {} } } } } },
  })
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:ada')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('4 vertices · 3 edges')
  await page.getByRole('tab', { name: /^Elements/ }).click()
  const table = page.getByRole('table', { name: 'Vertices on the canvas' })
  const row = (name: string) => table.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })
  const selected = table.getByRole('row', { selected: true })
  await row('Bo').click()
  await expect(selected).toHaveCount(1)
  await row('di').click({ modifiers: ['Shift'] })
  await expect(selected).toHaveCount(3)
  await row('cy').click({ modifiers: ['ControlOrMeta'] })
  await expect(selected).toHaveCount(2)
  const chosen = page.getByRole('list', { name: 'Nodes' }).locator('[aria-pressed=true]')
  await expect(chosen).toHaveCount(2)
  // By keyboard: one more below, then the lot.
  await row('Bo').press('Enter')
  await row('Bo').press('Shift+ArrowDown')
  await expect(selected).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(selected).toHaveCount(4)
  expect(await violations(page), 'several rows').toEqual([])
})

test('selected data is deleted from the graph, with its edges, and undone', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const graph = await makePeople(server.url)
  await upsert(server.url, graph, {
    vertices: { Person: { bo: { score: { value: 0 }, vip: { value: true } } } },
    edges: { Person: { bo: { Knows: { Person: { cy: { weight: { value: 7 } } } } } } },
  })
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:bo')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('3 vertices · 2 edges')
  const before = await readText(server.url, graph, 'bo')
  // In whatever order: the vertex that is made again is the latest one.
  const edges = async () => {
    const answer = await fetch(`${server.url}/restpp/graph/${graph}/edges/Person/bo`)
    const { results } = (await answer.json()) as { readonly results: readonly object[] }
    return results.map((edge) => JSON.stringify(edge)).sort()
  }
  const edgesBefore = await edges()
  await explorer.node('Person bo').dispatchEvent('click')
  await explorer.canvas.focus()
  await page.keyboard.press('Shift+Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 vertex will be gone from the database')
  await expect(dialog).toContainText('2 edges of it go as well')
  expect(await violations(page), 'deleting').toEqual([])
  await dialog.getByRole('button', { name: 'Delete 1 vertex' }).click()
  await expect(dialog).toBeHidden()
  await expect(explorer.canvas).toBeFocused()
  await expect(explorer.status).toHaveText('2 vertices · 0 edges')
  expect(await readText(server.url, graph, 'bo')).toContain('"error":true')

  await page.keyboard.press('ControlOrMeta+z')
  await expect(explorer.status).toHaveText('3 vertices · 2 edges')
  expect(await readText(server.url, graph, 'bo')).toBe(before)
  expect(await edges()).toEqual(edgesBefore)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(explorer.status).toHaveText('2 vertices · 0 edges')
  expect(await readText(server.url, graph, 'bo')).toContain('"error":true')
  expect(errors).toEqual([])
})

test('an edge is deleted alone, its ends stay, and it comes back', async ({ page, server }) => {
  const graph = await makePeople(server.url)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Person:ada')
  await explorer.expand('Expand all')
  await explorer.edge(/^Knows/).dispatchEvent('click')
  await explorer.inspector.getByRole('button', { name: 'Delete from the graph…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 edge' }).click()
  await expect(explorer.status).toHaveText('2 vertices · 0 edges')
  const edges = async () =>
    await (await fetch(`${server.url}/restpp/graph/${graph}/edges/Person/bo`)).text()
  expect(await edges()).toContain('"results":[]')
  expect(await readText(server.url, graph, 'bo')).toContain('"name":"Bo"')
  await explorer.press('Undo Delete 1')
  await expect(explorer.status).toHaveText('2 vertices · 1 edge')
  expect(await edges()).toContain('"weight":1')
})

test('a vertex that no address can name is not deleted, nor are all others', async ({
  page,
  server,
}) => {
  const graph = await makePeople(server.url)
  await upsert(server.url, graph, { vertices: { Person: { '.': {} } } })
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  await explorer.find('Person:.')
  await explorer.results.getByRole('listitem').getByRole('button').click()
  await expect(explorer.status).toHaveText('1 vertex · 0 edges')
  const deletes: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletes.push(request.url())
  })
  await explorer.inspector.getByRole('button', { name: 'Delete from the graph…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('“.” cannot stand in an address')
  await dialog.getByRole('button', { name: /^Delete 1/ }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(deletes).toEqual([])
  expect(await readText(server.url, graph, 'bo')).toContain('"name":"Bo"')
})
