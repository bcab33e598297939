import { expect, it } from 'vitest'
import { LABEL_WIDTH_MAX, labelWith, type WidthOf } from './label.ts'

/** Narrow letters are 3 wide, all others 8. */
const widthOf: WidthOf = (text) =>
  [...text].reduce((sum, letter) => sum + (/[il·. ]/.test(letter) ? 3 : 8), 0)

it('a label without a badge is left to the stylesheet', () => {
  expect(labelWith(undefined, 'W'.repeat(60), widthOf)).toBe('W'.repeat(60))
})

it('a label of narrow letters is whole where one of wide letters is cut', () => {
  expect(labelWith('12', 'illi illi illi illi ill', widthOf)).toBe('illi illi illi illi ill · 12')
  expect(labelWith('12', 'merchant-00000-of-all', widthOf)).toBe('merchant-0000… · 12')
})

it('what is cut is as long as fits, and the badge is whole', () => {
  for (let length = 1; length < 60; length++) {
    for (const badge of ['1', '100,000', 'removed']) {
      const label = 'mil'.repeat(20).slice(0, length)
      const shown = labelWith(badge, label, widthOf)
      expect(shown.endsWith(` · ${badge}`)).toBe(true)
      expect(widthOf(shown)).toBeLessThan(LABEL_WIDTH_MAX)
      const [kept = ''] = shown.split(' · ')
      if (kept === label) continue
      const oneMore = `${label.slice(0, kept.length)}… · ${badge}`
      expect(widthOf(oneMore)).toBeGreaterThanOrEqual(LABEL_WIDTH_MAX)
    }
  }
})

it('a letter of two units is cut as one, and a badge beyond all room stands alone', () => {
  expect(labelWith('1', '😀'.repeat(30), widthOf)).toMatch(/^(😀)+… · 1$/u)
  expect(labelWith('9'.repeat(20), 'label', widthOf)).toBe(`… · ${'9'.repeat(20)}`)
})
