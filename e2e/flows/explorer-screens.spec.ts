/** The explorer on small screens, in forced colours, and where something is wrong. */
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { showsColour } from '../pages/canvas.ts'
import { makeStar } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { send } from '../pages/graphs.ts'

async function openStar(page: Page, url: string, leaves: number): Promise<ExplorerPage> {
  const graph = await makeStar(url, leaves)
  const explorer = new ExplorerPage(page)
  await explorer.openAt(url, graph, 'Hub:h')
  await explorer.expand('Expand all')
  await expect(explorer.status).toContainText(`${leaves + 1} vertices`)
  return explorer
}

/** At 200 % zoom a screen of 1280 by 800 is the first. */
for (const viewport of [
  { width: 640, height: 400 },
  { width: 1024, height: 640 },
]) {
  test.describe(`at ${viewport.width} by ${viewport.height}`, () => {
    test.use({ viewport, deviceScaleFactor: viewport.width < 1024 ? 2 : 1 })

    test('every tool, the canvas and the inspector are reached', async ({ page, server }) => {
      const explorer = await openStar(page, server.url, 6)
      const surplus = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate<number>(surplus)).toBe(0)
      const box = await explorer.canvas.boundingBox()
      expect(box?.width).toBeGreaterThan(200)
      expect(box?.height).toBeGreaterThan(200)
      const tools = page.getByRole('toolbar', { name: 'Explorer' }).getByRole('button')
      for (const tool of await tools.all()) {
        await tool.scrollIntoViewIfNeeded()
        await expect(tool).toBeInViewport()
      }
      await explorer.node('Leaf leaf-2').dispatchEvent('click')
      await explorer.canvas.focus()
      await page.keyboard.press('f')
      const bar = page.getByRole('group', { name: 'Focus' })
      await bar.scrollIntoViewIfNeeded()
      await expect(bar.getByRole('button', { name: 'Leave focus' })).toBeInViewport()
      await bar.getByRole('button', { name: '2 edges' }).click()
      await expect(bar).toContainText('7 nodes within')
      const pin = explorer.inspector.getByRole('button', { name: 'Pin' })
      await pin.click()
      await expect(explorer.inspector.getByRole('button', { name: 'Unpin' })).toBeInViewport()
      expect(await violations(page)).toEqual([])
    })
  })
}

test('in forced colours the canvas keeps its own, and what lies over it is read', async ({
  page,
  server,
}) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' })
  const explorer = await openStar(page, server.url, 4)
  const legend = page.getByRole('list', { name: 'Legend' })
  const leaves = legend.getByRole('button', { name: /^Leaf/ })
  await expect.poll(() => showsColour(explorer.canvas, leaves)).toBe(true)
  await explorer.canvas.focus()
  await page.keyboard.press('f')
  const bar = page.getByRole('group', { name: 'Focus' })
  await expect(bar).toContainText('5 nodes within')
  const groundOf = (part: Locator) =>
    part.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).backgroundColor)
  // Of the three, one is chosen, and looks so.
  const [chosen, other] = [1, 2].map((hops) => bar.getByRole('button', { name: `${hops} edge` }))
  if (chosen === undefined || other === undefined) throw new Error('no buttons')
  expect(await groundOf(chosen)).not.toBe(await groundOf(other))
})

test('axe finds nothing where an id is unknown, an expand fails, a type is gone', async ({
  page,
  server,
}) => {
  const explorer = await openStar(page, server.url, 4)
  await explorer.find('Leaf:nobody')
  await expect(explorer.results).toContainText('nobody')
  expect(await violations(page), 'unknown id').toEqual([])
  await page.keyboard.press('Escape')

  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await page.route('**/degrees', (route) =>
    route.fulfill({
      status: 500,
      json: { error: true, message: 'The disk is on fire.', code: 'INTERNAL' },
    }),
  )
  await explorer.node('Leaf leaf-2').dispatchEvent('click')
  await expect(page.getByText('The disk is on fire.').first()).toBeVisible()
  await explorer.canvas.focus()
  await page.keyboard.press('x')
  await expect(page.getByRole('alert')).toHaveCount(2)
  expect(await violations(page), 'an expand that fails').toEqual([])
  await page.unroute('**/degrees')

  await explorer.places('star', 5)
  await send('POST', `${server.url}/gsql/v1/schema/change?graph=star`, {
    dropEdgeTypes: ['Has'],
    dropVertexTypes: ['Leaf'],
  })
  await page.reload()
  await explorer.node('Leaf leaf-1').dispatchEvent('click')
  await expect(explorer.inspector).toContainText('The database has this vertex no more.')
  expect(await violations(page), 'a type that is gone').toEqual([])
})

test('more than the canvas holds is refused, and listed instead', async ({ page, server }) => {
  const graph = await makeStar(server.url, 300)
  // All that fit, and none of them in the database: whatever comes is one too many.
  const gone = Array.from({ length: 4_999 }, (_, place) => `Leaf gone-${place}`)
  const scene = {
    version: 1,
    vertices: ['Hub h', ...gone],
    edges: [],
    remainders: [],
    hidden: [],
    positions: gone.map((key, place) => [key, (place % 70) * 60, Math.floor(place / 70) * 60]),
  }
  await page.addInitScript(
    ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
    [`quiver.explorer.${graph}`, JSON.stringify(scene)],
  )
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  await expect(explorer.status).toContainText('5,000 vertices')
  await explorer.node('Hub h').dispatchEvent('click')
  await explorer.expand('Show 50 more of Has to Leaf')
  const alert = page.getByRole('alert').filter({ hasText: 'holds at most 5,000 vertices' })
  await alert.getByRole('button', { name: 'List Has' }).click()
  await expect(page.getByText('1–100 of 300')).toBeVisible()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await explorer.find('Leaf:leaf-1')
  await explorer.add('leaf-1')
  await expect(alert).toBeVisible()
  await expect(explorer.status).toContainText('5,000 vertices')
})
