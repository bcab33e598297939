import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { LOOP, QueriesPage } from '../pages/queries-page.ts'

test('a query that runs too long is seen running and aborted', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(page, server.url, LOOP)
  await queries.setParameter('rounds', '1000000000')
  await queries.run()
  await queries.showRunning()
  await expect(queries.runningRow('/query/sample/endless')).toBeVisible()
  await queries.abort('/query/sample/endless')
  await expect(queries.runningRow('/query/sample/endless')).toHaveCount(0)
  await queries.showResult()
  await expect(page.getByRole('alert')).toContainText('abort')
})

test('the run of the page is watched, stopped, and alone', async ({ page, sampled: server }) => {
  const queries = await QueriesPage.withQuery(page, server.url, LOOP)
  const address = `${server.url}/restpp/query/sample/endless`
  // Longer than the 16 seconds that a query has by default: the machine may be slow.
  const headers = { 'GSQL-TIMEOUT': '600000' }
  const other = fetch(address, { method: 'POST', headers, body: '{"rounds":1000000000}' })
  await queries.setParameter('rounds', '1000000000')
  await queries.run()
  const progress = page.getByRole('region', { name: 'The run so far' })
  await expect(progress).toContainText(/Edges read[\d,]+/)
  await queries.choose('transfer_rank')
  await queries.choose('endless')
  await expect(progress).toBeVisible()
  await queries.showRunning()
  await expect(queries.runningRow('/query/sample/endless')).toHaveCount(2)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(queries.runningRow('/query/sample/endless')).toHaveCount(1)
  await queries.showResult()
  await expect(page.getByText('You stopped the run before it printed anything.')).toBeVisible()
  await queries.showRunning()
  await queries.abort('/query/sample/endless')
  expect(await (await other).json()).toMatchObject({ error: true })
})

test('several runs are found, aborted together, and told of when they ended', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(page, server.url, LOOP)
  const address = `${server.url}/restpp/query/sample/endless`
  // Longer than everything below takes on a busy machine.
  const headers = { 'GSQL-TIMEOUT': '300000' }
  const body = '{"rounds":1000000000}'
  const runs = [1, 2].map(() => fetch(address, { method: 'POST', headers, body }))
  await queries.showRunning()
  const rows = queries.runningRow('/query/sample/endless')
  await expect(rows).toHaveCount(2)
  const age = page.getByRole('combobox', { name: 'How long they have run' })
  await age.selectOption('for over 1 min')
  await expect(page.getByText('None of the 2 running queries fits.')).toBeVisible()
  await age.selectOption('of any age')
  await rows.first().click()
  await rows.last().click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByRole('button', { name: 'Abort 2 selected' })).toBeVisible()
  expect(await violations(page), 'several runs').toEqual([])
  await page.keyboard.press('x')
  await expect(rows).toHaveCount(0)
  const ended = page.getByRole('table', { name: 'Ended queries' })
  await expect(ended.getByRole('cell', { name: 'aborted' })).toHaveCount(2)
  for (const run of runs) expect(await (await run).json()).toMatchObject({ error: true })
  expect(await violations(page), 'ended runs').toEqual([])
})
