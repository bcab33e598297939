import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { consolePage } from '../pages/console.ts'

test('after the power went everything is as it was', async ({ page, program: server }) => {
  const graph = await server.loadSample()
  await createIndex(server.url, graph)
  const changed = await upsert(server.url, graph, { 'account-00007': { name: { value: 'Zoë' } } })
  expect(changed).toBe(1)

  await server.kill()
  await server.restart()

  const view = consolePage(page, server.url)
  await view.open('/home')
  await expect(page.getByRole('main')).toContainText('20,000 vertices, 100,000 edges')
  await view.open(`/${graph}/schema`)
  await expect(page.getByRole('banner')).toContainText('4 vertex types, 4 edge types')
  await view.open(`/${graph}/indexes`)
  await expect(page.getByRole('row', { name: /by_risk/ })).toBeVisible()
  await view.open(`/${graph}/explorer?vertex=Account:account-00007`)
  await expect(page.getByRole('tabpanel', { name: 'Inspector' })).toContainText('Zoë')
})

async function createIndex(url: string, graph: string): Promise<void> {
  const body = {
    vertex: 'Account',
    addIndexAttributes: [{ indexName: 'by_risk', attributeName: 'risk' }],
  }
  const answer = await fetch(`${url}/gsql/v1/schema/indexes?graph=${graph}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect(await answer.json()).toMatchObject({ error: false })
}

async function upsert(url: string, graph: string, accounts: object): Promise<number> {
  const answer = await fetch(`${url}/restpp/graph/${graph}`, {
    method: 'POST',
    body: JSON.stringify({ vertices: { Account: accounts } }),
  })
  const { results } = (await answer.json()) as { results: [{ accepted_vertices: number }] }
  return results[0].accepted_vertices
}
