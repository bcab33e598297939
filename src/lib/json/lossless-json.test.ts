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

  it('reads numbers exactly in any place, whatever stands in the texts around them', () => {
    const texts = [
      '[0.30000000000000004,1234567890123456.5,12345678901234567e3,-0.1234567890123456789]',
      '{"a, 12345678901234567890,":"x: 12345678901234567890 ,","b":12345678901234567890}',
      '["\\\\",12345678901234567890,"\\"",-12345678901234567890,"\\\\\\"" , 1 ]',
      '{"12345678901234567890":[12345678901234567890 ,\n9007199254740993\t]}',
      '{"__proto__":9007199254740993,"x":{"__proto__":{"y":9007199254740993}}}',
      '["\uE000integer 1",12345678901234567890]',
      '["\\uE000integer 1",12345678901234567890]',
    ]
    for (const text of texts) {
      const exact = JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
        typeof value === 'number' && /^-?\d{16,}$/.test(context?.source ?? '')
          ? BigInt(context?.source ?? '')
          : value,
      )
      expect(parseLossless(text), text).toEqual(exact)
    }
    const own = parseLossless('{"__proto__":9007199254740993}') as object
    expect(Object.getOwnPropertyDescriptor(own, '__proto__')?.value).toBe(9007199254740993n)
  })

  it('tells of a wrong text as it came', () => {
    const wrong = '{"a":12345678901234567890,"b":}'
    expect(() => parseLossless(wrong)).toThrow('67890,"b":}')
    expect(() => parseLossless('[12345678901234567890')).toThrow(SyntaxError)
  })
})
