import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, upsert } from '../pages/graphs.ts'

const attribute = (AttributeName: string, Name: string) => ({
  AttributeName,
  AttributeType: { Name },
})

async function makeThings(url: string, count: number): Promise<string> {
  const type = (Name: string) => ({
    Name,
    PrimaryId: attribute('id', 'STRING'),
    Attributes: [attribute('n', 'INT')],
  })
  const change = { addVertexTypes: [type('Thing'), type('Other')] }
  const graph = await makeGraph(url, { graph: 'things', change })
  for (let start = 0; start < count; start += 20_000) {
    const length = Math.min(20_000, count - start)
    const rows = Array.from({ length }, (_, at) => [`t-${start + at}`, { n: { value: at } }])
    await upsert(url, graph, { vertices: { Thing: Object.fromEntries(rows) } })
  }
  await upsert(url, graph, { vertices: { Other: { 'o-1': {}, 'o-2': {} } } })
  return graph
}

test('an id that is not there is answered with those like it', async ({ page, server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, await makeThings(server.url, 30))
  await explorer.find('Thing:t-77')
  await expect(explorer.results).toContainText('No Thing has the id t-77.')
  await expect(explorer.results).toContainText('Similar:')
  await expect(explorer.results.getByRole('button', { name: 't-7', exact: false })).not.toHaveCount(
    0,
  )
  expect(await violations(page)).toEqual([])
  await explorer.add('t-7')
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await explorer.find('Thing:o-2')
  await expect(explorer.results).toContainText('No Thing has the id o-2.')
  await explorer.add('Other o-2')
  await expect(explorer.status).toHaveText(/^2 vertices/)
  await explorer.find('nothing like this')
  await expect(explorer.results).toContainText('Nothing similar.')
})

test('a search that looks at every vertex of a large type is announced, one by an index is not', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const graph = await makeThings(server.url, 100_000)
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, graph)
  const listed: string[] = []
  page.on('request', (request) => {
    if (/\/vertices\/Thing\?/.test(request.url())) listed.push(request.url())
  })
  // Both types have it.
  await explorer.find('n = 7')
  await page.getByRole('button', { name: 'Thing where n = 7' }).click()
  await expect(explorer.results).toContainText('up to 100,000 vertices of type Thing')
  await expect(explorer.results).toContainText('An index on n would spare that.')
  expect(listed).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Search all the same' }).click()
  await expect(explorer.results).toContainText('5 vertices')
  await expect(explorer.results).not.toContainText('by the index')

  const answer = await fetch(`${server.url}/gsql/v1/schema/indexes?graph=${graph}`, {
    method: 'POST',
    body: JSON.stringify({
      vertex: 'Thing',
      addIndexAttributes: [{ indexName: 'thing_n', attributeName: 'n' }],
    }),
  })
  expect(answer.ok).toBe(true)
  await explorer.find('Thing where n = 8')
  await expect(explorer.results).toContainText('5 vertices by the index thing_n')
  await explorer.find('Thing where m = 8')
  await expect(explorer.results.getByRole('alert')).toContainText("'m'")
})

test('what is drawn is found, and selections are made from others', async ({ page, server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, await makeThings(server.url, 3))
  const field = page.getByRole('textbox', { name: 'Find vertices' })
  await field.focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 't-0\\nt-1\\nt-2\\no-1\\no-2\\n')
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true })
    document.activeElement.dispatchEvent(paste)
  }`)
  await expect(field).toHaveValue('t-0, t-1, t-2, o-1, o-2')
  await explorer.find('t-0, t-1, t-2, o-1, o-2')
  await page.getByRole('button', { name: 'Add all 5' }).click()
  await expect(explorer.status).toHaveText(/^5 vertices/)
  await explorer.canvas.focus()
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.type('t-1')
  await expect(explorer.results).toContainText('On the canvas')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(explorer.results).toBeHidden()
  await expect(explorer.inspector.getByRole('heading', { name: 't-1' })).toBeVisible()
  await expect(explorer.node('Thing t-1')).toHaveAttribute('aria-pressed', 'true')

  await explorer.canvas.focus()
  await page.keyboard.press('t')
  await expect(explorer.inspector).toContainText('3 vertices')
  await page.keyboard.press('i')
  await expect(explorer.inspector).toContainText('2 vertices')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search commands' }).fill('select all')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('option', { name: /Select all(?! of)/ }).click()
  await expect(explorer.inspector).toContainText('5 vertices')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Invert the selection')
  await expect(sheet).toContainText('Select all of the same type')
})

test('frames are told while the canvas is moved, and only then', async ({ page, server }) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, await makeThings(server.url, 3))
  await explorer.find('t-0, t-1, t-2')
  await page.getByRole('button', { name: 'Add all 3' }).click()
  const rate = page.getByText(/\d+ fps/)
  await expect(rate).toBeHidden()
  await explorer.canvas.hover({ position: { x: 20, y: 200 } })
  const box = await explorer.canvas.boundingBox()
  const at = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 200 }
  await page.mouse.down()
  let step = 0
  await expect(async () => {
    step = (step + 7) % 90
    await page.mouse.move(at.x + step, at.y + step)
    expect(await rate.count()).toBe(1)
  }).toPass({ intervals: [20] })
  await page.mouse.up()
  await expect(rate).toBeHidden()
  await expect(explorer.status).toHaveText('3 vertices · 0 edges')
})
