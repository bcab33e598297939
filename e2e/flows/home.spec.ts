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
  await expect(page.getByText('No graphs yet.')).toBeVisible()

  await page.getByRole('button', { name: 'Load sample graph' }).click()
  await expect(page.getByText('20,000 vertices, 100,000 edges').first()).toBeVisible()
  await expect(view.cell('Types of sample', /Account/, 2)).toHaveText(/\d/)
  await expect(page.getByRole('list', { name: 'Components' }).getByText('GPE')).toBeVisible()
  await expect(view.cell('Types of sample', /Account/, 4)).toHaveText(/^[1-9]$/)
  await page.getByRole('link', { name: 'Explore Account' }).click()
  await expect(page.getByRole('region', { name: 'Search results' })).toContainText('The first 50')
  await expect(page).toHaveURL(/\/ui\/sample\/explorer$/)
  expect(errors).toEqual([])
})

test('a page is reached by the palette and by its keys', async ({ page, sampled: server }) => {
  const view = consolePage(page, server.url)
  await view.open('/home')
  await expect(view.heading).toHaveText('Home')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search commands' }).fill('syst')
  await page.keyboard.press('Enter')
  await expect(view.heading).toHaveText('System')

  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page.getByRole('tab', { name: /^Running/, selected: true })).toBeVisible()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page).toHaveURL(/outcome=history$/)

  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(view.heading).toHaveText('Home')

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('`')
  const requests = page.getByRole('dialog', { name: 'Requests of this tab' })
  // On a slow machine the list of graphs has been requested several times by now.
  const graphs = requests.getByText('GET /gsql/v1/schema/graphs', { exact: true })
  await expect(graphs.first()).toBeVisible()
  await requests.getByRole('textbox', { name: 'Search requests' }).fill('get metrics 200')
  await expect(graphs).toHaveCount(0)
  await expect(requests.getByText('GET /informant/metrics').first()).toBeVisible()
  await requests
    .getByRole('row', { name: /informant/ })
    .first()
    .click()
  const details = requests.getByRole('region', { name: 'GET /informant/metrics' })
  await expect(details).toContainText(`curl`)
  await expect(details).toContainText('RESTPP')
  await expect(details.getByRole('region', { name: 'Answer' })).toContainText('# TYPE')

  await requests.getByRole('button', { name: 'Full width' }).click()
  const widthOf = async () => (await requests.boundingBox())?.width
  await expect.poll(widthOf).toBe(1440)
  await expect(details).toBeInViewport({ ratio: 0.99 })
  await page.keyboard.press('Escape')
  await expect(requests).toHaveCount(0)
  await page.keyboard.press('`')
  await expect.poll(widthOf).toBe(1440)
})

test('palette and help sheet know the same shortcuts, none of them twice', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const pages = ['schema?type=Account', 'explorer?vertex=Account:account-00007', 'queries']
  for (const path of [...pages, 'indexes', 'statistics', 'data']) {
    await view.open(`/${graph}/${path}`)
    await expect(view.heading).toBeVisible()
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Search or jump to' }).click()
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    await expect(options.first()).toBeVisible()
    const offered = await options.allInnerTexts()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(sheet.locator('dl').first()).toBeVisible()
    const rows = await sheet.locator('dl > div').evaluateAll((found) =>
      found.map((row) => {
        const parts = row as unknown as {
          querySelector(name: string): { innerText: string }
          closest(name: string): { ariaLabel: string }
        }
        const [dt, dd] = [parts.querySelector('dt'), parts.querySelector('dd')]
        const part = parts.closest('section').ariaLabel
        return { label: dt.innerText, keys: dd.innerText, part }
      }),
    )
    await page.keyboard.press('Escape')
    const keys = rows.map((row) => row.keys)
    expect(new Set(keys).size, `${path}: ${keys.toSorted().join(' | ')}`).toBe(keys.length)
    const silent = rows.filter(({ label }) => !offered.some((text) => text.includes(label)))
    const byKeyOnly = silent.filter(({ part }) => !part.endsWith('on the canvas'))
    expect(
      byKeyOnly.map(({ label }) => label),
      path,
    ).toEqual(['Command palette'])
  }
})

test('the home page leads back to what was opened and what was left unfinished', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  await view.open(`/${graph}/queries?query=shared_devices`)
  const editor = page.getByRole('textbox', { name: /^Text of/ })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# half a thought\n')
  await view.open('/home')
  const back = page.getByRole('region', { name: 'Recent' })
  await expect(back.getByRole('link', { name: 'shared_devices', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  const found = page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: 'shared_devices' })
  await page.getByRole('combobox', { name: 'Search commands' }).fill('shared')
  await expect(found).toBeVisible()
  await page.keyboard.press('Escape')
  await back.getByRole('link', { name: 'Query shared_devices' }).click()
  await expect(editor).toContainText('half a thought')
})

test('work shows in the tray, and a schema changed elsewhere in the bar', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const view = consolePage(page, server.url)
  await view.open('/system?tab=maintenance')
  await page.getByRole('button', { name: 'Rebuild now' }).click()
  await expect(page.getByText(/RebuildNow finished/)).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('button', { name: /^Activity/ }).click()
  const entry = page.getByRole('listitem').filter({ hasText: `Rebuild ${graph}` })
  await expect(entry).toContainText('done')
  await page.keyboard.press('Escape')

  const bar = page.getByRole('banner')
  const change = {
    addVertexTypes: [
      {
        Name: 'Branch',
        PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
        Attributes: [],
      },
    ],
  }
  const answer = await fetch(`${server.url}/gsql/v1/schema/change?graph=${graph}`, {
    method: 'POST',
    body: JSON.stringify(change),
  })
  expect(await answer.json()).toMatchObject({ error: false })
  const badge = bar.getByRole('button', { name: /^schema v\d+: reload/ })
  await badge.click()
  await expect(badge).toHaveCount(0)
})
