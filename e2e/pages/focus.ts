/** What the tab key meets on a page. The texts run in the browser, whose types tests do not have. */
import type { Page } from '@playwright/test'

export interface Stop {
  readonly place: number
  readonly name: string
  /** There is a ring around it, or a caret in it. */
  readonly shown: boolean
}

const STOPS_MAX = 150

/** Presses tab until the first stop comes again. */
export async function walk(page: Page): Promise<readonly Stop[]> {
  await page.evaluate(numberElements)
  const stops: Stop[] = []
  while (stops.length < STOPS_MAX) {
    await page.keyboard.press('Tab')
    const stop: Stop | null = await page.evaluate(focused)
    if (stop === null) continue
    if (stops.some(({ place }) => place === stop.place)) return stops
    stops.push(stop)
  }
  throw new Error(`no end after ${STOPS_MAX} stops: ${stops.at(-1)?.name}`)
}

/** Where the focus is; null: nowhere. */
export const focusedStop = (page: Page): Promise<Stop | null> => page.evaluate(focused)

/** What can be operated and is to be seen; radio buttons are reached by arrows. */
export function controls(page: Page): Promise<readonly Omit<Stop, 'shown'>[]> {
  return page.evaluate(operable)
}

const numberElements = `
  [...document.querySelectorAll('body *')].forEach((element, place) => {
    element.setAttribute('data-place', String(place))
  })`

const describe = `const describe = (element) => ({
  place: Number(element.getAttribute('data-place') ?? -1),
  name: (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40),
})`

/**
 * A ring counts where it is seen: on the element, in it, on what labels it (a switch is a hidden
 * input, and its label what is seen), or on what is around it and nothing else that takes the focus.
 */
const focused = `(() => {
  ${describe}
  const element = document.activeElement
  if (element === null || element === document.body) return null
  const labels = [...(element.labels ?? [])]
  const seen = [element, ...labels].flatMap((one) => [one, ...one.querySelectorAll('*')])
  const others = 'a[href], button, input, select, textarea, [contenteditable], [tabindex]'
  const isAlone = (around) =>
    [...around.querySelectorAll(others)]
      .every((one) => one.contains(element) || element.contains(one))
  for (
    let around = element.parentElement;
    around !== null && isAlone(around);
    around = around.parentElement
  ) seen.push(around)
  const isLine = (style, width, color) =>
    style !== 'none' && Number.parseFloat(width) >= 1 && !/^rgba.*, 0\\)$/.test(color)
  const isVisible = (one) => {
    const { width, height } = one.getBoundingClientRect()
    const seenAtAll = one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return width > 1 && height > 1 && seenAtAll
  }
  const shown = seen.filter(isVisible).some((one) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
    const ring = getComputedStyle(one, '::after')
    return isLine(outlineStyle, outlineWidth, outlineColor) ||
      (one === element && isLine(ring.borderTopStyle, ring.borderTopWidth, ring.borderTopColor))
  })
  const writes = element.matches('input:not([type=checkbox], [type=radio]), textarea')
  return { ...describe(element), shown: shown || writes }
})()`

const operable = `(() => {
  ${describe}
  const kinds = 'a[href], button, input:not([type=radio], [type=file], [type=hidden]), textarea'
  return [...document.querySelectorAll(kinds)]
    .filter((element) => !element.matches(':disabled, [tabindex="-1"], [aria-hidden="true"] *'))
    .filter((element) => element.matches('input') || element.checkVisibility())
    .map(describe)
})()`
