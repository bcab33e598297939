import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeRoutes, makeStar } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { upsert } from '../pages/graphs.ts'

test('a vertex is found, expanded and taken back', async ({ page, sampled: server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Device:device-00003')
  await explorer.add('device-00003')
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText(/^\d\d+ vertices/)
  const expanded = await explorer.status.textContent()
  await explorer.press(/^Undo/)
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await explorer.press(/^Redo/)
  await expect(explorer.status).toHaveText(expanded ?? '')

  // Two steps at once are as many as was said, and one step back.
  await explorer.press(/^Undo/)
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Expand steps' })
  await expect(dialog.getByText('Edges: any')).toBeFocused()
  await dialog.getByRole('button', { name: 'Add a step' }).click()
  const told = dialog.getByRole('status')
  await expect(told).toHaveText([/^\d+ more/, /^\d+ more/])
  const more = (await told.allTextContents()).map((text) => Number.parseInt(text, 10))
  await dialog.getByRole('button', { name: 'Draw' }).click()
  const all = more.reduce((sum, count) => sum + count, 1)
  await expect(explorer.status).toHaveText(new RegExp(`^${all} vertices`))
  await explorer.press(/^Undo/)
  await expect(explorer.status).toHaveText(/^1 vertex/)
})

test('a supernode is paged without repeating a neighbour', async ({ page, sampled: server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Merchant:merchant-00000')
  await explorer.add('merchant-00000')
  const kind = explorer.kind('Pays from Card')
  await expect(kind).toContainText(/\d,\d{3}/)
  await explorer.expand('Show 50 more of Pays from Card')
  await expect(kind).toContainText('50 of ')
  await expect(explorer.status).toContainText('50 edges')
  await explorer.expand('Show 50 more of Pays from Card')
  await expect(kind).toContainText('100 of ')
  await expect(explorer.status).toContainText('100 edges')
})

test('the scene is there after a reload, and by keyboard alone', async ({
  page,
  sampled: server,
}) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Account:account-00007')
  await explorer.add('account-00007')
  await explorer.canvas.focus()
  // The keys walk what is drawn, and the drawing part may still be on its way.
  await expect(async () => {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('x')
    await expect(explorer.status).toHaveText(/^\d\d+ vertices/, { timeout: 3_000 })
  }).toPass()
  const before = await explorer.status.textContent()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('quiver.explorer.sample')?.length ?? 0))
    .toBeGreaterThan(500)
  await page.reload()
  await expect(explorer.status).toHaveText(before ?? '')
})

/** More pages show nothing else; the API is paged through 100,000 in supernode.test.ts. */
const count = process.env['QUIVER_SLOW'] === '1' ? 100_000 : 20_000

test(`a supernode of ${formatted(count)} neighbours is paged to its end`, async ({
  page,
  server,
}) => {
  test.setTimeout(240_000)
  const graph = await makeStar(server.url, count)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await expect(explorer.kind('Has to Leaf')).toContainText(formatted(count))

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await explorer.expand('Show 50 more of Has to Leaf')
  await expect(explorer.status).toHaveText('51 vertices · 50 edges')
  expect(asked.filter((url) => url.includes('/vertices/Hub/h/'))).toHaveLength(1)

  const seen = new Set<string>()
  let rows = 0
  page.on('response', async (response) => {
    if (!response.url().includes('limit=1000')) return
    const { results } = (await response.json()) as { results: { edges: { to_id: string }[] } }
    rows += results.edges.length
    for (const { to_id } of results.edges) seen.add(to_id)
  })
  await explorer.expand('List Has to Leaf')
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('1000')
  const next = page.getByRole('button', { name: 'Next page' })
  for (let first = 1; first < count; first += 1_000) {
    const range = `${formatted(first)}–${formatted(first + 999)} of ${formatted(count)}`
    await expect(page.getByText(range)).toBeVisible()
    if (first + 1_000 < count) await next.click()
  }
  await expect(next).toBeDisabled()
  await expect.poll(() => rows).toBe(count)
  expect(seen.size).toBe(count)

  const last = page.getByRole('checkbox', { name: /^Choose leaf-/ }).first()
  const name = (await last.getAttribute('aria-label'))?.replace('Choose ', '') ?? ''
  await last.check()
  await page.getByRole('button', { name: 'Draw 1' }).click()
  await expect(explorer.status).toHaveText('52 vertices · 51 edges')
  await expect(explorer.node(`Leaf ${name}`)).toBeAttached()
})

test('old nodes stay where they are, and undo takes layouts and moves back', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const graph = await makeStar(server.url, 400)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  await explorer.expand('Show 50 more of Has to Leaf')
  await expect(explorer.status).toContainText('50 edges')
  const first = await explorer.places(graph, 52)
  await explorer.expand('Show 50 more of Has to Leaf')
  await expect(explorer.status).toContainText('100 edges')
  const second = await explorer.places(graph, 102)
  for (const [key, place] of first) expect(second.get(key), key).toEqual(place)

  await page.getByRole('combobox', { name: 'Layout' }).selectOption('grid')
  await expect.poll(() => explorer.places(graph, 1)).not.toEqual(second)
  await explorer.press(/^Undo Move/)
  await expect.poll(() => explorer.places(graph, 1)).toEqual(second)
  await page.reload()
  await expect(explorer.status).toContainText('100 edges')
  expect(await explorer.places(graph, 1)).toEqual(second)
})

test('parallel edges are one line that tells all, and unfolds', async ({ page, server }) => {
  const graph = await makeRoutes(server.url, ['AF', 'LH', 'BA', 'KL', 'IB'])
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Airport:FRA')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('2 vertices · 5 edges')
  const bundle = explorer.edge(/^route ×5/)
  await bundle.dispatchEvent('click')
  await expect(explorer.inspector.getByRole('heading', { name: 'route ×5' })).toBeVisible()
  const one = explorer.inspector.getByRole('region', { name: 'LH' })
  await expect(one).toContainText('708663653625634816')
  await bundle.dispatchEvent('dblclick')
  await expect(explorer.edge(/^route (AF|LH|BA|KL|IB):/)).toHaveCount(5)
  await expect(bundle).toHaveCount(0)

  // After a reload edges are known by name only; what they hold is read again.
  await expect.poll(() => explorer.places(graph, 2).then(({ size }) => size)).toBe(2)
  await page.reload()
  await explorer.edge(/^route ×5/).dispatchEvent('click')
  await expect(one).toContainText('708663653625634816')
})

test('search results are reached by keyboard, continued and closed', async ({ page, server }) => {
  const graph = await makeStar(server.url, 120)
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  await explorer.find('Leaf')
  await expect(explorer.results).toContainText('The first 50')
  await explorer.results.getByRole('button', { name: 'More' }).click()
  await expect(explorer.results).toContainText('The first 100')
  await page.keyboard.press('Escape')
  await expect(explorer.results).toBeHidden()
  await explorer.find('Leaf:leaf-7')
  await expect(explorer.results.getByRole('button', { name: 'leaf-7' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(explorer.results.getByRole('button', { name: 'leaf-7' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(explorer.status).toHaveText(/^1 vertex/)
})

test('two vertices are connected by their shortest paths', async ({ page, server }) => {
  const graph = await makeRoutes(server.url, ['AF'])
  const hop = (from: string, to: string) => ({ [from]: { route: { Airport: { [to]: [flight] } } } })
  const flight = { airline: { value: 'LH' } }
  // CDG <- MUC and CDG <- VIE <- MUC: the way over VIE is longer.
  for (const [from, to] of [
    ['MUC', 'CDG'],
    ['MUC', 'VIE'],
    ['VIE', 'CDG'],
  ] as const) {
    await upsert(server.url, graph, { edges: { Airport: hop(from, to) } })
  }
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  await explorer.find('Airport:FRA,MUC')
  await explorer.press('Add all 2')
  await expect(explorer.status).toHaveText('2 vertices · 0 edges')
  await explorer.canvas.focus()
  await page.keyboard.press('Control+a')
  await explorer.inspector.getByRole('button', { name: 'Shortest paths between them' }).click()
  await expect(explorer.status).toHaveText('3 vertices · 2 edges')
  await expect(explorer.node('Airport CDG')).toBeAttached()
  await expect(explorer.node('Airport VIE')).toHaveCount(0)
  const paths = page.getByRole('region', { name: 'Paths between FRA and MUC' })
  await expect(paths).toContainText('2 edges apart')
  await expect(paths.getByRole('listitem')).toHaveText(['FRA —route→ CDG ←route— MUC'])

  await page.getByRole('tab', { name: /^Elements/ }).click()
  await page.getByText('Edges 2', { exact: true }).click()
  const table = page.getByRole('table', { name: 'Edges on the canvas' })
  await table.getByRole('row', { name: /MUC/ }).click()
  await expect(table.getByRole('row', { selected: true })).toHaveCount(1)
  await page.getByRole('tab', { name: 'Inspector' }).click()
  await expect(explorer.inspector.getByRole('heading', { name: 'route' })).toBeVisible()
})

test('an unknown id is said to be unknown', async ({ page, sampled: server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Account:nobody')
  await expect(explorer.results).toContainText('No Account has the id nobody')
})

test('axe finds nothing in the explorer in either theme', async ({ page, sampled: server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible()
  expect(await violations(page), 'empty').toEqual([])
  await explorer.find('Merchant where category = "books"')
  await expect(explorer.results).toContainText('The first 50')
  expect(await violations(page), 'results').toEqual([])
  await explorer.find('Merchant:merchant-00000')
  await explorer.add('merchant-00000')
  await explorer.expand('Show 50 more of Pays from Card')
  await expect(explorer.status).toContainText('50 edges')
  expect(await violations(page), 'inspector').toEqual([])
  await page.getByRole('tab', { name: /^Elements/ }).click()
  await expect(page.getByRole('table', { name: 'Vertices on the canvas' })).toBeVisible()
  expect(await violations(page), 'elements').toEqual([])
})

function formatted(count: number): string {
  return count.toLocaleString('en')
}
