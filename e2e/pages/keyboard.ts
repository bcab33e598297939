/** A user who has a keyboard and nothing else: goes by Tab and must see where the focus is. */
import { expect, type Locator, type Page } from '@playwright/test'
import { focusedStop } from './focus.ts'

const STEPS_MAX = 120

const countPointers = `
  window.pointersSeen = 0
  addEventListener('pointerdown', () => window.pointersSeen++, true)`

/** A dialog takes the focus just after it is shown; a Tab before that would be undone by it. */
const dialogHasFocus = `(() => {
  const dialogs = [...document.querySelectorAll('[aria-modal="true"]')]
  return dialogs.length === 0 || dialogs.some((one) => one.contains(document.activeElement))
})()`

export class Keyboard {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static async of(page: Page): Promise<Keyboard> {
    await page.addInitScript(countPointers)
    return new Keyboard(page)
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
  }

  /** Instead of what is in the field that has the focus. */
  async retype(text: string): Promise<void> {
    await this.press('ControlOrMeta+a')
    await this.type(text)
  }

  /** By Tab, or by Shift+Tab; on arrival the focus is to be seen. */
  async goTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.waitFor()
    await expect.poll(() => this.#page.evaluate<boolean>(dialogHasFocus)).toBe(true)
    // Found by its name once: among hundreds of rows that takes longer than the step itself.
    let element = await target.elementHandle()
    for (let step = 0; step <= STEPS_MAX; step++) {
      if (!(await element?.evaluate((one) => one.isConnected)))
        element = await target.elementHandle()
      if (await element?.evaluate((one) => one === one.ownerDocument.activeElement)) {
        // An editor draws its caret a moment after it was given the focus.
        const stop = await focusedStop(this.#page)
        const shown = async () => (await focusedStop(this.#page))?.shown
        await expect
          .poll(shown, { message: `the focus shows on ${stop?.name}`, timeout: 10_000 })
          .toBe(true)
        return
      }
      await this.press(key)
    }
    throw new Error(`${target} is not reached by ${STEPS_MAX} times ${key}`)
  }

  /** By Escape; the focus goes back to where it was. */
  async leaves(overlay: Locator, opener: Locator): Promise<void> {
    await overlay.waitFor()
    await expect.poll(() => this.#page.evaluate<boolean>(dialogHasFocus)).toBe(true)
    await this.press('Escape')
    await expect(overlay).toHaveCount(0)
    await expect(opener).toBeFocused()
  }

  /** What had the focus may be gone; the focus is not. */
  async isSomewhere(): Promise<void> {
    const place = () => this.#page.evaluate<string>('document.activeElement?.tagName ?? "BODY"')
    await expect.poll(place).not.toBe('BODY')
  }

  /** In the editor Tab indents; after Escape it leaves. */
  async leaveEditor(): Promise<void> {
    await this.press('Escape', 'Tab')
  }

  async activate(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.goTo(target, key)
    await this.press('Enter')
  }

  async usedNoMouse(): Promise<void> {
    expect(await this.#page.evaluate('window.pointersSeen')).toBe(0)
  }
}
