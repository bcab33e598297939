import { describe, expect, it } from 'vitest'
import { compareDoubles, compareNumbers, equalDoubles } from './order.ts'

/** A NaN whose sign bit is set, as the processor gives for the root of -1. */
const otherNan = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0]!

describe('compareNumbers', () => {
  it('puts NaN after every number, infinities and bigints among them', () => {
    const values = [
      Number.NaN,
      3,
      Number.POSITIVE_INFINITY,
      2n ** 63n,
      -1,
      Number.NEGATIVE_INFINITY,
    ]
    expect([...values].sort(compareNumbers)).toEqual([
      ...[Number.NEGATIVE_INFINITY, -1, 3, 2n ** 63n, Number.POSITIVE_INFINITY, Number.NaN],
    ])
  })

  it('is antisymmetric and transitive for every three values', () => {
    const values = [Number.NaN, otherNan, 0, -0, 1, 1n, 2n ** 53n + 1n, 2 ** 53, -1e308]
    for (const a of values) {
      for (const b of values) {
        expect(compareNumbers(a, b) + compareNumbers(b, a)).toBe(0)
        for (const c of values) {
          const isChain = compareNumbers(a, b) <= 0 && compareNumbers(b, c) <= 0
          if (isChain) expect(compareNumbers(a, c)).toBeLessThanOrEqual(0)
        }
      }
    }
  })
})

describe('compareDoubles and equalDoubles', () => {
  it('agree with compareNumbers', () => {
    const values = [Number.NaN, otherNan, 0, -0, 1, -1e308, Number.POSITIVE_INFINITY]
    for (const a of values) {
      for (const b of values) {
        expect(compareDoubles(a, b)).toBe(compareNumbers(a, b))
        expect(equalDoubles(a, b)).toBe(compareNumbers(a, b) === 0)
      }
    }
  })
})
