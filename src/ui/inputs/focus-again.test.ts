import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { catchFocus } from './focus-again.ts'

/** As much of an element as the focus asks of one. */
class FakeElement {
  isConnected = true
  isBusy = false
  isDisabled = false

  focus(): void {
    if (!this.isConnected || this.isDisabled || this.isBusy) return
    page.activeElement = this
    page.tell('focusin', this)
  }

  contains(other: unknown): boolean {
    return other === this
  }

  hasAttribute(name: string): boolean {
    return name === 'data-loading' && this.isBusy
  }
}

class FakePage {
  readonly body = new FakeElement()
  readonly main = new FakeElement()
  dialog: FakeElement | null = null
  activeElement: FakeElement = this.body
  readonly #listeners = new Map<string, (event: { readonly target: unknown }) => void>()

  addEventListener(name: string, listener: (event: { readonly target: unknown }) => void): void {
    this.#listeners.set(name, listener)
  }

  tell(name: string, target: FakeElement): void {
    this.#listeners.get(name)?.({ target })
  }

  /** As a browser does it: without an event. */
  lose(): void {
    this.activeElement = this.body
  }

  getElementById = () => this.main
  querySelector = () => this.dialog
}

let page: FakePage
beforeEach(() => {
  vi.useFakeTimers()
  page = new FakePage()
  vi.stubGlobal('document', page)
  vi.stubGlobal('HTMLElement', FakeElement)
  catchFocus()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const wait = () => vi.advanceTimersByTime(1_000)

it('gives the focus back to a button that was busy, once it is not', () => {
  const button = new FakeElement()
  button.focus()
  button.isBusy = true
  page.lose()
  wait()
  expect(page.activeElement).toBe(page.body)
  button.isBusy = false
  wait()
  expect(page.activeElement).toBe(button)
})

it('gives it to the dialog or the page where what had it is gone or stays disabled', () => {
  const row = new FakeElement()
  row.focus()
  row.isConnected = false
  page.lose()
  wait()
  expect(page.activeElement).toBe(page.main)

  const inDialog = new FakeElement()
  inDialog.focus()
  page.dialog = new FakeElement()
  inDialog.isConnected = false
  page.lose()
  wait()
  expect(page.activeElement).toBe(page.dialog)

  page.dialog = null
  const used = new FakeElement()
  used.focus()
  used.isDisabled = true
  page.lose()
  wait()
  expect(page.activeElement).toBe(page.main)
})

it('leaves it nowhere at first, and where somebody pointed at nothing', () => {
  wait()
  expect(page.activeElement).toBe(page.body)
  const field = new FakeElement()
  field.focus()
  page.lose()
  page.tell('pointerdown', page.body)
  wait()
  expect(page.activeElement).toBe(page.body)
})

it('moves nothing that has it', () => {
  const [one, other] = [new FakeElement(), new FakeElement()]
  one.focus()
  other.focus()
  one.isConnected = false
  wait()
  expect(page.activeElement).toBe(other)
})
