/** Several servers over one store, as the console shows them. The two endpoints are a stub's. */
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

const instance = (name: string, ordinal: number) => ({
  ...{ name, ordinal, role: 'follower', self: false, url: `http://${name}:14240` },
  ...{ version: '1.2.0', position: 1_234_567, lag: 0, memoryLimitBytes: 34_359_738_368 },
  silentMs: 300,
})

const writing = (writer: string) => ({
  ...{ role: writer === 'two' ? 'writer' : 'follower', self: 'two', writer, epoch: 7 },
  ...{ position: 1_234_567, stalenessMs: 420, maxStalenessMs: 300_000, connected: true },
  durableCopies: 2,
  instances: [
    { ...instance('one', 1), role: writer === 'one' ? 'writer' : 'follower' },
    { ...instance('two', 2), self: true, role: writer === 'two' ? 'writer' : 'follower' },
    { ...instance('three', 3), position: 1_230_000, lag: 4_567, silentMs: 65_000 },
  ],
})

/** Answers from here on; what the page asks until it is left goes nowhere else. */
async function stubOf(page: Page) {
  let view: object = writing('one')
  const answer = (results?: object) => ({ json: { error: false, message: '', results } })
  await page.route('**/quiver/v1/instances', (route) => route.fulfill(answer(view)))
  await page.route('**/quiver/v1/instances/hand-over', async (route) => {
    view = writing('two')
    await route.fulfill(answer())
  })
  return {
    show(next: object): void {
      view = next
    },
    /** Leaves the page first: one that is left asks for nothing more. */
    async end(): Promise<void> {
      await page.goto('about:blank')
      await page.unrouteAll({ behavior: 'wait' })
    },
  }
}

test('instances are listed, and the writer hands over', async ({ page, server }) => {
  const stub = await stubOf(page)
  await consolePage(page, server.url).open('/system?tab=instances')
  await expect(page.getByRole('button', { name: /^follower, writes/ })).toBeVisible()
  const table = page.getByRole('table', { name: 'Instances' })
  const row = (name: RegExp) => table.getByRole('row', { name })
  await expect(row(/^one/)).toContainText('writer')
  await expect(row(/^one/)).toContainText('1,234,567')
  await expect(row(/^two this one/)).toContainText('follower')
  await expect(row(/^three/)).toContainText('follower, silent')
  await expect(row(/^three/)).toContainText('4,567')
  await expect(page.getByText('1 instance is silent')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Hand over' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the writing?' })
  await expect(dialog).toContainText('one ends the writes that are under way')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  await expect(row(/^two this one/)).toContainText('writer')
  await expect(page.getByRole('button', { name: /^writer/ })).toBeVisible()

  stub.show({ ...writing('one'), stalenessMs: 4_200 })
  await expect(page.getByRole('button', { name: /^follower, 4\.2\d* s behind/ })).toBeVisible()
  stub.show({ ...writing('two'), connected: false, durableCopies: 1 })
  await expect(page.getByText('The store does not answer this instance.')).toBeVisible()
  await expect(page.getByText('lies on one machine only')).toBeVisible()
  await stub.end()
})

test('a server with a store of its own says so, and has no role', async ({ page, server }) => {
  await consolePage(page, server.url).open('/system?tab=instances')
  await expect(page.getByText('This server has a store of its own.')).toBeVisible()
  await expect(page.getByRole('button', { name: /writer|follower/ })).toHaveCount(0)
})
