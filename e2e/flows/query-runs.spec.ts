import { expect } from '@playwright/test'
import { test } from '../fixtures.ts'
import { QUERY_WORKERS } from '../hosted.ts'
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
  const row = queries.runningRow('/query/sample/endless')
  await expect(row).toBeVisible()
  const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/gsql/v1/queries/running/*', async (route) => {
    await isLetThrough
    await route.continue()
  })
  await queries.abort('/query/sample/endless')
  // The row is there until the server has ended the run, through two more looks at the list.
  for (let look = 0; look < 2; look++) {
    await page.waitForResponse((response) => response.url().endsWith('/gsql/v1/queries/running'))
  }
  await expect(row.getByRole('button', { name: 'Abort /query/sample/endless' })).toBeDisabled()
  letThrough()
  await expect(row).toHaveCount(0)
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

test('a query that waits for a worker is listed, and aborted there', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(page, server.url, LOOP)
  const address = `${server.url}/restpp/query/sample/endless`
  const headers = { 'GSQL-TIMEOUT': '300000' }
  const body = '{"rounds":1000000000}'
  // As many as run at the same time, the one in the place for short runs, and one more.
  const count = QUERY_WORKERS + 2
  const runs = Array.from({ length: count }, () =>
    fetch(address, { method: 'POST', headers, body }),
  )
  await queries.showRunning()
  const rows = queries.runningRow('/query/sample/endless')
  await expect(rows).toHaveCount(count)
  const waiting = rows.filter({ hasText: 'Waiting' })
  await expect(waiting).toHaveCount(1)
  await expect(page.getByText(`${count - 1} running, 1 waiting`)).toBeVisible()
  // It has done nothing yet, which is no figure.
  await expect(waiting).not.toContainText('0 B')
  expect(await violations(page), 'a run that waits').toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  const badge = await waiting.getByText('Waiting').boundingBox()
  const deadline = await waiting
    .locator('span:has(> meter)')
    .filter({ visible: true })
    .boundingBox()
  expect(badge && deadline && badge.x - (deadline.x + deadline.width)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await waiting.getByRole('button', { name: 'Abort /query/sample/endless' }).click()
  await expect(rows).toHaveCount(count - 1)
  await expect(waiting).toHaveCount(0)
  await fetch(`${server.url}/restpp/abortquery/sample?requestid=all`)
  for (const run of runs) expect(await (await run).json()).toMatchObject({ error: true })
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

const SPIN = `CREATE OR REPLACE QUERY spin(STRING tag, INT rounds, BOOL fails) {
  EXCEPTION broken (40001);
  INT i = 0;
  WHILE i < rounds DO i = i + 1; END;
  IF fails THEN RAISE broken("as it was told"); END;
  PRINT i;
}`

test('runs tell their parameters and memory, and afterwards how they ended', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(page, server.url, SPIN)
  const run = (given: object, timeoutMs = 300_000) =>
    fetch(`${server.url}/restpp/query/sample/spin`, {
      method: 'POST',
      headers: { 'GSQL-TIMEOUT': String(timeoutMs) },
      body: JSON.stringify({ fails: false, ...given }),
    })
  // How much is some seconds of work here and now.
  const before = performance.now()
  await run({ tag: 'tried', rounds: 5_000_000 })
  const rounds = Math.round((5_000_000 * 4_000) / (performance.now() - before))
  await queries.showRunning()
  const row = (tag: string) =>
    queries.runningRow('/query/sample/spin').filter({ hasText: `"${tag}"` })
  const outcomes = {
    finished: run({ tag: 'finished', rounds }),
    raised: run({ tag: 'raised', rounds, fails: true }),
  }
  for (const tag of Object.keys(outcomes)) {
    await expect(row(tag)).toContainText(`"rounds":${rounds}`)
    await expect(row(tag)).toContainText(/\d (B|KB|KiB|MB|MiB)/)
  }
  await Promise.all(Object.values(outcomes))
  const killed = run({ tag: 'killed', rounds: rounds * 1_000 })
  await expect(row('killed')).toBeVisible()
  // Not by this page: only the server knows.
  const id = await row('killed').getAttribute('data-row')
  await fetch(`${server.url}/gsql/v1/queries/running/${id}`, { method: 'DELETE' })
  await killed
  const ended = page.getByRole('table', { name: 'Ended queries' }).getByRole('row')
  for (const [tag, how] of [
    ['finished', 'done'],
    ['raised', 'failed'],
    ['killed', 'aborted'],
  ] as const) {
    await expect(
      ended.filter({ hasText: `"${tag}"` }).getByRole('cell', { name: how, exact: true }),
    ).toBeVisible()
  }
  expect(await violations(page), 'ended runs').toEqual([])
})

test('a draft is run as it stands, with its own parameters, and installs nothing', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(
    page,
    server.url,
    'CREATE OR REPLACE QUERY tried(INT n) { PRINT n * 2 AS twice; }',
  )
  const draft = page.getByRole('button', { name: 'Run draft' })
  const result = page.getByRole('tabpanel', { name: 'Result' }).first()
  await expect(draft).toHaveCount(0)
  await queries.setParameter('n', '21')
  await queries.run()
  await expect(result).toContainText('42')
  const times = page.getByRole('button', { name: /^Times: / })
  await expect(times).toHaveAccessibleName(
    /^Times: .+, of these queue .+, execute .+, transfer .+, parse .+, render .+$/,
  )
  await times.hover()
  await expect(page.getByRole('tooltip')).toContainText('execute')
  await queries.write(
    'CREATE OR REPLACE QUERY tried(INT n, MAP<STRING, INT> more) { PRINT n * 3 AS thrice, more.size() AS size; }',
  )
  await queries.parameter('more map<string,int>').fill('a: 1\nb: 2')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await page.keyboard.press('Shift+ControlOrMeta+Enter')
  await expect(result).toContainText('Draft: run as it stood in the editor')
  await expect(result).toContainText('63')
  await expect(result).toContainText('2')
  expect(await violations(page), 'a draft that was run').toEqual([])
  const installed = await fetch(`${server.url}/restpp/query/sample/tried?n=1`)
  expect(await installed.json()).toMatchObject({ results: [{ twice: 2 }] })
  await queries.write('CREATE OR REPLACE QUERY tried(INT n) { PRINT m; }')
  await draft.click()
  await expect(page.getByRole('alert')).toContainText('m')
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect(draft).toHaveCount(0)

  await page.getByRole('tab', { name: 'History' }).click()
  const earlier = page.getByRole('table', { name: 'Earlier runs' }).getByRole('row')
  await expect(earlier).toHaveText([/Started/, /failed.*draft/i, /done.*draft/i, /done.*installed/])
  await earlier.nth(2).getByRole('button', { name: 'Show draft' }).click()
  await expect(page.getByRole('region', { name: 'Text of the draft' })).toContainText('n * 3')
  expect(await violations(page), 'the draft of an earlier run').toEqual([])
  await page.getByRole('button', { name: 'Put it into the editor' }).click()
  const text = page.getByRole('textbox', { name: 'Text of tried' })
  await expect(text).toContainText('more.size() AS size')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(draft).toHaveCount(0)
  // One that was never installed has no address, and can be tried all the same.
  await queries.newQuery()
  await queries.write('CREATE QUERY fresh() { PRINT 7 AS seven; }')
  await draft.click()
  await expect(result).toContainText('seven')
  await expect(queries.item('fresh')).toHaveCount(0)
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(earlier).toHaveText([/Started/, /done.*draft/i])
})
