import type { Locator, Page } from '@playwright/test'

/** Of the sample graph: reads edges, round by round, as often as one says. */
export const LOOP = `CREATE OR REPLACE QUERY endless(INT rounds) {
  SumAccum<INT> @@count;
  INT round = 0;
  WHILE round < rounds DO
    Start = {Account.*};
    Start = SELECT s FROM Start:s -(Transfer>:e)- Account:t ACCUM @@count += 1;
    round = round + 1;
  END;
  PRINT @@count;
}`

/** Locators of the Queries page, by role and name. */
export class QueriesPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get diagnostics(): Locator {
    return this.#page.locator('.cm-lint-marker-error')
  }

  get #editor(): Locator {
    return this.#page.getByRole('textbox', { name: /^Text of/ })
  }

  async open(url: string, graph: string): Promise<void> {
    await this.#page.goto(`${url}/ui/${graph}/queries`)
    await this.#editor.waitFor()
  }

  /** The page of the sample graph with a query of this text installed. */
  static async withQuery(page: Page, url: string, text: string): Promise<QueriesPage> {
    const queries = await QueriesPage.ofSample(page, url)
    await queries.newQuery()
    await queries.write(text)
    await queries.install()
    return queries
  }

  static async ofSample(page: Page, url: string): Promise<QueriesPage> {
    const queries = new QueriesPage(page)
    await queries.open(url, 'sample')
    return queries
  }

  async newQuery(): Promise<void> {
    await this.#page.getByRole('button', { name: 'New query' }).click()
    await this.#page.getByRole('textbox', { name: 'Text of the new query' }).waitFor()
  }

  item(name: string): Locator {
    return this.#page.getByRole('navigation', { name: 'Queries' }).getByRole('button', { name })
  }

  /** Tabs of the open queries, in their order. */
  get tabs(): Locator {
    return this.#page.getByRole('tablist', { name: 'Open queries' }).getByRole('tab')
  }

  async choose(name: string): Promise<void> {
    await this.item(name).click()
    await this.#page.getByRole('textbox', { name: `Text of ${name}` }).waitFor()
  }

  async write(text: string): Promise<void> {
    await this.#editor.fill(text)
  }

  /** The editor wraps no lines, so the whole text is on screen. */
  async replace(before: string, after: string): Promise<void> {
    const lines = await this.#editor.locator('.cm-line').allTextContents()
    await this.write(lines.join('\n').replace(before, after))
  }

  async install(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Install', exact: true }).click()
    await this.#page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor()
  }

  /** By the words of its label: name and type. */
  parameter(label: string): Locator {
    return this.#page
      .getByRole('group', { name: 'Parameters' })
      .getByRole('textbox', { name: label, exact: true })
      .or(
        this.#page
          .getByRole('group', { name: 'Parameters' })
          .getByRole('combobox', { name: label, exact: true }),
      )
  }

  async setParameter(name: string, value: string): Promise<void> {
    await this.#page.getByRole('group', { name: 'Parameters' }).getByLabel(name).fill(value)
  }

  async run(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Run', exact: true }).click()
  }

  async share(how: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'Share', exact: true }).click()
    await this.#page.getByRole('menuitem', { name: how }).click()
  }

  async showJson(): Promise<void> {
    await this.#page.getByRole('tab', { name: 'JSON' }).click()
  }

  async showPlan(): Promise<void> {
    await this.#page.getByRole('tab', { name: 'Plan' }).click()
  }

  /** The steps of the plan on screen. */
  get steps(): Locator {
    return this.#page.getByRole('list', { name: /^Plan of/ }).locator('> li')
  }

  async showRunning(): Promise<void> {
    await this.#page.getByRole('tab', { name: 'Running' }).click()
  }

  async showResult(): Promise<void> {
    await this.#page.getByRole('tab', { name: 'Result' }).click()
  }

  runningRow(url: string): Locator {
    return this.#page
      .getByRole('table', { name: 'Running queries' })
      .getByRole('row')
      .filter({ hasText: url })
  }

  async abort(url: string): Promise<void> {
    await this.#page
      .getByRole('button', { name: `Abort ${url}` })
      .first()
      .click()
  }
}
