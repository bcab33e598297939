import { describe, expect, it } from 'vitest'
import css from './tokens.css?raw'

type Theme = ReadonlyMap<string, string>

function themeOf(name: 'light' | 'dark'): Theme {
  const start = css.indexOf(`:root[data-mantine-color-scheme="${name}"] {`)
  const block = css.slice(start, css.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/(--q-[\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, match[2]!]),
  )
}

/** WCAG 2 relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

const backgrounds = ['bg', 'surface', 'raised', 'sunken', 'hover', 'selected']
const texts = ['text', 'muted', 'faint', 'accent-text', 'danger', 'warning', 'success', 'info']
const codes = ['keyword', 'string', 'number', 'comment', 'type', 'name'].map((it) => `code-${it}`)
const series = [1, 2, 3, 4, 5, 6].map((it) => `series-${it}`)
const ranges = [1, 2, 3, 4, 5].map((it) => `range-${it}`)
const types = Array.from({ length: 12 }, (_, index) => `type-${index + 1}`)

describe.each(['light', 'dark'] as const)('tokens of the %s theme', (name) => {
  const theme = themeOf(name)
  const value = (token: string): string => {
    const found = theme.get(`--q-${token}`)
    if (found === undefined) throw new Error(`no token --q-${token}`)
    return found
  }

  it.each(texts)('%s is readable on every background', (text) => {
    for (const background of backgrounds) {
      expect(contrast(value(text), value(background)), background).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(codes)('%s is readable in the editor', (code) => {
    expect(contrast(value(code), value('surface'))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['danger', 'warning', 'success', 'info'])('%s is readable on its soft fill', (status) => {
    expect(contrast(value(status), value(`${status}-soft`))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['accent', 'accent-hover', 'danger-fill', 'danger-fill-hover'])(
    'text on %s is readable',
    (fill) => {
      expect(contrast(value('on-accent'), value(fill))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each([...series, ...types, ...ranges, 'border-control', 'focus'])(
    '%s stands out from the canvas',
    (it) => {
      for (const background of ['bg', 'surface']) {
        expect(contrast(value(it), value(background)), background).toBeGreaterThanOrEqual(3)
      }
    },
  )
})

describe('the two themes', () => {
  it('define the same colours', () => {
    expect([...themeOf('light').keys()].sort()).toEqual([...themeOf('dark').keys()].sort())
  })
})
