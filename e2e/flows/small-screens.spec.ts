import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { smallTargets } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'
import { makeGraph, people, upsert } from '../pages/graphs.ts'

const GRAPH = 'a_graph_whose_name_is_as_long_as_somebody_in_a_hurry_may_choose_it'

/** Each page, and what one most wants to do there; the page before has nothing of that name. */
const pages: readonly (readonly [
  path: string,
  role: 'button' | 'link' | 'radio' | 'switch' | 'tab' | 'textbox',
  name: string | RegExp,
])[] = [
  ['/home', 'link', /^Explore Person/],
  ['/system', 'tab', 'Maintenance'],
  ['/system?tab=maintenance', 'button', 'Rebuild now'],
  ['/access', 'button', 'New user'],
  ['/settings', 'button', 'Export settings'],
  ['/start', 'tab', 'Schema'],
  [`/${GRAPH}/schema?type=Person`, 'button', 'Add attribute'],
  [`/${GRAPH}/data`, 'button', 'Choose a file'],
  [`/${GRAPH}/explorer`, 'textbox', 'Find vertices'],
  [`/${GRAPH}/queries`, 'button', 'New query'],
  [`/${GRAPH}/indexes`, 'button', 'New index'],
  [`/${GRAPH}/statistics`, 'button', 'Back in time'],
]

/** At 200 % zoom 1280 × 800 pixels are the first of these. */
const screens = [
  { name: '640 by 400', viewport: { width: 640, height: 400 }, forcedColors: 'none' },
  { name: '390 by 844', viewport: { width: 390, height: 844 }, forcedColors: 'none' },
  {
    name: '1024 by 640, forced colours',
    viewport: { width: 1024, height: 640 },
    forcedColors: 'active',
  },
] as const

for (const { name, viewport, forcedColors } of screens) {
  test(`at ${name} nothing of a page is lost, and each begins at its top`, async ({
    page,
    server,
  }) => {
    await makeGraph(server.url, { ...people, graph: GRAPH })
    await upsert(server.url, GRAPH, { vertices: { Person: { '1': {} } } })
    await page.setViewportSize(viewport)
    await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' })
    const view = consolePage(page, server.url)
    await view.open('/settings')
    for (const [path, role, action] of pages) {
      // A whole load takes several times as long as all that is looked at.
      await view.go(path)
      const wanted = page.getByRole('main').getByRole(role, { name: action }).first()
      await expect(wanted, path).toBeVisible()
      await expect(view.heading).toBeInViewport()
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      const rail = page.getByRole('navigation', { name: 'Pages' })
      await expect(rail.getByRole('link').last()).toBeInViewport({ ratio: 1 })
      const surplus = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(surplus, path).toBe(0)
      const scrolled = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll('main *')].filter((one) => one.scrollTop > 0 && one.closest('.cm-editor') === null).map((one) => one.className)`,
      )
      expect(scrolled, path).toEqual([])
      expect(await smallTargets(page), path).toEqual([])
      // Scrolled to, and nothing lies over it.
      await wanted.click({ trial: true })
    }
  })
}
