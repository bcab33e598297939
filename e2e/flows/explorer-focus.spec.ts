/** What helps to see in a crowd: dimming, focus, pins, groups. */
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { middleOfType, showsColour } from '../pages/canvas.ts'
import { makeStar } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { upsert } from '../pages/graphs.ts'

const mark = (page: Page, type: string) =>
  page.getByRole('list', { name: 'Legend' }).getByRole('button', { name: new RegExp(`^${type}`) })

/** So many leaves at the hub h, all of them on the canvas. */
async function openStar(page: Page, url: string, leaves: number): Promise<ExplorerPage> {
  const graph = await makeStar(url, leaves)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(url, graph, 'Hub:h')
  await explorer.expand('Expand all')
  await expect(explorer.status).toContainText(`${leaves + 1} vertices`)
  return explorer
}

test('a vertex under the pointer dims what is not beside it', async ({ page, server }) => {
  const graph = await makeStar(server.url, 2)
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  // The last one is selected, which changes its colour.
  for (const name of ['h', 'leaf-0', 'leaf-1']) {
    await explorer.find(name)
    await explorer.add(name)
  }
  await expect(explorer.status).toHaveText('3 vertices · 0 edges')
  await explorer.press('Fit (0)')
  const [hub, leaf] = [mark(page, 'Hub'), mark(page, 'Leaf')]
  const place = await middleOfType(explorer.canvas, hub)
  expect(await showsColour(explorer.canvas, leaf)).toBe(true)
  await page.mouse.move(place.x, place.y, { steps: 3 })
  await expect.poll(() => showsColour(explorer.canvas, leaf)).toBe(false)
  expect(await showsColour(explorer.canvas, hub)).toBe(true)
  await page.mouse.move(place.x, place.y + 200, { steps: 3 })
  await expect.poll(() => showsColour(explorer.canvas, leaf)).toBe(true)
})

test('the focus reaches one, two or three edges, and is left by Escape', async ({
  page,
  server,
}) => {
  const graph = await makeStar(server.url, 3)
  const far = { Hub: { far: { Has: { Leaf: { 'leaf-0': {}, 'leaf-far': {} } } } } }
  await upsert(server.url, graph, { edges: far })
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:far')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('3 vertices · 2 edges')
  await explorer.node('Leaf leaf-0').dispatchEvent('click')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('4 vertices · 3 edges')
  await explorer.node('Hub h').dispatchEvent('click')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('6 vertices · 5 edges')

  const bar = page.getByRole('group', { name: 'Focus' })
  await explorer.canvas.focus()
  await page.keyboard.press('f')
  await expect(bar).toContainText('4 nodes within')
  await page.keyboard.press('2')
  await expect(bar).toContainText('5 nodes within')
  await bar.getByRole('button', { name: '3 edges' }).click()
  await expect(bar).toContainText('6 nodes within')
  await expect(bar.getByRole('button', { name: '3 edges' })).toHaveAttribute('aria-pressed', 'true')
  expect(await violations(page)).toEqual([])
  await explorer.press('Undo Focus 3')
  await expect(bar).toContainText('5 nodes within')
  await explorer.canvas.focus()
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await explorer.press('Undo Leave focus')
  await expect(bar).toContainText('5 nodes within')
  await explorer.canvas.focus()
  await page.keyboard.press('f')
  await expect(bar).toBeHidden()
})

test('what is pinned stays where it is, in every layout and after a reload', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const explorer = await openStar(page, server.url, 6)
  const before = await explorer.places('star', 7)
  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await explorer.inspector.getByRole('button', { name: 'Pin' }).click()
  const pinned = explorer.node('Leaf leaf-1, pinned')
  await expect(pinned).toBeAttached()
  const layout = page.getByRole('combobox', { name: 'Layout' })
  let last = before
  for (const name of ['grid', 'hierarchy', 'concentric', 'force']) {
    await layout.selectOption(name)
    await expect.poll(() => explorer.places('star', 7), name).not.toEqual(last)
    last = await explorer.places('star', 7)
    expect(last.get('Leaf leaf-1'), name).toEqual(before.get('Leaf leaf-1'))
  }
  await page.reload()
  await expect(pinned).toBeAttached()

  await pinned.dispatchEvent('click')
  await explorer.canvas.focus()
  await page.keyboard.press('p')
  await expect(pinned).toHaveCount(0)
  await expect(explorer.node('Leaf leaf-1')).toBeAttached()
  await explorer.press('Undo Unpin')
  await expect(pinned).toBeAttached()
})

test('leaves become one node, which Enter opens; a type becomes one, too', async ({
  page,
  server,
}) => {
  const explorer = await openStar(page, server.url, 40)
  await explorer.canvas.focus()
  await page.keyboard.press('b')
  const group = explorer.node('40 Leaf at h, drawn as one')
  await expect(group).toBeAttached()
  await expect(explorer.node('Leaf leaf-7')).toHaveCount(0)
  await expect(explorer.edge(/^Has ×40/)).toBeAttached()
  await expect(explorer.status).toHaveText('41 vertices · 40 edges')
  await group.dispatchEvent('click')
  await expect(explorer.inspector.getByRole('heading', { name: '40 Leaf' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.reload()
  await expect(group).toBeAttached()

  await group.dispatchEvent('click')
  await explorer.canvas.focus()
  await page.keyboard.press('Enter')
  await expect(explorer.node('Leaf leaf-7')).toBeAttached()
  await expect(group).toHaveCount(0)
  await explorer.press('Undo Open Leaf')
  await expect(group).toBeAttached()
  await group.dispatchEvent('dblclick')
  await expect(group).toHaveCount(0)

  await mark(page, 'Leaf').click()
  await explorer.inspector.getByRole('button', { name: 'Draw all Leaf as one' }).click()
  await expect(explorer.node('40 Leaf, drawn as one')).toBeAttached()
})

test('a crowd is told, with what makes room', async ({ page, server }) => {
  await page.addInitScript(() => {
    localStorage.setItem(
      'quiver.preferences',
      JSON.stringify({ canvasLimit: 200, expandLimit: 150 }),
    )
  })
  const graph = await makeStar(server.url, 220)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Hub:h')
  const notice = page.getByText(': fewer would be more fluent')
  await explorer.expand('Show 150 more of Has to Leaf')
  await expect(explorer.status).toContainText('151 vertices')
  await expect(notice).toBeHidden()
  await explorer.expand('Show 150 more of Has to Leaf')
  await expect(explorer.status).toHaveText('221 vertices · 220 edges')
  await expect(notice).toBeVisible()
  expect(await violations(page)).toEqual([])
  await explorer.press('Hide leaves')
  await expect(explorer.status).toContainText('220 hidden')
  await expect(notice).toBeHidden()
  await explorer.press('Undo Hide leaves')
  await explorer.press('Collapse by type')
  await expect(explorer.node('220 Leaf, drawn as one')).toBeAttached()
  await expect(notice).toBeHidden()
  await explorer.press('Undo Collapse by type')
  await explorer.press('Continue')
  await expect(notice).toBeHidden()
  await expect(explorer.status).toHaveText('221 vertices · 220 edges')
})
