import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeRoutes } from '../pages/explorer-graphs.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, people, schemaOf } from '../pages/graphs.ts'
import { SchemaPage } from '../pages/schema-page.ts'

async function exported(page: Page, item: string): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  const download = await coming
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('what is on the canvas is taken elsewhere, to the last digit', async ({ page, server }) => {
  const graph = await makeRoutes(server.url, ['AF', 'LH'])
  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, 'Airport:FRA')
  await explorer.expand('Expand all')
  await expect(explorer.status).toHaveText('2 vertices · 2 edges')
  await explorer.places(graph, 2)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Picture as PNG' })).toBeFocused()
  expect(await violations(page), 'exports').toEqual([])
  await page.keyboard.press('Escape')
  const png = await exported(page, 'Picture as PNG')
  expect(png.text.slice(1, 4)).toBe('PNG')
  const svg = await exported(page, 'Picture as SVG')
  expect(svg.name).toBe('routes.svg')
  const drawn = await page.evaluate<{ tag: string; texts: string[]; lines: number }>(`{
    const text = ${JSON.stringify(svg.text)}
    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
    const texts = [...root.querySelectorAll('text')].map(({ textContent }) => textContent)
    ;({ tag: root.tagName, texts, lines: root.querySelectorAll(':scope > path').length })
  }`)
  expect(drawn).toMatchObject({ tag: 'svg', lines: 2 })
  expect(drawn.texts.join()).toContain('FRA')
  const scene = await exported(page, 'Scene as JSON')
  expect(JSON.parse(scene.text)).toMatchObject({ vertices: ['Airport FRA', 'Airport CDG'] })
  const vertices = await exported(page, 'Vertices as CSV')
  expect(vertices.text).toBe(
    'Id,Label,Type,Key\r\nAirport FRA,FRA,Airport,FRA\r\nAirport CDG,CDG,Airport,CDG\r\n',
  )
  const edges = await exported(page, 'Edges as CSV')
  expect(edges.text.split('\r\n').sort()).toEqual([
    '',
    'Airport FRA,Airport CDG,Directed,route,AF,708663653625634816',
    'Airport FRA,Airport CDG,Directed,route,LH,708663653625634816',
    'Source,Target,Type,Label,airline,seats',
  ])
  // All of it is gone, and written again from the file.
  const read = () => fetch(`${server.url}/restpp/graph/${graph}/edges/Airport/FRA`)
  const before = await (await read()).text()
  const payload = await exported(page, 'Upsert payload')
  await fetch(`${server.url}/restpp/graph/${graph}/vertices/Airport`, { method: 'DELETE' })
  expect(await (await read()).text()).not.toContain('708663653625634816')
  await fetch(`${server.url}/restpp/graph/${graph}`, { method: 'POST', body: payload.text })
  expect(await (await read()).text()).toBe(before)
})

test('a schema is taken elsewhere as a script that makes it', async ({ page, server }) => {
  const graph = await makeGraph(server.url, people)
  const schema = new SchemaPage(page)
  await schema.open(server.url, graph)
  await expect(schema.canvas).toBeVisible()
  const json = await exported(page, 'JSON')
  expect(JSON.parse(json.text)).toMatchObject({ VertexTypes: [{ Name: 'Person' }] })
  const markdown = await exported(page, 'Markdown')
  expect(markdown.text).toContain('| `tags` | `SET<STRING>` |')
  const svg = await exported(page, 'Picture as SVG')
  expect(svg.text).toContain('>Person</text>')
  const gsql = await exported(page, 'GSQL')
  expect(gsql.name).toBe('people-schema.gsql')
  const answer = await fetch(`${server.url}/gsql/v1/statements`, {
    method: 'POST',
    body: gsql.text.replaceAll(/\bpeople\b/g, 'again').replaceAll('make_people', 'make_again'),
  })
  expect(await answer.text()).toContain('again')
  expect(await schemaOf(server.url, 'again')).toEqual({
    ...(await schemaOf(server.url, graph)),
    GraphName: 'again',
  })
})
