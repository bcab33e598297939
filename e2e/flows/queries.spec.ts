import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { LOOP, QueriesPage } from '../pages/queries-page.ts'

test('a query is written with an error, corrected, installed and run', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.ofSample(page, server.url)
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

test('a text is written, installed and run before what only helps has come', async ({
  page,
  sampled: server,
}) => {
  const asked = Promise.withResolvers<void>()
  const late: string[] = []
  await page.route(/\/assets\/(assistance|outcomes)-/, async (route) => {
    late.push(route.request().url())
    await asked.promise
    await route.continue()
  })
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.newQuery()
  const editor = page.getByRole('textbox', { name: 'Text of the new query' })
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('CREATE QUERY early() { PRINT 40 + 2 AS answer; }')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor).not.toContainText('early')
  await page.keyboard.press('ControlOrMeta+y')
  await expect(editor.locator('span').filter({ hasText: 'CREATE' })).toBeVisible()
  // What was put back is selected, and would run as a selection.
  await page.keyboard.press('ControlOrMeta+End')
  const left = (await editor.boundingBox())?.x
  // Asked for by its key, it opens once it is there.
  await page.keyboard.press('ControlOrMeta+f')
  await queries.install()
  const ran = page.waitForResponse((response) => response.url().includes('/query/sample/early'))
  await queries.run()
  expect((await ran).status()).toBe(200)
  expect(late).toHaveLength(2)
  await expect(page.getByRole('tab', { name: 'Result' })).toHaveCount(0)
  asked.resolve()
  await expect(page.getByRole('tabpanel', { name: 'Result' })).toContainText('42')
  await expect(page.getByRole('textbox', { name: 'Find' })).toBeVisible()
  // Nothing moves when the place for diagnostics is filled.
  expect((await page.getByRole('textbox', { name: /^Text of/ }).boundingBox())?.x).toBe(left)
  await queries.write('CREATE QUERY early() { PRINT nothing; }')
  await expect(queries.diagnostics).not.toHaveCount(0)
})

test('what is installed elsewhere is shown, and is no draft', async ({ page, sampled: server }) => {
  await page.clock.install()
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('shared_devices')
  const editor = page.getByRole('textbox', { name: 'Text of shared_devices' })
  const text = 'CREATE OR REPLACE QUERY shared_devices() { PRINT "another"; }'
  const answer = await fetch(`${server.url}/gsql/v1/queries?graph=sample`, {
    method: 'POST',
    body: text,
  })
  expect(await answer.json()).toMatchObject({ error: false })
  // What is this old is read again when one comes back to the tab.
  await page.clock.runFor(6_000)
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  await expect(editor).toHaveText(text)
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
})

const ALL_TYPES = `CREATE OR REPLACE QUERY all_types(INT i = 5, UINT u, STRING s = "abc", BOOL b,
  DOUBLE d = 2.5, DATETIME t, VERTEX v, VERTEX<Account> a, SET<INT> si, BAG<STRING> bs,
  SET<VERTEX<Account>> sa, LIST<DOUBLE> ld, MAP<STRING, INT> m) {
  PRINT i, u, s, b, d, t, v, a, si, bs, sa, ld, m;
}`

test('every type of parameter has its field, and arrives exactly', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.withQuery(page, server.url, ALL_TYPES)
  await expect(queries.parameter('i int')).toHaveAttribute('placeholder', '5')
  await expect(queries.parameter('s string')).toHaveAttribute('placeholder', '"abc"')
  await expect(queries.parameter('a vertex<Account>')).toHaveAttribute('placeholder', 'required')
  const given = {
    'u uint': '18446744073709551615',
    't datetime': '2024-02-29 12:13:14',
    'v vertex': 'Card:card-00001',
    'a vertex<Account>': 'account-00007',
    'si set<int>': '3\n708663653625634816',
    'bs bag<string>': 'one\n100 % sure',
    'sa set<vertex<Account>>': 'account-00001',
    'ld list<double>': '0.5\n1.5',
    'm map<string,int>': 'first: 1',
  }
  for (const [label, value] of Object.entries(given)) await queries.parameter(label).fill(value)
  await queries.parameter('b bool').click()
  await page.getByRole('option', { name: 'true' }).click()
  await queries.parameter('u uint').press('Enter')
  await queries.showJson()
  const json = page.getByRole('tabpanel', { name: 'JSON' })
  for (const part of [
    '"i": 5',
    '"u": 18446744073709551615',
    '"s": "abc"',
    '"b": true',
    '"d": 2.5',
    '"t": "2024-02-29 12:13:14"',
    '708663653625634816',
    '100 % sure',
    '"first": 1',
  ]) {
    await expect(json).toContainText(part)
  }
  await queries.parameter('u uint').fill('-1')
  await expect(page.getByText('-1 is negative')).toBeVisible()
  await page.reload()
  await queries.choose('all_types')
  await expect(queries.parameter('m map<string,int>')).toHaveValue('first: 1')
})

test('a hundred thousand rows are shown, sorted and downloaded whole', async ({
  page,
  sampled: server,
}) => {
  const graph = 'sample'
  const text = `CREATE OR REPLACE QUERY many(INT n) {
  ListAccum<INT> @@rows;
  FOREACH i IN RANGE[1, n] DO @@rows += i; END;
  PRINT @@rows;
}`
  await fetch(`${server.url}/gsql/v1/queries?graph=${graph}`, { method: 'POST', body: text })
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('many')
  await queries.setParameter('n', '100000')
  await queries.run()
  await expect(page.getByText('the first 1,000 of 100,000 rows')).toBeVisible()
  await page.getByRole('combobox', { name: 'Rows of @@rows shown' }).selectOption('100')
  await expect(page.getByText('the first 100 of 100,000 rows')).toBeVisible()
  await page.getByRole('combobox', { name: 'Rows of @@rows shown' }).selectOption('1000')
  const table = page.getByRole('table', { name: '@@rows' })
  await expect(table).toHaveAttribute('aria-rowcount', '1001')
  const sort = table.getByRole('button', { name: 'value' })
  await sort.click()
  await sort.click()
  await expect(table.getByRole('cell').first()).toHaveText('100000')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download @@rows as CSV' }).click()
  const lines = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\r\n')
  expect([lines.length, lines.at(-1)]).toEqual([100_001, '100000'])
  await queries.showJson()
  await expect(page.getByRole('tabpanel', { name: 'JSON' })).toContainText('"@@rows"')
})

test('a draft is compared, a run repeated and copied for a program', async ({
  page,
  sampled: server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('transfer_rank')
  await queries.setParameter('top', '3')
  await queries.run()
  await expect(page.getByRole('table', { name: 'ranks' })).toBeVisible()
  await queries.setParameter('top', '4')

  await page.getByRole('tab', { name: 'History' }).click()
  const earlier = page.getByRole('table', { name: 'Earlier runs' }).getByRole('row').nth(1)
  await expect(earlier).toContainText('top = 3')
  await expect(earlier).toContainText('done')
  await earlier.getByRole('button', { name: /^Use parameters/ }).click()
  await expect(page.getByRole('group', { name: 'Parameters' }).getByLabel('top')).toHaveValue('3')

  await queries.share('Copy as curl')
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await expect.poll(copied).toContain(`${server.url}/restpp/query/sample/transfer_rank`)
  expect(await copied()).toContain('{"top":3}')

  await expect(page.getByRole('tab', { name: 'Changes' })).toBeDisabled()
  await queries.replace('PRINT', '// changed here\n  PRINT')
  await page.getByRole('tab', { name: 'Changes' }).click()
  const changes = page.getByRole('list', { name: 'Changes since the last install' })
  await expect(changes.getByText('// changed here')).toBeVisible()
  await expect(page.getByText(/^1 line added, 0 lines removed/)).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('what was run, filed and shared is met again in another browser', async ({
  page,
  sampled: server,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('transfer_rank')
  await queries.setParameter('top', '3')
  await queries.run()
  await page.getByRole('tab', { name: 'Chart' }).click()
  const bars = page.getByRole('table', { name: 'ranks as bars' })
  await expect(bars.getByRole('row')).toHaveCount(4)
  expect(await violations(page), 'chart').toEqual([])
  await page.getByText('Rows alike', { exact: true }).click()
  await expect(page.getByText(/is spread over 3 rows$/)).toBeVisible()

  await page.getByRole('button', { name: 'Folder', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Weekly')
  await page.keyboard.press('Enter')
  const folder = (at: Page) => at.getByRole('group').filter({ hasText: /^Weekly 1/ })
  await expect(folder(page)).toContainText('transfer_rank')
  await page.getByRole('button', { name: 'Folder', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Tags…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: /^Words/ })
    .fill('#Ranking, weekly')
  await page.keyboard.press('Enter')
  await expect(folder(page)).toContainText('#ranking #weekly')
  expect(await violations(page), 'folders and tags').toEqual([])

  await queries.replace('PRINT', '      PRINT')
  await page.getByRole('button', { name: 'Format', exact: true }).click()
  await expect(page.getByRole('tab', { name: 'Changes' })).toBeDisabled()
  await queries.replace('PRINT', '// for you\n  PRINT')
  await queries.share('Link to this query')
  await expect(page.getByText('Copied a link with the text as it is here.')).toBeVisible()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')

  const other = await browser.newPage()
  const elsewhere = new QueriesPage(other)
  await other.goto(link)
  await expect(other.getByText('// for you')).toBeVisible()
  await expect(other).not.toHaveURL(/#query=/)
  await expect(elsewhere.parameter('top int')).toHaveValue('3')
  await expect(folder(other)).toContainText('transfer_rank')
  const filter = other.getByRole('textbox', { name: 'Filter the queries' })
  await filter.fill('#rank')
  await expect(elsewhere.item('transfer_rank')).toContainText('#ranking')
  await expect(elsewhere.item('shared_devices')).toHaveCount(0)
  await filter.fill('')
  await other.getByRole('tab', { name: 'History' }).click()
  const earlier = other.getByRole('table', { name: 'Earlier runs' }).getByRole('row').nth(1)
  await expect(earlier).toContainText('top = 3')

  await elsewhere.replace('// for you', '// of mine')
  await other.goto(link)
  await other.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(other.getByText('// of mine')).toBeVisible()
  await other.goto('about:blank')
  await other.goto(link)
  await other.getByRole('button', { name: 'Replace my draft' }).click()
  await expect(other.getByText('// for you')).toBeVisible()
  await other.close()
})

test('a plan is drawn before a run, and by a profile with what each step has cost', async ({
  page,
  sampled,
}) => {
  const queries = await QueriesPage.ofSample(page, sampled.url)
  await queries.choose('transfer_rank')
  await queries.setParameter('iterations', '3')
  await queries.showPlan()
  const hop = queries.steps.filter({ hasText: 'Transfer' })
  await expect(hop).toHaveCount(1)
  await expect(hop).toContainText(/Edges\s*about [\d,]{6,}/)

  await page.getByRole('button', { name: 'Profile', exact: true }).press('Enter')
  await expect(page.getByText(/edges read · .* rows worked on/)).toBeVisible()
  await expect(hop).toContainText('Times3')
  await expect(hop).toContainText(/Edges[\d,]{6,}\s*expected/)

  await hop.getByRole('button', { name: /in the editor$/ }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Text of transfer_rank' })).toBeFocused()
  await page.keyboard.insertText('# no cost is told of another text\n')
  await expect(page.getByText('as they would be run now')).toBeVisible()
  await expect(queries.steps.filter({ hasText: 'Times3' })).toHaveCount(0)

  await queries.write(LOOP)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  // The editor is the same, and so is what is looked at below it.
  await expect(page.getByRole('textbox', { name: 'Text of endless' })).toBeVisible()
  await queries.showResult()
  await queries.setParameter('rounds', '1000000000')
  await queries.showPlan()
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  const current = queries.steps.locator('xpath=self::*[@aria-current="step"]')
  await expect(current).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Text of endless' }).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('# lines of another text are not those that run\n')
  await expect(page.getByRole('button', { name: 'Line 4 in the editor' })).toHaveCount(0)
  await expect(current).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('as they would be run now')).toBeVisible()
})

test('queries are there after the power went', async ({ page, program: server }) => {
  await server.loadSample()
  await server.kill()
  await server.restart()
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('transfer_rank')
  await queries.setParameter('top', '3')
  await queries.run()
  await expect(page.getByRole('table', { name: 'ranks' }).getByRole('row')).toHaveCount(4)
})

test('axe finds nothing among the queries in either theme', async ({ page, sampled: server }) => {
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.choose('shared_devices')
  await expect(page.getByRole('group', { name: 'Parameters' })).toBeVisible()
  expect(await violations(page), 'installed').toEqual([])
  await queries.run()
  await expect(page.getByRole('table', { name: 'Shared' })).toBeVisible()
  expect(await violations(page), 'table').toEqual([])
  await queries.showJson()
  expect(await violations(page), 'json').toEqual([])
  await queries.showPlan()
  await page.getByRole('button', { name: 'Profile', exact: true }).click()
  await expect(page.getByText(/edges read · /)).toBeVisible()
  expect(await violations(page), 'plan').toEqual([])
  await queries.showRunning()
  expect(await violations(page), 'running').toEqual([])
  await queries.newQuery()
  await queries.write('CREATE QUERY wrong() { S = {Nobody.*}; }')
  await expect(queries.diagnostics).not.toHaveCount(0)
  await expect(page.locator('.cm-line[style]'), 'colours left by what was replaced').toHaveCount(0)
  expect(await violations(page), 'with an error').toEqual([])
})
