/** Ways between vertices by cost, and all of a kind of neighbour as a file. */
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeStar } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, upsert } from '../pages/graphs.ts'

const road = (km: number) => ({ km: { value: km } })

/** From a to z: 10.5 km at once, 9 over b, 6 over b and c. The ferry costs nothing that is known. */
async function makeTown(url: string): Promise<string> {
  const place = {
    Name: 'Place',
    PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
    Attributes: [],
  }
  const between = { IsDirected: true, FromVertexTypeName: 'Place', ToVertexTypeName: 'Place' }
  const km = { AttributeName: 'km', AttributeType: { Name: 'DOUBLE' } }
  const change = {
    addVertexTypes: [place],
    addEdgeTypes: [
      { ...between, Name: 'Road', Attributes: [km] },
      { ...between, Name: 'Ferry', Attributes: [] },
    ],
  }
  const graph = await makeGraph(url, { graph: 'town', change })
  await upsert(url, graph, {
    edges: {
      Place: {
        a: { Road: { Place: { z: road(10.5), b: road(2) } }, Ferry: { Place: { f: {} } } },
        b: { Road: { Place: { z: road(7) } } },
        c: { Road: { Place: { b: road(2), z: road(2) } } },
        f: { Ferry: { Place: { z: {} } } },
      },
    },
  })
  return graph
}

async function selectEnds(page: Page, url: string): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(page)
  await explorer.open(url, await makeTown(url))
  await explorer.find('Place:a,z')
  await explorer.press('Add all 2')
  await expect(explorer.status).toHaveText('2 vertices · 0 edges')
  await explorer.canvas.focus()
  await page.keyboard.press('Control+a')
  return explorer
}

test('the cheapest ways by an attribute, and the next best', async ({ page, server }) => {
  const explorer = await selectEnds(page, server.url)
  await page.getByRole('combobox', { name: 'Which paths' }).selectOption('Least km first')
  await page.getByRole('combobox', { name: 'How long paths may be' }).selectOption('2')
  await explorer.press('Paths between them')
  const paths = page.getByRole('region', { name: 'Paths between a and z' })
  await expect(paths.getByRole('listitem')).toHaveText([
    '6: a —Road→ b ←Road— c —Road→ z',
    '9: a —Road→ b —Road→ z',
    '10.5: a —Road→ z',
  ])
  await expect(paths).toContainText(
    'Ways of at most 3 edges, the least km first; edges without km are not taken',
  )
  await expect(explorer.status).toHaveText('4 vertices · 5 edges')
  expect(await violations(page)).toEqual([])
})

test('the next shortest ways, whatever they cost; a hop is never torn at its dash', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1024, height: 640 })
  const explorer = await selectEnds(page, server.url)
  await page.getByRole('combobox', { name: 'Which paths' }).selectOption('Fewest edges first')
  await page.getByRole('combobox', { name: 'How long paths may be' }).selectOption('1')
  await page.getByRole('combobox', { name: 'How many paths' }).selectOption('5')
  await explorer.press('Paths between them')
  const paths = page.getByRole('region', { name: 'Paths between a and z' })
  await expect(paths.getByRole('listitem')).toHaveText([
    '1: a —Road→ z',
    /^2: a —(Road|Ferry)→ (b|f) —(Road|Ferry)→ z$/,
    /^2: a —(Road|Ferry)→ (b|f) —(Road|Ferry)→ z$/,
  ])
  for (const hop of await paths.getByText(/^—/).all()) {
    // A torn one would be two lines high; the cost before it is one.
    const heights = await hop.evaluate((word) => [
      word.getBoundingClientRect().height,
      word.parentElement?.firstElementChild?.getBoundingClientRect().height ?? 0,
    ])
    expect(heights[0]).toBeLessThan(1.5 * (heights[1] ?? 0))
  }
})

test('all neighbours of a kind become a file, as many rows as the server counts', async ({
  page,
  server,
}) => {
  const count = 12_345
  const graph = await makeStar(server.url, count)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Show 50 more of Has to Leaf')
  await expect(explorer.status).toContainText('50 edges')
  await explorer.node('12,295 more Leaf by Has').dispatchEvent('click')
  const download = page.waitForEvent('download')
  await explorer.press('All 12,345 as CSV')
  const file = await download
  expect(file.suggestedFilename()).toBe('star-h-Has.csv')
  await expect(page.getByText('12,345 rows saved, as many as the server counts.')).toBeVisible()
  const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(head).toBe('Id,Type')
  expect(rows).toHaveLength(count)
  expect(new Set(rows).size).toBe(count)
  await expect(explorer.status).toContainText('50 edges')
  await explorer.canvas.focus()
  await page.keyboard.press('s')
  await expect(explorer.status).not.toContainText('50 edges')

  // What is left is listed by Enter; a step that the canvas has no room for is counted, and listed.
  await page.keyboard.press('Enter')
  await expect(page.getByText('1–100 of 12,345')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Has/ })).toBeFocused()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By id, descending')
  const lines = page.getByRole('table', { name: /^Neighbours/ }).getByRole('row')
  await expect(lines.nth(1)).toContainText('leaf-9999')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(lines.nth(1)).toContainText('leaf-9908')
  await explorer.node('Hub h').dispatchEvent('click')
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Expand steps' })
  await expect(dialog.getByRole('status')).toHaveText('12,345 more vertices, by 12,345 edges')
  await expect(dialog.getByRole('alert')).toContainText('More than the canvas holds')
  await expect(dialog.getByRole('button', { name: 'Draw' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'List' }).click()
  await expect(dialog.getByRole('table').getByRole('row')).not.toHaveCount(1)
  await expect(dialog).toContainText('The first 200 vertices.')
  expect(await violations(page), 'steps').toEqual([])
})

test('a file that is stopped is not saved', async ({ page, server }) => {
  const graph = await makeStar(server.url, 3_000)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('List Has to Leaf')
  await expect(page.getByText('1–100 of 3,000')).toBeVisible()
  let pages = 0
  // The second page never comes.
  await page.route('**/neighbours?**', async (route) => {
    pages++
    if (pages === 1) await route.continue()
  })
  await explorer.press('All 3,000 as CSV')
  await expect(page.getByText('1,000 of 3,000')).toBeVisible()
  await explorer.press('Stop')
  await expect(page.getByText('Stopped at row 1,000. Nothing was saved.')).toBeVisible()
  await page.unroute('**/neighbours?**')
  const download = page.waitForEvent('download')
  await explorer.press('All 3,000 as CSV')
  await download
})
