/** Where things are in the console; no judgement. */
import type { Locator, Page } from '@playwright/test'

export interface ConsolePage {
  open(path: string): Promise<void>
  /** Within the document, as by a link of the console. */
  go(path: string): Promise<void>
  readonly heading: Locator
  readonly pages: Locator
  /** In the bar, as long as the first user's password is the default. */
  readonly notice: Locator
  /** The cell of a table in the row that starts with a name. */
  cell(table: string, row: string | RegExp, column: number): Locator
}

export function consolePage(page: Page, url: string): ConsolePage {
  return {
    open: async (path) => {
      await page.goto(`${url}/ui${path}`)
    },
    go: async (path) => {
      await page.evaluate(`history.pushState(null, '', '/ui${path}')
        dispatchEvent(new PopStateEvent('popstate'))`)
    },
    heading: page.getByRole('heading', { level: 1 }),
    pages: page.getByRole('navigation', { name: 'Pages' }),
    notice: page.getByRole('button', { name: 'Default password' }),
    cell: (table, row, column) =>
      page
        .getByRole('table', { name: table })
        .getByRole('row', { name: row })
        .getByRole('cell')
        .nth(column),
  }
}

/** Console errors and failed scripts of a page, for a last line that expects none. */
export function watchErrors(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text())
  })
  return errors
}
