/** The colours a canvas needs, read from the custom properties of the page. */
import { TYPE_COLOR_COUNT } from '../../theme/type-color.tsx'

export interface ThemeColors {
  readonly surface: string
  readonly canvas: string
  readonly raised: string
  readonly sunken: string
  readonly text: string
  readonly muted: string
  readonly border: string
  readonly field: string
  readonly accent: string
  readonly focus: string
  readonly selected: string
  readonly edge: string
  readonly success: string
  readonly warning: string
  readonly font: string
  /** By slot: place n holds `--q-tn`; place 0 is empty. */
  readonly types: readonly string[]
  /** What lies on them. */
  readonly onType: string
  /** The colour of a custom property. */
  readonly token: (name: string) => string
}

export function readThemeColors(element: Element): ThemeColors {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  const types = ['']
  const named = new Map<string, string>()
  for (let number = 1; number <= TYPE_COLOR_COUNT; number++) {
    types.push(read(`--q-t${number}`))
  }
  return {
    surface: read('--q-surface'),
    canvas: read('--q-canvas'),
    raised: read('--q-raised'),
    sunken: read('--q-sunken'),
    text: read('--q-ink'),
    muted: read('--q-ink-2'),
    border: read('--q-line-2'),
    field: read('--q-field'),
    accent: read('--q-accent'),
    focus: read('--q-focus'),
    selected: read('--q-accent-soft'),
    edge: read('--q-field'),
    success: read('--q-ok'),
    warning: read('--q-warn'),
    font: style.fontFamily,
    types,
    onType: read('--q-on-type'),
    token: (name) => {
      const color = named.get(name) ?? read(name)
      named.set(name, color)
      return color
    },
  }
}

/** @returns a colour between two of the form `#rrggbb`; the share is that of the first, 0 to 1 */
export function mixed(first: string, second: string, share: number): string {
  const [a, b] = [channels(first), channels(second)]
  if (a === null || b === null) return first
  return `rgb(${a.map((one, at) => Math.round(one * share + (b[at] ?? 0) * (1 - share))).join(',')})`
}

const channels = (color: string): readonly number[] | null =>
  /^#[0-9a-f]{6}$/i.test(color)
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : null

/** Calls back whenever the page's theme changes; returns how to stop. */
export function onThemeChange(callback: () => void): () => void {
  const observer = new MutationObserver(callback)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-mantine-color-scheme', 'data-theme', 'class'],
  })
  const contrast = window.matchMedia('(forced-colors: active)')
  contrast.addEventListener('change', callback)
  return () => {
    observer.disconnect()
    contrast.removeEventListener('change', callback)
  }
}
