import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { QueriesPage } from '../pages/queries-page.ts'

const LOOP = `CREATE OR REPLACE QUERY endless(INT rounds) {
  SumAccum<INT> @@count;
  INT round = 0;
  WHILE round < rounds DO
    Start = {Account.*};
    Start = SELECT s FROM Start:s -(Transfer>:e)- Account:t ACCUM @@count += 1;
    round = round + 1;
  END;
  PRINT @@count;
}`

test('a query is written with an error, corrected, installed and run', async ({ page, server }) => {
  await server.loadSample()
  const queries = new QueriesPage(page)
  await queries.open(server.url, 'sample')
  await queries.newQuery()
  await queries.write(`CREATE QUERY rich(DOUBLE least) {
  Start = {Acount.*};
  Rich = SELECT a FROM Start:a WHERE a.balance > least ORDER BY a.balance DESC LIMIT 5;
  PRINT Rich[Rich.name, Rich.balance];
}`)
  await expect(queries.diagnostics).not.toHaveCount(0)
  await queries.replace('Acount', 'Account')
  await expect(queries.diagnostics).toHaveCount(0)
  await queries.install()
  await expect(queries.item('rich')).toContainText('installed')
  await queries.setParameter('least', '1000')
  await queries.run()
  await expect(page.getByRole('table', { name: 'Rich' }).getByRole('row')).toHaveCount(6)
  await queries.showJson()
  await expect(page.getByRole('tabpanel', { name: 'JSON' })).toContainText('"v_type": "Account"')
})

test('a query that runs too long is seen running and aborted', async ({ page, server }) => {
  await server.loadSample()
  const queries = new QueriesPage(page)
  await queries.open(server.url, 'sample')
  await queries.newQuery()
  await queries.write(LOOP)
  await queries.install()
  await queries.setParameter('rounds', '1000000000')
  await queries.run()
  await queries.showRunning()
  await expect(queries.runningRow('/query/sample/endless')).toBeVisible()
  await queries.abort('/query/sample/endless')
  await expect(queries.runningRow('/query/sample/endless')).toHaveCount(0)
  await queries.showResult()
  await expect(page.getByRole('alert')).toContainText('abort')
})

test('queries are there after the power went', async ({ page, server }) => {
  await server.loadSample()
  await server.kill()
  await server.restart()
  const queries = new QueriesPage(page)
  await queries.open(server.url, 'sample')
  await queries.choose('transfer_rank')
  await queries.setParameter('top', '3')
  await queries.run()
  await expect(page.getByRole('table', { name: 'ranks' }).getByRole('row')).toHaveCount(4)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing among the queries in the ${colorScheme} theme`, async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await server.loadSample()
    const queries = new QueriesPage(page)
    await queries.open(server.url, 'sample')
    await queries.choose('shared_devices')
    await expect(page.getByRole('group', { name: 'Parameters' })).toBeVisible()
    expect(await violations(page), 'installed').toEqual([])
    await queries.run()
    await expect(page.getByRole('table', { name: 'Shared' })).toBeVisible()
    expect(await violations(page), 'table').toEqual([])
    await queries.showJson()
    expect(await violations(page), 'json').toEqual([])
    await queries.showRunning()
    expect(await violations(page), 'running').toEqual([])
    await queries.newQuery()
    await queries.write('CREATE QUERY wrong() { S = {Nobody.*}; }')
    await expect(queries.diagnostics).not.toHaveCount(0)
    expect(await violations(page), 'with an error').toEqual([])
  })
}
