import { describe, expect, it } from 'vitest'
import { parseLossless, stringifyLossless } from './lossless-json.ts'

describe('lossless JSON', () => {
  it('keeps integers beyond 2^53 exact in both directions', () => {
    const text = '{"a":708663653625634816,"b":[18446744073709551615,-9223372036854775808]}'
    expect(parseLossless(text)).toEqual({
      a: 708663653625634816n,
      b: [18446744073709551615n, -9223372036854775808n],
    })
    expect(stringifyLossless(parseLossless(text))).toBe(text)
  })

  it('leaves small integers, fractions and exponents as numbers', () => {
    expect(parseLossless('[0,-7,1.5,1e3,9007199254740991,1e300]')).toEqual([
      0, -7, 1.5, 1000, 9007199254740991, 1e300,
    ])
  })

  it('keeps the least integer that a double cannot hold', () => {
    expect(parseLossless('9007199254740993')).toBe(9007199254740993n)
    expect(parseLossless('-9007199254740993')).toBe(-9007199254740993n)
  })

  it('does not touch digits inside strings', () => {
    expect(parseLossless('"18446744073709551615"')).toBe('18446744073709551615')
  })
})
