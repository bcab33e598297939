import { describe, expect, it } from 'vitest'
import { histogramOf, partKept } from './histogram.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('histogramOf', () => {
  it('cuts rows into buckets of about one size, the smallest value alone', () => {
    const buckets = histogramOf(upTo(10), 3)
    expect(buckets).toEqual([
      { upperBound: 1, rowsTotal: 1, rowsUpper: 1 },
      { upperBound: 5, rowsTotal: 4, rowsUpper: 1 },
      { upperBound: 9, rowsTotal: 4, rowsUpper: 1 },
      { upperBound: 10, rowsTotal: 1, rowsUpper: 1 },
    ])
  })

  it('keeps one value in one bucket, however often it comes', () => {
    expect(histogramOf(['a', 'b', 'b', 'b', 'b', 'c'], 6)).toEqual([
      { upperBound: 'a', rowsTotal: 1, rowsUpper: 1 },
      { upperBound: 'b', rowsTotal: 4, rowsUpper: 4 },
      { upperBound: 'c', rowsTotal: 1, rowsUpper: 1 },
    ])
  })

  it('counts each value of a sample for the rows that it stands for', () => {
    expect(histogramOf([1, 2], 1, 50)).toEqual([
      { upperBound: 1, rowsTotal: 50, rowsUpper: 50 },
      { upperBound: 2, rowsTotal: 50, rowsUpper: 50 },
    ])
  })

  it('is empty without rows', () => {
    expect(histogramOf([], 10)).toEqual([])
  })
})

describe('partKept', () => {
  const even = histogramOf(upTo(1000), 10)

  it.each([
    ['<', 1, 0],
    ['<=', 1000, 1],
    ['>', 1000, 0],
    ['>=', 1, 1],
    ['>', 0, 1],
    ['<', 5000, 1],
    ['==', 0, 0],
    ['==', 5000, 0],
    ['==', 1, 0.001],
    ['!=', 5000, 1],
  ] as const)('of even values %s %s is %s', (operator, value, part) => {
    expect(partKept(even, operator, value)).toBeCloseTo(part, 6)
  })

  it('lies near the truth between bounds', () => {
    expect(partKept(even, '<', 250)).toBeCloseTo(0.25, 1)
    expect(partKept(even, '>', 900)).toBeCloseTo(0.1, 2)
    expect(partKept(even, '>', 950)).toBeCloseTo(0.05, 2)
    expect(partKept(even, '>=', 333) + partKept(even, '<', 333)).toBeCloseTo(1, 6)
  })

  it('knows of a frequent value that it is frequent', () => {
    const skewed = histogramOf([1, ...Array<number>(98).fill(7), 9], 10)
    expect(partKept(skewed, '==', 7)).toBeCloseTo(0.98, 6)
    expect(partKept(skewed, '==', 8)).toBe(0)
  })

  it('takes integers beyond 2^53 exactly, and texts', () => {
    const big = histogramOf([1n, 2n ** 62n, 2n ** 62n + 1n], 3)
    expect(partKept(big, '>', 2n ** 62n)).toBeCloseTo(1 / 3, 6)
    expect(partKept(big, '==', 1)).toBeCloseTo(1 / 3, 6)
    const texts = histogramOf(['a', 'b', 'c', 'd'], 4)
    expect(partKept(texts, '<=', 'b')).toBe(0.5)
  })

  it('is nothing of nothing', () => {
    expect(partKept([], '==', 1)).toBe(0)
  })
})
