import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'

test('a vertex is found, expanded and taken back', async ({ page, server }) => {
  await server.loadSample()
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
})

test('a supernode is paged without repeating a neighbour', async ({ page, server }) => {
  await server.loadSample()
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

test('the scene is there after a reload, and by keyboard alone', async ({ page, server }) => {
  await server.loadSample()
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Account:account-00007')
  await explorer.add('account-00007')
  await explorer.canvas.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('x')
  await expect(explorer.status).toHaveText(/^\d\d+ vertices/)
  const before = await explorer.status.textContent()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('quiver.explorer.sample')?.length ?? 0))
    .toBeGreaterThan(500)
  await page.reload()
  await expect(explorer.status).toHaveText(before ?? '')
})

test('an unknown id is said to be unknown', async ({ page, server }) => {
  await server.loadSample()
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Account:nobody')
  await expect(explorer.results).toContainText('No vertex has the id nobody')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the explorer in the ${colorScheme} theme`, async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await server.loadSample()
    const explorer = new ExplorerPage(page)
    await explorer.open(server.url, 'sample')
    await expect(page.getByRole('button', { name: 'A Account' })).toBeVisible()
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
}
