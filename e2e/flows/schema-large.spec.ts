import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { makeGraph } from '../pages/graphs.ts'
import { largeSchema } from '../pages/large-schema.ts'
import { SchemaPage } from '../pages/schema-page.ts'

test('240 types open as their components, and what is searched is brought into view', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, largeSchema)
  const schema = new SchemaPage(page)
  await schema.open(server.url, graph)
  await expect(page.getByText('120 vertex types, 120 edge types')).toBeVisible()
  const list = page.getByRole('region', { name: `Schema of ${graph}, as a list` })
  const nodes = list.getByRole('list', { name: 'Nodes' }).getByRole('button')
  const edges = list.getByRole('list', { name: 'Edges' }).getByRole('button')
  await expect(nodes).toHaveCount(12)
  await expect(edges).toHaveCount(0)
  expect(await violations(page), 'closed').toEqual([])

  await nodes.filter({ hasText: 'around Isle4_T0' }).press('Enter')
  await expect(nodes).toHaveCount(11 + 10)
  await expect(edges).toHaveCount(10)

  // Found by its name, its component is opened, and it stands in the middle.
  await page.getByRole('textbox', { name: 'Filter types' }).fill('isle9_t7')
  await schema.type('Isle9_T7').click()
  await expect(schema.inspector).toContainText('Isle9_T7')
  await expect(nodes).toHaveCount(10 + 20)
  await expect(async () => {
    const box = await schema.canvas.boundingBox()
    if (box === null) throw new Error('no canvas')
    await page.mouse.click(box.x + 8, box.y + box.height - 8)
    await expect(schema.inspector).toContainText('Choose a type', { timeout: 1_000 })
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await expect(schema.inspector).toContainText('Isle9_T7', { timeout: 1_000 })
  }).toPass()

  await page.getByRole('button', { name: 'Open all components' }).click()
  await expect(nodes).toHaveCount(120)
  await page.getByRole('button', { name: 'Close components' }).click()
  // The one with the selection stays.
  await expect(nodes).toHaveCount(11 + 10)

  // Pairs in a matrix: 30 types each way, what is joined first, walked by the arrows.
  await page.getByRole('textbox', { name: 'Filter types' }).fill('isle9_e7')
  await schema.type('isle9_e7').click()
  await schema.inspector.getByRole('button', { name: 'Choose in a matrix' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pairs of isle9_e7' })
  await expect(dialog.getByRole('checkbox')).toHaveCount(30 * 30)
  await expect(dialog).toContainText('30 of 120: type to narrow them down')
  expect(await violations(page), 'matrix').toEqual([])
  await dialog.getByRole('textbox', { name: 'Sources' }).fill('isle9_')
  await dialog.getByRole('textbox', { name: 'Targets' }).fill('isle8_')
  await expect(dialog.getByRole('checkbox')).toHaveCount(10 * 10)
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('checkbox', { name: 'Isle9_T0 to Isle8_T0' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('checkbox', { name: 'Isle9_T1 to Isle8_T1' })).toBeChecked()
  await expect(schema.draftBar).toContainText('1 change')
  await page.keyboard.press('Space')
  await expect(schema.draftBar).toContainText('No unpublished changes.')
})
