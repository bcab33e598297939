import { describe, expect, it } from 'vitest'
import { JSON_DEPTH_MAX } from '#kernel/limits.ts'
import { parseJson, stringifyJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

describe('parseJson', () => {
  it('keeps long integers exact and leaves other numbers alone', () => {
    expect(parse('[9007199254740993,-9223372036854775808,18446744073709551615]')).toEqual([
      9007199254740993n,
      -9223372036854775808n,
      18446744073709551615n,
    ])
    expect(parse('[9007199254740991,1.5,1e3,1234567890123456.5,1e300]')).toEqual([
      9007199254740991, 1.5, 1000, 1234567890123456.5, 1e300,
    ])
    expect(parse('["9007199254740993",{"9007199254740993":true}]')).toEqual([
      '9007199254740993',
      { '9007199254740993': true },
    ])
  })

  it('reads integers of any length, exactly up to a thousand digits', () => {
    const [most, more] = [1_000, 1_001].map((length) => '9'.repeat(length))
    expect(parse(`[${most},${more},-${most}]`)).toEqual([BigInt(most!), Infinity, -Infinity])
  })

  it('takes __proto__ as a key like any other', () => {
    const value = parse('{"__proto__":{"x":1}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('x' in value).toBe(false)
  })

  it('counts depth outside of texts, also past escaped quotes', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}"[\\"[["${']'.repeat(depth)}`
    expect(() => parse(nested(JSON_DEPTH_MAX))).not.toThrow()
    expect(() => parse(nested(JSON_DEPTH_MAX + 1))).toThrow('nested deeper')
    expect(() => parse('['.repeat(10_000_000))).toThrow('nested deeper')
  })

  it('refuses what is no UTF-8 JSON', () => {
    for (const text of ['', '{', 'nul', '{"a":1,}', "{'a':1}", '01', '"\u0001"', 'NaN']) {
      expect(() => parse(text), text).toThrow('not valid JSON')
    }
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('not valid JSON')
    expect(parse('"😀"')).toBe('😀')
  })
})

describe('stringifyJson', () => {
  it('writes bigints as numbers, wherever they stand', () => {
    expect(stringifyJson({ a: [1n, { b: 18446744073709551615n }], c: 'x' })).toBe(
      '{"a":[1,{"b":18446744073709551615}],"c":"x"}',
    )
  })
})
