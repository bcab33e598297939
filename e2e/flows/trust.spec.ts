import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { DataPage } from '../pages/data-page.ts'
import { ExplorerPage } from '../pages/explorer-page.ts'
import { makeGraph, people } from '../pages/graphs.ts'
import { QueriesPage } from '../pages/queries-page.ts'
import { SchemaPage } from '../pages/schema-page.ts'

/** What is older than this is kept when a tab dies. */
const LOST_MS_MAX = 1_000

/** Ends the tab's process without warning and opens another tab of the same browser. */
async function afterCrash(page: Page): Promise<Page> {
  const context = page.context()
  const session = await context.newCDPSession(page)
  const gone = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await gone
  await page.close()
  return await context.newPage()
}

test('a tab that dies loses at most a second of a query, a schema and a scene', async ({
  page,
  sampled: server,
}) => {
  await page.clock.install()
  await page.goto(`${server.url}/ui/sample/queries?query=shared_devices`)
  const text = page.getByRole('textbox', { name: 'Text of shared_devices' })
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('# as far as I came\n')
  await page.clock.runFor(LOST_MS_MAX)

  const second = await afterCrash(page)
  await second.goto(`${server.url}/ui/sample/queries?query=shared_devices`)
  await expect(second.getByText('# as far as I came')).toBeVisible()

  const schema = new SchemaPage(second)
  await schema.open(server.url, 'sample')
  await schema.addVertexByKey('Half_Done')
  await second.clock.runFor(LOST_MS_MAX)
  const third = await afterCrash(second)
  const again = new SchemaPage(third)
  await again.open(server.url, 'sample')
  await expect(again.type('Half_Done')).toBeVisible()

  const explorer = new ExplorerPage(third)
  await explorer.openAt(server.url, 'sample', 'Account:account-00007')
  await expect(explorer.status).toHaveText(/^1 vertex/)
  await explorer.expand('Expand, 50 of each kind')
  await expect(explorer.status).toHaveText(/^\d\d+ vertices/)
  const drawn = await explorer.status.textContent()
  await third.clock.runFor(LOST_MS_MAX)
  const fourth = await afterCrash(third)
  const restored = new ExplorerPage(fourth)
  await restored.open(server.url, 'sample')
  await expect(restored.status).toHaveText(drawn ?? '')
})

test('what is installed and run is the text on screen, however fast it was typed', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.newQuery()
  await queries.write('CREATE OR REPLACE QUERY typed() { PRINT 7 AS seven; }')
  await queries.install()
  const text = page.getByRole('textbox', { name: 'Text of typed' })
  const delays = [0, 1, 0, 4, 16, 0, 2, 0]
  for (const [round, delay] of delays.entries()) {
    await text.focus()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type(`// round ${round}, ${delay} ms a key\n`, { delay })
    const asked = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('/gsql/v1/queries'),
    )
    await page.keyboard.press('ControlOrMeta+s')
    const lines = await text.locator('.cm-line').allTextContents()
    expect((await asked).postData(), `round ${round}`).toBe(lines.join('\n'))
    expect(lines[0]).toBe(`// round ${round}, ${delay} ms a key`)
  }
  await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor()
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('// typed after the install ')
  const ran: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/query/sample/typed')) ran.push(request.url())
  })
  // What runs is what is on screen, and the installed query only where that is the same.
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  const interpreted = async () => {
    const asked = page.waitForRequest((request) => request.url().includes('/queries/interpret'))
    await page.keyboard.press('ControlOrMeta+Enter')
    return ((await asked).postDataJSON() as { text: string }).text
  }
  const shown = (await text.locator('.cm-line').allTextContents()).join('\n')
  expect(await interpreted()).toBe(shown)
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor()
  expect(ran).toEqual([])
  await queries.run()
  await queries.showJson()
  const json = page.getByRole('tabpanel', { name: 'JSON' })
  await expect(json).toContainText('"seven": 7')

  // Of a selection it is that alone: a query as it is, statements within a query without a name.
  const part = page.getByRole('button', { name: 'Run selection' })
  await expect(part).toHaveCount(0)
  await text.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Shift+Home')
  const query = await page.evaluate<string>('getSelection().toString()')
  await expect(part).toBeVisible()
  expect(await interpreted()).toBe(query)
  await queries.write(`CREATE OR REPLACE QUERY typed(INT n = 2) {
  INT own = 5;
  PRINT n * 21 AS part;
  PRINT own;
}`)
  await expect(part).toHaveCount(0)
  const line = async (number: number) => {
    await page.keyboard.press('ControlOrMeta+Home')
    for (let down = 1; down < number; down++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Home')
    return await page.evaluate<string>('getSelection().toString()')
  }
  expect(await line(3)).toBe('PRINT n * 21 AS part;')
  expect(await interpreted()).toBe('INTERPRET QUERY (INT n = 2) { PRINT n * 21 AS part;\n}')
  await expect(json).toContainText('"part": 42')
  await expect(page.getByText('Selection, line 3:')).toBeVisible()
  // What it lacks is told at its place in the whole text.
  await expect(queries.diagnostics).toHaveCount(0)
  await line(4)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('alert')).toContainText(/line 4, col 9\s+.*own/)
  await expect(queries.diagnostics).toHaveCount(1)
})

test('a first install keeps the editor and its tab: the focus, what was typed, what can be undone', async ({
  page,
  sampled: server,
}) => {
  const queries = await QueriesPage.ofSample(page, server.url)
  await queries.newQuery()
  await queries.write('CREATE OR REPLACE QUERY first() { PRINT 1 AS one; }')
  const answered = Promise.withResolvers<void>()
  await page.route('**/gsql/v1/queries?graph=sample', async (route) => {
    await answered.promise
    await route.continue()
  })
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('textbox', { name: 'Text of the new query' }).focus()
  await page.keyboard.press('ControlOrMeta+s')
  await asked
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('// meanwhile')
  answered.resolve()
  const editor = page.getByRole('textbox', { name: 'Text of first' })
  await expect(editor).toBeFocused()
  await page.keyboard.type(', and after')
  await expect(editor).toContainText('// meanwhile, and after')
  await expect(queries.item('first')).toContainText('•')
  await page.reload()
  await expect(editor).toContainText('// meanwhile, and after')
  await queries.newQuery()
  await expect(page.getByText('meanwhile')).toHaveCount(0)
  await queries.choose('first')
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect(editor).toBeFocused()
  await expect(editor).toHaveText('CREATE OR REPLACE QUERY first() { PRINT 1 AS one; }')
  await expect(queries.item('first')).not.toContainText('•')

  await expect(queries.tabs).toHaveText(['shared_devices', 'first', 'New query'])
  await queries.choose('transfer_rank')
  await queries.tabs.last().focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(/query=first$/)
  await editor.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor).toContainText('// meanwhile, and after')
  await expect(queries.tabs.filter({ hasText: 'first' })).toHaveText('first •')
  expect(await violations(page), 'open queries').toEqual([])
  // Closed from the editor, by key, by the middle button and by the cross.
  await page.keyboard.press('Alt+w')
  await expect(queries.tabs.filter({ hasText: 'New query' })).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(queries.tabs).toHaveText(['shared_devices', 'transfer_rank'])
  await expect(queries.tabs.last()).toBeFocused()
  await queries.tabs.first().click({ button: 'middle' })
  await expect(page).toHaveURL(/query=transfer_rank$/)
  await queries.choose('first')
  await expect(editor).toContainText('// meanwhile, and after')
  await page.reload()
  await expect(queries.tabs).toHaveText(['transfer_rank', 'first •'])
  await queries.tabs.last().locator('svg').click()
  await expect(queries.tabs).toHaveText(['transfer_rank'])
})

const wide = ['708663653625634816', '-9223372036854775808'] as const
const unsigned = '18446744073709551615'

test('64-bit integers keep every digit from a payload to a query’s download', async ({
  page,
  server,
}) => {
  const graph = await makeGraph(server.url, people)
  const data = new DataPage(page)
  await data.open(server.url, graph, 'json')
  await data.writePayload(
    `{"vertices":{"Person":{"${wide[0]}":{"score":{"value":${wide[0]}},"age":{"value":${unsigned}}},"1":{"score":{"value":${wide[1]}}}}}}`,
  )
  await data.button(/^Write$/).click()
  await expect(data.result).toContainText('2 vertices and 0 edges accepted')

  const explorer = new ExplorerPage(page)
  await explorer.openAt(server.url, graph, `Person:${wide[0]}`)
  await expect(explorer.inspector).toContainText(unsigned)
  await explorer.inspector.getByRole('button', { name: 'Edit attributes' }).click()
  const form = explorer.inspector.getByRole('form', { name: 'Attributes' })
  await expect(form.getByRole('textbox', { name: 'score (INT)' })).toHaveValue(wide[0])
  await expect(form.getByRole('textbox', { name: 'age (UINT)' })).toHaveValue(unsigned)
  await form.getByRole('textbox', { name: 'name (STRING)' }).fill('Ada')
  await explorer.inspector.getByRole('button', { name: 'Save 1' }).click()
  await expect(form).toHaveCount(0)

  const queries = new QueriesPage(page)
  await queries.open(server.url, graph)
  await queries.newQuery()
  await queries.write(`CREATE OR REPLACE QUERY digits(INT least, UINT most, VERTEX<Person> who) {
  S = {Person.*};
  S = SELECT s FROM S:s WHERE s.score >= least AND s.age <= most;
  PRINT S[S.score, S.age] AS found;
  PRINT least, most, who;
}`)
  await queries.install()
  await queries.setParameter('least', wide[0])
  await queries.setParameter('most', unsigned)
  await queries.setParameter('who', wide[0])
  await queries.run()
  const table = page.getByRole('table', { name: 'found' })
  await expect(table).toContainText(unsigned)
  await expect(table).toContainText(wide[0])
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as JSON' }).click()
  const stream = await (await coming).createReadStream()
  let text = ''
  for await (const part of stream) text += String(part)
  for (const digits of [`"least": ${wide[0]}`, `"most": ${unsigned}`, unsigned]) {
    expect(text).toContain(digits)
  }
})
