/** Half a minute without a server, by the clock of the pages: each stays, asks seldom, comes back. */
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test'
import { test } from '../fixtures.ts'
import { violations } from '../pages/axe.ts'
import { consolePage } from '../pages/console.ts'

/** Each page, and something that is on it as long as it is whole. */
const pages: readonly (readonly [path: string, shown: string])[] = [
  ['/home', '20,000 vertices'],
  ['/start', 'CSV'],
  ['/system', 'CPU'],
  ['/system?tab=maintenance', 'Rebuild now'],
  ['/system?tab=log', 'Nothing of this level was logged.'],
  ['/access', 'tigergraph'],
  ['/settings', 'Export settings'],
  ['/sample/schema', 'Vertex types'],
  ['/sample/data', 'Choose a file'],
  ['/sample/explorer?vertex=Account:account-00007', 'account-00007'],
  ['/sample/queries?outcome=running', 'No query is running.'],
  ['/sample/indexes', 'A secondary index lets filters'],
  ['/sample/statistics', 'Requests per second'],
]

const OUTAGE_SECONDS = 30

class Tab {
  asked = 0
  readonly page: Page
  readonly path: string
  readonly #shown: string
  readonly #waiting = new Set<Request>()

  private constructor(page: Page, path: string, shown: string) {
    this.page = page
    this.path = path
    this.#shown = shown
    page.on('request', (request) => {
      this.asked++
      this.#waiting.add(request)
    })
    page.on('requestfinished', (request) => this.#waiting.delete(request))
    page.on('requestfailed', (request) => this.#waiting.delete(request))
  }

  static async open(context: BrowserContext, url: string, path: string, shown: string) {
    return await Tab.at(await context.newPage(), url, path, shown)
  }

  static async at(page: Page, url: string, path: string, shown: string) {
    const tab = new Tab(page, path, shown)
    await consolePage(page, url).open(path)
    await tab.isWhole()
    return tab
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** The line of the server, at the foot of the sidebar. */
  get server() {
    return this.page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
  }

  get main() {
    return this.page.getByRole('main')
  }

  async isWhole(): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1 }), this.path).toBeVisible()
    await expect(this.main, this.path).toContainText(this.#shown)
  }

  async goTo(name: string): Promise<void> {
    const pages = this.page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name, exact: true }).click()
  }
}

/** Half a second after the other; what was asked within one has met no answer before the next. */
async function pass(context: BrowserContext, tabs: readonly Tab[], seconds: number): Promise<void> {
  for (let half = 0; half < seconds * 2; half++) {
    await context.clock.runFor(500)
    const isWaiting = () => tabs.some((tab) => tab.isWaiting)
    await expect.poll(isWaiting, { intervals: [10] }).toBe(false)
  }
}

const clockOf = ([tab]: readonly Tab[]) => (tab as Tab).page.evaluate(() => Date.now())

test('while the server is down every page stays, asks seldom, and comes back by itself', async ({
  context,
  sampledProgram: server,
}) => {
  await context.clock.install()
  const tabs = await Promise.all(
    pages.map(([path, shown]) => Tab.open(context, server.url, path, shown)),
  )
  await server.kill()
  await pass(context, tabs, 8)
  for (const { server, path } of tabs) await expect(server, path).toContainText('No answer')
  const home = (tabs[0] as Tab).page
  await expect(home.getByRole('alert').first()).toContainText('The server cannot be reached.')
  await expect(home.getByText(/\d s ago · Statistics/).first()).toBeVisible()
  expect(await violations(home), 'home without a server').toEqual([])

  const before = tabs.map(({ asked }) => asked)
  // Their clock goes on between the steps, too.
  const begun = await clockOf(tabs)
  await pass(context, tabs, OUTAGE_SECONDS)
  const seconds = ((await clockOf(tabs)) - begun) / 1_000
  for (const [place, tab] of tabs.entries()) {
    const asked = tab.asked - (before[place] ?? 0)
    expect(asked, tab.path).toBeGreaterThan(0)
    expect(asked, tab.path).toBeLessThanOrEqual(seconds)
    await tab.isWhole()
  }

  await server.restart()
  await pass(context, tabs, 8)
  for (const tab of tabs) {
    await expect(tab.server, tab.path).toContainText('Online')
    await expect(tab.page.getByRole('alert'), tab.path).toHaveCount(0)
    await tab.isWhole()
  }
})

test('a page gone to while the server is down says so, and is there once it is back', async ({
  context,
  page,
  sampledProgram: server,
}) => {
  await context.clock.install()
  const tab = await Tab.at(page, server.url, '/settings', 'Export settings')
  const missing = page.getByRole('alert').filter({ hasText: 'A part of this page could not be' })
  const line = async (words: 'No answer' | 'Online') => {
    await pass(context, [tab], 8)
    await expect(tab.server).toContainText(words)
  }
  await server.kill()
  await tab.goTo('Indexes')
  await expect(missing).toContainText('The server does not answer')
  expect(await violations(page), 'a page without its code').toEqual([])
  await missing.getByRole('button', { name: 'Retry' }).click()
  await line('No answer')
  await tab.goTo('Settings')
  await tab.isWhole()
  await server.restart()
  await line('Online')
  await tab.goTo('Indexes')
  await expect(tab.main).toContainText('A secondary index lets filters')

  await server.kill()
  await tab.goTo('Data')
  await expect(missing).toBeVisible()
  await line('No answer')
  await server.restart()
  await line('Online')
  await expect(tab.main).toContainText('Choose a file')
})
