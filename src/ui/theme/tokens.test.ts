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

const grounds = ['shell', 'surface', 'sunken', 'raised', 'hover']
const texts = ['ink', 'ink-2', 'ink-3', 'accent-ink', 'bad', 'warn', 'ok', 'info']
const codes = ['key', 'str', 'num', 'com', 'type', 'acc', 'fn'].map((it) => `k-${it}`)
const series = [1, 2, 3, 4, 5, 6].map((it) => `c${it}`)
const types = Array.from({ length: 12 }, (_, index) => `t${index + 1}`)

describe.each(['light', 'dark'] as const)('tokens of the %s theme', (name) => {
  const theme = themeOf(name)
  const value = (token: string): string => {
    const found = theme.get(`--q-${token}`)
    if (found === undefined) throw new Error(`no token --q-${token}`)
    return found
  }
  const of = (text: string, ground: string) => contrast(value(text), value(ground))

  it.each(texts)('%s is readable on every ground', (text) => {
    for (const ground of grounds) expect(of(text, ground), ground).toBeGreaterThanOrEqual(4.5)
  })

  it.each([
    ...[
      ['ink', 'active'],
      ['ink-2', 'active'],
      ['ink', 'accent-soft'],
      ['ink-2', 'accent-soft'],
    ],
    ...[
      ['ink', 'canvas'],
      ['ink-2', 'canvas'],
      ['ink-3', 'canvas'],
      ['accent-ink', 'accent-soft'],
    ],
    ...[
      ['action-ink', 'action'],
      ['action-ink', 'action-hover'],
      ['bad', 'bad-soft'],
    ],
    ...[
      ['warn', 'warn-soft'],
      ['ok', 'ok-soft'],
      ['info', 'info-soft'],
    ],
  ] as const)('%s is readable on %s', (text, ground) => {
    expect(of(text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['bad-fill', 'bad-fill-hover'])('white is readable on %s', (fill) => {
    expect(contrast('#ffffff', value(fill))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(codes)('%s is readable in the editor', (code) => {
    for (const ground of ['surface', 'sunken']) {
      expect(of(code, ground), ground).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each([
    ...series,
    ...types,
    'field',
    'focus',
    'accent',
    'ok-dot',
    'warn-dot',
    'bad-dot',
    'info-dot',
  ])('%s has a contrast of 3:1 on the page', (it) => {
    expect(of(it, 'surface')).toBeGreaterThanOrEqual(3)
  })

  it.each(types)(
    'an icon on %s is readable, and the colour has a contrast of 3:1 on the canvas',
    (type) => {
      expect(of('on-type', type)).toBeGreaterThanOrEqual(4.5)
      expect(of(type, 'canvas')).toBeGreaterThanOrEqual(3)
    },
  )

  it('has a minimum distance between colours of types, also under three simulated deficiencies', () => {
    for (const seen of [unchanged, ...deficiencies.map((matrix) => simulated(matrix))]) {
      for (const [place, first] of types.entries()) {
        for (const second of types.slice(place + 1)) {
          const apart = distance(seen(value(first)), seen(value(second)))
          expect(apart, `${first} and ${second}`).toBeGreaterThanOrEqual(0.04)
        }
      }
    }
  })
})

type Rgb = readonly [number, number, number]

/** Linear light, 0 to 1. */
const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb

const unchanged = linear

/** Machado, Oliveira and Fernandes 2009, severity 1.0: protanopia, deuteranopia, tritanopia. */
const deficiencies = [
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
]

const simulated =
  (matrix: readonly number[]) =>
  (hex: string): Rgb => {
    const color = linear(hex)
    const row = (at: number) =>
      Math.min(
        1,
        Math.max(
          0,
          color.reduce((sum, one, place) => sum + one * (matrix[3 * at + place] ?? 0), 0),
        ),
      )
    return [row(0), row(1), row(2)]
  }

/** OKLab, by Ottosson 2020. */
function oklab([red, green, blue]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function distance(first: Rgb, second: Rgb): number {
  const [a, b] = [oklab(first), oklab(second)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

describe('the two themes', () => {
  it('define the same colours', () => {
    expect([...themeOf('light').keys()].sort()).toEqual([...themeOf('dark').keys()].sort())
  })
})
