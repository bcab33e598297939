import type { Locator, Page } from '@playwright/test'

/** Locators of the Explorer, by role and name; the canvas is read through its mirrored list. */
export class ExplorerPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async open(url: string, graph: string): Promise<void> {
    await this.#page.goto(`${url}/ui/${graph}/explorer`)
    await this.#page.getByRole('textbox', { name: 'Find vertices' }).waitFor()
  }

  async find(text: string): Promise<void> {
    const field = this.#page.getByRole('textbox', { name: 'Find vertices' })
    await field.fill(text)
    await field.press('Enter')
  }

  get results(): Locator {
    return this.#page.getByRole('region', { name: 'Search results' })
  }

  async add(name: string): Promise<void> {
    await this.results.getByRole('button', { name }).first().click()
  }

  get status(): Locator {
    return this.#page.getByRole('main').getByRole('status').first()
  }

  get inspector(): Locator {
    return this.#page.getByRole('tabpanel', { name: 'Inspector' })
  }

  async expand(name: string): Promise<void> {
    await this.inspector.getByRole('button', { name }).click()
  }

  /** The line of one kind of neighbour: `Pays from Card`. */
  kind(name: string): Locator {
    return this.inspector.getByRole('listitem').filter({
      has: this.#page.getByRole('button', { name: new RegExp(name) }),
    })
  }

  async press(name: string | RegExp): Promise<void> {
    await this.#page.getByRole('button', { name }).first().click()
  }

  get canvas(): Locator {
    return this.#page.getByRole('application')
  }
}
