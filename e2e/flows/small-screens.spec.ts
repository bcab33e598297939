import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { makeGraph, people, upsert } from '../pages/graphs.ts'

const GRAPH = 'a_graph_whose_name_is_as_long_as_somebody_in_a_hurry_may_choose_it'
const pages = ['schema', 'data', 'explorer', 'queries', 'indexes', 'statistics']
const others = ['/home', '/system', '/access', '/settings', '/start']

/** At 200 % zoom 1280 × 800 pixels are these. */
const sizes = [
  { width: 640, height: 400 },
  { width: 390, height: 844 },
]

for (const viewport of sizes) {
  const name = `${viewport.width} by ${viewport.height}`
  test(`at ${name} no page is wider than the screen, and each begins at its top`, async ({
    page,
    server,
  }) => {
    await makeGraph(server.url, { ...people, graph: GRAPH })
    await upsert(server.url, GRAPH, { vertices: { Person: { '1': {} } } })
    await page.setViewportSize(viewport)
    for (const path of [...others, ...pages.map((one) => `/${GRAPH}/${one}`)]) {
      await page.goto(`${server.url}/ui${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      const surplus = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(surplus, path).toBe(0)
      const scrolled = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('main *')].filter((one) => one.scrollTop > 0 && one.closest('.cm-editor') === null).map((one) => one.className)`,
      )
      expect(scrolled, path).toEqual([])
    }
  })
}
