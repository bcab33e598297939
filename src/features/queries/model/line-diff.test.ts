import { describe, expect, it } from 'vitest'
import { type DiffLine, diffLines, PAIRS_MAX } from './line-diff.ts'

const signs = { same: ' ', added: '+', removed: '-' } as const
const told = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => signs[kind] + text)

const side = (lines: readonly DiffLine[], left: 'added' | 'removed') =>
  lines
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('\n')

describe('diffLines', () => {
  it('keeps what is common, in order', () => {
    expect(told('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual([' a', '-b', '+x', ' c', '+y', ' d'])
    expect(told('a', 'a')).toEqual([' a'])
    expect(told('', 'a\nb')).toEqual(['-', '+a', '+b'])
  })

  it('gives back both texts, numbered, for any pair', () => {
    let seed = 7
    const random = (count: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 16) % count
    }
    const text = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]).join('\n')
    for (let round = 0; round < 300; round++) {
      const [before, after] = [text(), text()]
      const lines = diffLines(before, after)
      expect(side(lines, 'added')).toBe(before)
      expect(side(lines, 'removed')).toBe(after)
      const numbers = lines.flatMap((line) => (line.after === null ? [] : [line.after]))
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    }
  })

  it('tells a text too long to compare as replaced', () => {
    const many = (letter: string) => `${letter}\n`.repeat(Math.sqrt(PAIRS_MAX) + 1).trimEnd()
    const lines = diffLines(many('a'), many('b'))
    expect(lines.filter(({ kind }) => kind === 'same')).toEqual([])
  })
})
