import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeRoutes, makeStar } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { send, upsert } from '../pages/graphs.ts'

test('what the database lost since the last visit is shown as removed', async ({
  page,
  server,
}) => {
  const graph = await makeStar(server.url, 3)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('4 vertices · 3 edges')
  await explorer.places(graph, 4)
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Leaf/leaf-1`, { method: 'DELETE' })
  await page.reload()
  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await expect(explorer.inspector).toContainText('The database has this vertex no more.')
  await expect(explorer.edge(/^Has, removed: Hub h to Leaf leaf-1$/)).toHaveCount(1)
  await expect(explorer.edge(/^Has: /)).toHaveCount(2)
  await explorer.openAt(server.url, graph, 'Hub:nobody')
  await expect(explorer.results).toContainText('No Hub has the id nobody')
})

test('a scene survives a change of the schema', async ({ page, server }) => {
  const graph = await makeStar(server.url, 3)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('4 vertices · 3 edges')
  await explorer.places(graph, 4)
  await send('POST', `${server.url}/gsql/v1/schema/change?graph=${graph}`, {
    dropEdgeTypes: ['Has'],
    dropVertexTypes: ['Leaf'],
  })
  await page.reload()
  await expect(explorer.edge(/^Has, removed/)).toHaveCount(3)
  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await expect(explorer.inspector).toContainText('The database has this vertex no more.')
  await explorer.node('Hub h').dispatchEvent('click')
  await expect(explorer.inspector).toContainText('This vertex has no edges.')
  await expect(explorer.inspector).toContainText('No attributes.')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a scene that comes back has the attributes of its edges', async ({ page, server }) => {
  const graph = await makeRoutes(server.url, ['AF', 'LH'])
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Airport:FRA')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('2 vertices · 2 edges')
  await page.getByRole('tab', { name: 'Style' }).click()
  const rules = page.getByRole('region', { name: 'Style of route' })
  await rules.getByRole('combobox', { name: 'Label' }).selectOption('seats')
  const labelled = explorer.edge(/^708663653625634816: /)
  await expect(labelled).toHaveCount(2)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('quiver.explorer.routes') ?? ''))
    .toContain('seats')
  await page.reload()
  await expect(labelled).toHaveCount(2)
})

test('what is left of a supernode is counted anew when some of it is deleted', async ({
  page,
  server,
}) => {
  const graph = await makeStar(server.url, 400)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Show 50 more of Has to Leaf')
  await expect(explorer.status).toHaveText('51 vertices · 50 edges')
  const left = (count: number) => explorer.node(`${count} more Leaf by Has`)
  await expect(left(350)).toBeAttached()
  // One that is drawn, by the console.
  await page
    .getByRole('list', { name: 'Nodes' })
    .getByRole('button', { name: /^Leaf leaf-/ })
    .first()
    .dispatchEvent('click')
  await explorer.inspector.getByRole('button', { name: 'Delete from the graph…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 vertex' }).click()
  await expect(explorer.status).toHaveText('50 vertices · 49 edges')
  await expect(left(350)).toBeAttached()
  await explorer.places(graph, 50)
  // All that are not, by somebody else, but one.
  const drawn = await page
    .getByRole('list', { name: 'Nodes' })
    .getByRole('button', { name: /^Leaf leaf-/ })
    .allTextContents()
  const names = new Set(drawn.map((text) => /leaf-\d+/.exec(text)?.[0]))
  const others = await leavesOf(server.url, graph)
  for (const id of others.filter((name) => !names.has(name)).slice(1)) {
    await fetch(`${server.url}/restpp/graph/${graph}/vertices/Leaf/${id}`, { method: 'DELETE' })
  }
  await page.reload()
  await expect(left(1)).toBeAttached()
  await explorer.node('Hub h').dispatchEvent('click')
  await expect(explorer.kind('Has to Leaf')).toContainText('49 of 50')
})

async function leavesOf(url: string, graph: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/restpp/graph/${graph}/vertices/Leaf`)
  const { results } = (await answer.json()) as { readonly results: readonly { v_id: string }[] }
  return results.map(({ v_id }) => v_id)
}

test('a scene is saved, opened again and shared as a link', async ({ page, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const graph = await makeStar(server.url, 5)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Expand all')
  const places = await explorer.places(graph, 6)
  const scene = page.getByRole('button', { name: 'Scene', exact: true })
  await scene.click()
  await page.getByRole('menuitem', { name: 'Save as…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Five leaves / é')
  expect(await violations(page), 'saving').toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await scene.click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toContain('#scene=')
  const link = await copied()

  await explorer.press('Clear canvas')
  await scene.click()
  await page.getByRole('menuitem', { name: 'Open…' }).click()
  expect(await violations(page), 'opening').toEqual([])
  await dialog.getByRole('button', { name: 'Five leaves / é', exact: true }).click()
  await expect(explorer.status).toHaveText('6 vertices · 5 edges')
  await expect.poll(() => explorer.places(graph, 6)).toEqual(places)

  // As often as one likes: what was read for the scene before is read for this one, too.
  await explorer.press('Clear canvas')
  await scene.click()
  await page.getByRole('menuitem', { name: 'Open…' }).click()
  await dialog.getByRole('button', { name: 'Five leaves / é', exact: true }).click()
  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await expect(explorer.inspector).toContainText('No attributes.')

  const other = await page.context().browser()?.newPage()
  if (other === undefined) throw new Error('no other browser')
  await other.goto(link)
  const shared = new ExplorerPage(other)
  await expect(shared.status).toHaveText('6 vertices · 5 edges')
  await expect.poll(() => shared.places(graph, 6)).toEqual(places)
  await shared.node('Leaf leaf-1').dispatchEvent('click')
  await expect(shared.inspector).toContainText('1 edge')

  // The address follows: a reload, or Back from elsewhere, shows the same again.
  await expect
    .poll(() => other.url())
    .toMatch(/#scene=[\w-]+&at=-?\d+,-?\d+,[\d.]+&selected=[1-5]$/)
  const later = other.url()
  expect(later.length).toBeLessThan(2_000)
  await shared.press('Clear canvas')
  await expect.poll(() => other.url()).not.toContain('#')
  await other.goto(`${server.url}/ui/home`)
  await other.goto(later)
  await expect(shared.status).toHaveText('6 vertices · 5 edges')
  await expect.poll(() => shared.places(graph, 6)).toEqual(places)
  await expect(shared.inspector).toContainText('1 edge')
  await expect.poll(() => other.url()).toBe(later)

  // What is too large for an address is kept for its link.
  const more = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`more-${at}`, {}]))
  await upsert(server.url, graph, { edges: { Hub: { h: { Has: { Leaf: more } } } } })
  await explorer.node('Hub h').dispatchEvent('click')
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByRole('button', { name: 'Draw' }).click()
  await expect(explorer.status).toHaveText('606 vertices · 605 edges')
  await scene.click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect.poll(copied).toContain('#shared=')
  const large = await copied()
  expect(large.length).toBeLessThan(300)
  await other.goto(large)
  await expect(shared.status).toHaveText('606 vertices · 605 edges')
  await expect.poll(() => other.url()).toContain('#shared=')
  await other.close()
})
