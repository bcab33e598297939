import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'
import { send } from '../pages/graphs.ts'

/** Each is loaded as a whole. */
const documents = ['/login', '/../quiver/v1/docs', '/settings']

/** Shown one after the other in one document; the statistics of a graph are looked at in statistics.spec.ts. */
const paths = [
  '/home',
  '/system',
  '/system?tab=explorer',
  '/system?tab=raw',
  '/system?tab=maintenance',
  '/system?tab=versions',
  '/nowhere',
  '/nosuch/explorer',
]

/** Where nothing is yet, in a graph without types, with the words that say so. */
const empty = [
  ['/bare/schema', 'A schema says which vertices'],
  ['/bare/data', 'Data needs a schema'],
  ['/bare/explorer', 'Exploring needs a schema'],
  ['/bare/queries', 'New query'],
  ['/bare/indexes', 'An index needs a schema'],
  ['/access?tab=credentials', 'You have no secrets.'],
  ['/system?tab=log', 'Nothing of this level was logged.'],
] as const

test('axe finds nothing on the pages of the system in either theme', async ({ page, server }) => {
  test.slow()
  const view = consolePage(page, server.url)
  await view.open('/home')
  await expect(page.getByText('No graphs yet.')).toBeVisible()
  expect(await violations(page), 'home, empty').toEqual([])

  await send('POST', `${server.url}/gsql/v1/schema/graphs?graphName=bare`, { VertexTypes: [] })
  await view.open('/bare/schema')
  for (const [path, words] of empty) {
    await view.go(path)
    await expect(page.getByRole('main')).toContainText(words)
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    expect(await violations(page, 'main'), `${path}, empty`).toEqual([])
  }

  await server.loadSample()
  for (const path of documents) {
    await view.open(path)
    await expect(view.heading).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    expect(await violations(page), path).toEqual([])
  }
  for (const path of paths) {
    await view.go('/settings')
    await expect(view.heading).toHaveText('Settings')
    await view.go(path)
    await expect(view.heading).not.toHaveText('Settings')
    await expect(view.heading).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    expect(await violations(page), path).toEqual([])
  }
})

test('axe finds nothing under any overlay in either theme', async ({ page, server }) => {
  const view = consolePage(page, server.url)
  await view.open('/settings')
  await expect(view.heading).toBeVisible()
  for (const key of ['Control+k', '?', '`']) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), key).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: /^Activity/ }).click()
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  expect(await violations(page), 'activity').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^User/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await violations(page), 'user menu').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear storage' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await violations(page), 'dialog').toEqual([])
})
