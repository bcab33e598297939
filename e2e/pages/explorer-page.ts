import { expect, type Locator, type Page } from '@playwright/test'

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

  /** As a link from another page does: with one vertex drawn. */
  async openAt(url: string, graph: string, vertex: string): Promise<void> {
    await this.#page.goto(`${url}/ui/${graph}/explorer?vertex=${vertex}`)
  }

  /** Where the saved scene has its nodes, once it has at least so many. */
  async places(graph: string, count: number): Promise<ReadonlyMap<string, readonly number[]>> {
    const read = async () => {
      const text = await this.#page.evaluate(
        (key) => localStorage.getItem(key),
        `quiver.explorer.${graph}`,
      )
      const { positions = [] } = JSON.parse(text ?? '{}') as {
        positions?: [string, number, number][]
      }
      return new Map(positions.map(([key, ...place]) => [key, place]))
    }
    await expect.poll(async () => (await read()).size).toBeGreaterThanOrEqual(count)
    return await read()
  }

  node(name: string): Locator {
    return this.#page.getByRole('list', { name: 'Nodes' }).getByRole('button', { name })
  }

  edge(name: RegExp): Locator {
    return this.#page.getByRole('list', { name: 'Edges' }).getByRole('button', { name })
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
    // In the bar; on small screens at the top of the page.
    return this.#page.locator('header, main').getByRole('status').first()
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
