import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { watchErrors } from '../pages/console.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'

test('types are styled by their attributes, and the legend says how', async ({
  page,
  sampled: server,
}) => {
  const errors = watchErrors(page)
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Merchant')
  await explorer.press('Add all 50')
  await expect(explorer.status).toHaveText('50 vertices · 0 edges')
  await page.getByRole('tab', { name: 'Style' }).click()
  const rules = page.getByRole('region', { name: 'Style of Merchant' })
  await rules.getByRole('combobox', { name: 'Colour' }).selectOption('category')
  const bands = page.getByRole('list', { name: 'Colours of Merchant' }).getByRole('button')
  await expect(bands.filter({ hasText: 'books' })).toBeVisible()
  const counts = await bands.allInnerTexts()
  const sum = counts.reduce((total, text) => total + Number(/\d+$/.exec(text)?.[0]), 0)
  expect(sum).toBe(50)
  await rules.getByRole('combobox', { name: 'Label' }).selectOption('category')
  await expect(explorer.node('Merchant merchant-').first()).toContainText(/, \w+$/)

  const books = bands.filter({ hasText: 'books' })
  const count = Number(/\d+$/.exec(await books.innerText())?.[0])
  await books.click()
  await page.getByRole('tab', { name: 'Inspector' }).click()
  await expect(explorer.inspector).toContainText(`${count} selected`)

  // A part of the scene: it comes back with it, and goes step by step.
  await explorer.places('sample', 50)
  await page.reload()
  await expect(books).toBeVisible()
  await page.getByRole('tab', { name: 'Style' }).click()
  await expect(rules.getByRole('combobox', { name: 'Label' })).toHaveValue('category')
  await rules.getByRole('combobox', { name: 'Colour' }).selectOption('')
  await expect(books).toHaveCount(0)
  await explorer.press('Undo Style of Merchant')
  await expect(books).toBeVisible()
  expect(errors).toEqual([])
})

test('a map shows where in a large scene one is, and leads elsewhere', async ({
  page,
  sampled: server,
}) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Merchant')
  await explorer.press('Add all 50')
  await expect(explorer.status).toHaveText('50 vertices · 0 edges')
  await explorer.places('sample', 50)
  const map = page.locator('canvas[class*="minimap"]')
  await explorer.canvas.focus()
  await page.keyboard.press('0')
  await expect(map).toBeHidden()
  for (let step = 0; step < 6; step++) await page.keyboard.press('+')
  await expect(map).toBeVisible()
  const before = await map.screenshot()
  await map.click({ position: { x: 30, y: 30 } })
  await expect.poll(async () => (await map.screenshot()).equals(before)).toBe(false)
})

test('axe finds nothing in a styled scene in either theme', async ({ page, sampled: server }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Merchant')
  await explorer.press('Add all 50')
  await page.getByRole('tab', { name: 'Style' }).click()
  await page.getByRole('combobox', { name: 'Colour' }).selectOption('category')
  await expect(page.getByRole('list', { name: 'Colours of Merchant' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})
