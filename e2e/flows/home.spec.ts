import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { consolePage, watchErrors } from '../pages/console.ts'

test('the sample graph is loaded from an empty server and counted live', async ({
  page,
  server,
}) => {
  const errors = watchErrors(page)
  const view = consolePage(page, server.url)
  await view.open('/')
  await expect(view.heading).toHaveText('Home')
  await expect(page.getByText('This server holds no graph yet.')).toBeVisible()

  await page.getByRole('button', { name: 'Load sample graph' }).click()
  await expect(page.getByText('20,000 vertices, 100,000 edges').first()).toBeVisible()
  await expect(view.cell('Types of sample', /Account/, 2)).toHaveText(/\d/)
  await expect(page.getByRole('list', { name: 'Components' }).getByText('GPE')).toBeVisible()
  expect(errors).toEqual([])
})

test('a page is reached by the palette and by its keys', async ({ page, server }) => {
  await server.loadSample()
  const view = consolePage(page, server.url)
  await view.open('/home')
  await expect(view.heading).toHaveText('Home')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search commands' }).fill('syst')
  await page.keyboard.press('Enter')
  await expect(view.heading).toHaveText('System')

  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(view.heading).toHaveText('Home')

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('`')
  const requests = page.getByRole('dialog', { name: 'Requests of this tab' })
  await expect(requests.getByText('GET /gsql/v1/schema/graphs')).toBeVisible()
})
