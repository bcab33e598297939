import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'

/** Locators and gestures of the Schema page, by role and name. */
export class SchemaPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get inspector(): Locator {
    return this.#page.getByRole('complementary', { name: 'Inspector' })
  }

  get draftBar(): Locator {
    return this.#page.getByRole('region', { name: 'Draft' })
  }

  get canvas(): Locator {
    return this.#page.getByRole('application', { name: /^Schema of/ })
  }

  get nameField(): Locator {
    return this.inspector.getByRole('textbox', { name: 'Name', exact: true })
  }

  get idField(): Locator {
    return this.inspector.getByRole('textbox', { name: 'Id name' })
  }

  get keyMembers(): Locator {
    return this.inspector.getByRole('list', { name: 'Members of the key' }).getByRole('listitem')
  }

  async open(url: string, graph: string, search = ''): Promise<void> {
    await this.#page.goto(`${url}/ui/${graph}/schema${search}`)
    await this.draftBar.or(this.#page.getByRole('region', { name: 'Publish' })).waitFor()
  }

  type(name: string): Locator {
    return this.#page
      .getByRole('navigation', { name: 'Types' })
      .getByRole('button', { name: new RegExp(`^${name}\\b`) })
  }

  /** The keyboard's own way: N, the name, Enter. */
  async addVertexByKey(name: string): Promise<void> {
    await this.#leaveFields()
    await this.#page.keyboard.press('n')
    await expect(this.nameField).toBeFocused()
    await this.#page.keyboard.type(name)
    await this.#page.keyboard.press('Enter')
    await expect(this.type(name)).toBeVisible()
  }

  async addAttributeByKey(name: string): Promise<void> {
    await this.#leaveFields()
    await this.#page.keyboard.press('a')
    const field = this.inspector.getByRole('textbox', { name: /^Name of attribute/ }).last()
    await expect(field).toBeFocused()
    await this.#page.keyboard.type(name)
    await this.#page.keyboard.press('Enter')
    await expect(field).toHaveValue(name)
  }

  /** While no field has the focus. */
  async paste(text: string): Promise<void> {
    await this.#leaveFields()
    await this.#page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', ${JSON.stringify(text)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }`)
  }

  async pasteAttributes(rows: string): Promise<void> {
    await this.inspector.getByRole('button', { name: 'Paste rows' }).click()
    const dialog = this.#page.getByRole('dialog', { name: 'Paste attributes' })
    await dialog.getByRole('textbox', { name: 'One attribute per row' }).fill(rows)
    await dialog.getByRole('button', { name: /^Add \d+ attribute/ }).click()
    await expect(dialog).toBeHidden()
  }

  async addEdge(name: string, from: string, to: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'Add edge type' }).click()
    const dialog = this.#page.getByRole('dialog', { name: 'New edge type' })
    await this.#choose(dialog, 'From', from)
    await this.#choose(dialog, 'To', to)
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Add edge type' }).click()
    await expect(dialog).toBeHidden()
  }

  async chooseId(kind: 'Primary id' | 'Primary key' | 'Composite key'): Promise<void> {
    await this.inspector.getByText(kind, { exact: true }).last().click()
    await expect(this.inspector.getByRole('radio', { name: kind })).toBeChecked()
  }

  async chooseIn(label: string, value: string): Promise<void> {
    await this.#choose(this.inspector, label, value)
  }

  /** Types into a field of the attributes' rows and leaves it. */
  async setCell(label: string, text: string): Promise<void> {
    const field = this.inspector
      .getByRole('textbox', { name: label, exact: true })
      .or(this.inspector.getByRole('combobox', { name: label, exact: true }))
    await field.fill(text)
    await field.press('Enter')
  }

  async openDialog(item: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'More for the schema' }).click()
    await this.#page.getByRole('menuitem', { name: item }).click()
  }

  /** The text of a file that the canvas exports. */
  async exported(item: 'JSON' | 'GSQL' | 'Markdown'): Promise<string> {
    await this.#page.getByRole('button', { name: 'Export', exact: true }).click()
    const coming = this.#page.waitForEvent('download')
    await this.#page.getByRole('menuitem', { name: item, exact: true }).click()
    return await readFile(await (await coming).path(), 'utf8')
  }

  /** Reviews and publishes a draft that destroys nothing. */
  async publish(): Promise<void> {
    await this.review()
    await this.publishButton.click()
    await expect(this.draftBar).toContainText('No unpublished changes.')
  }

  async review(): Promise<void> {
    await this.draftBar.getByRole('button', { name: 'Review and publish' }).click()
    await this.#page.getByRole('heading', { name: /^Review:/ }).waitFor()
  }

  get publishButton(): Locator {
    return this.#page
      .getByRole('region', { name: 'Publish' })
      .getByRole('button', { name: /^Publish/ })
  }

  group(title: 'Deletes data' | 'Rewrites data' | 'Safe'): Locator {
    return this.#page.getByRole('region', { name: title })
  }

  async #choose(scope: Locator, label: string, value: string): Promise<void> {
    await scope.getByRole('combobox', { name: label, exact: true }).click()
    await this.#page.getByRole('option', { name: value, exact: true }).click()
  }

  /** Single keys are for fields while one has the focus. */
  async #leaveFields(): Promise<void> {
    await this.#page.getByRole('heading', { level: 1 }).click()
  }
}
