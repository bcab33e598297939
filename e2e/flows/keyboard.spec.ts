import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { consolePage } from '../pages/console.ts'
import { controls, walk } from '../pages/focus.ts'

const paths = [
  '/home',
  '/system',
  '/system?tab=maintenance',
  '/system?tab=raw',
  '/settings',
  '/nowhere',
]

test('the tab key reaches every control, shows where it is and goes round', async ({
  page,
  sampled: server,
}) => {
  const view = consolePage(page, server.url)
  for (const path of paths) {
    await view.open(path)
    await expect(view.heading).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    // The frame's own reads are no page's: the links into a graph come when the graphs are known.
    await expect(page.getByRole('button', { name: 'Graph sample, change' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Schema', exact: true })).toBeVisible()
    const stops = await walk(page)
    expect(
      stops.filter(({ shown }) => !shown),
      `${path}: focus without a ring`,
    ).toEqual([])
    const reached = new Set(stops.map(({ place }) => place))
    const missed = (await controls(page)).filter(({ place }) => !reached.has(place))
    expect(missed, `${path}: not reached by tab`).toEqual([])
  }
})
