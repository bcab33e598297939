/** The colours a canvas needs, read from the custom properties of the page. */
import { TYPE_COLOR_COUNT } from '../../theme/type-color.tsx'

export interface ThemeColors {
  readonly surface: string
  readonly sunken: string
  readonly text: string
  readonly muted: string
  readonly border: string
  readonly accent: string
  readonly focus: string
  readonly selected: string
  readonly edge: string
  readonly success: string
  readonly warning: string
  readonly font: string
  /** By slot: place n holds `--q-type-n`; place 0 is empty. */
  readonly types: readonly string[]
  /** The colour of a custom property. */
  readonly token: (name: string) => string
}

export function readThemeColors(element: Element): ThemeColors {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  const types = ['']
  const named = new Map<string, string>()
  for (let number = 1; number <= TYPE_COLOR_COUNT; number++) {
    types.push(read(`--q-type-${number}`))
  }
  return {
    surface: read('--q-surface'),
    sunken: read('--q-sunken'),
    text: read('--q-text'),
    muted: read('--q-muted'),
    border: read('--q-border-strong'),
    accent: read('--q-accent-text'),
    focus: read('--q-focus'),
    selected: read('--q-selected'),
    edge: read('--q-border-control'),
    success: read('--q-success'),
    warning: read('--q-warning'),
    font: style.fontFamily,
    types,
    token: (name) => {
      const color = named.get(name) ?? read(name)
      named.set(name, color)
      return color
    },
  }
}

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
