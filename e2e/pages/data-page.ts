import type { Locator, Page } from '@playwright/test'

/** Locators of the Data page, by role and name. */
export class DataPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async open(url: string, graph: string, tab: 'file' | 'json' | 'form'): Promise<void> {
    await this.#page.goto(`${url}/ui/${graph}/data?tab=${tab}`)
    await this.#page.getByRole('tab', { selected: true }).waitFor()
  }

  /** @param button that opens the chooser */
  async chooseFile(name: string, text: string, button = 'Choose a file'): Promise<void> {
    const chooser = this.#page.waitForEvent('filechooser')
    await this.#page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  }

  column(part: string): Locator {
    return this.#page.getByRole('combobox', { name: `Column for ${part}` })
  }

  get dryRun(): Locator {
    return this.#page.getByRole('region', { name: 'Dry run' })
  }

  get load(): Locator {
    return this.#page.getByRole('region', { name: 'Load' })
  }

  get rejected(): Locator {
    return this.#page.getByRole('table', { name: 'Rejected rows' })
  }

  get result(): Locator {
    return this.#page.getByRole('status', { name: 'Result' })
  }

  get preview(): Locator {
    return this.#page.getByRole('region', { name: 'Preview' })
  }

  async writePayload(text: string): Promise<void> {
    await this.#page.getByRole('textbox', { name: 'Upsert payload' }).fill(text)
  }

  async choose(label: string, value: string): Promise<void> {
    await this.#page.getByRole('combobox', { name: label, exact: true }).click()
    await this.#page.getByRole('option', { name: value, exact: true }).click()
  }

  button(name: string | RegExp): Locator {
    return this.#page.getByRole('button', { name })
  }
}
