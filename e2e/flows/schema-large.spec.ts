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
})
