import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'

async function type(page: Page, text: string) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search commands' }).fill(text)
  return page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
}

test('a vertex is opened from any page by its id', async ({ page, sampled: server }) => {
  const explorer = new ExplorerPage(page)
  await page.goto(`${server.url}/ui/sample/indexes`)
  await expect(page.getByRole('heading', { name: 'Indexes' })).toBeVisible()
  const options = await type(page, 'Account:account-00007')
  await expect(options.first()).toContainText('Open the vertex Account account-00007')
  await page.keyboard.press('Enter')
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await expect(explorer.inspector.getByText('account-00007').first()).toBeVisible()

  await type(page, 'device-00003')
  await page.keyboard.press('Enter')
  await expect(explorer.status).toHaveText(/^2 vertices/)
  await type(page, 'device-0000x')
  await page.keyboard.press('Enter')
  await expect(explorer.results).toContainText('No vertex has the id device-0000x.')
  await explorer.add('Device device-00000')
  await expect(explorer.status).toHaveText(/^3 vertices/)
  await expect((await type(page, 'arrange')).first()).toContainText('Arrange')
})

test('an error leads to its request, at once and later from the palette', async ({
  page,
  sampled: server,
}) => {
  const explorer = new ExplorerPage(page)
  await explorer.open(server.url, 'sample')
  await explorer.find('Account where nope = 1')
  const button = explorer.results.getByRole('button', { name: 'Show request' })
  await button.click()
  const requests = page.getByRole('dialog', { name: 'Requests of this tab' })
  const details = requests.getByRole('region', { name: /filter=nope/ })
  await expect(details).toContainText('Request id')
  await expect(details).toContainText("'nope'")
  expect(await violations(page)).toEqual([])
  const id = (await details.locator('code').first().textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(requests).toBeHidden()
  await expect(button).toBeFocused()

  await page.goto(`${server.url}/ui/sample/indexes`)
  await page.goBack()
  await explorer.find('Account where nope = 2')
  await expect(button).toBeVisible()
  await type(page, 'nope')
  const failed = page.getByRole('group', { name: 'Failed' })
  await expect(failed.getByRole('option').first()).toContainText('nope')
  await page.keyboard.press('Enter')
  await expect(details).toContainText('Request id')
  await expect(details).not.toContainText(id)
  await requests.getByRole('textbox', { name: 'Search requests' }).fill('no such request')
  await expect(requests).toContainText('No request fits.')
})
