import { describe, expect, it } from 'vitest'
import { type AttributeType, emptyCatalog } from '#catalog/types.ts'
import { formatDatetime, parseDatetime } from '#kernel/datetime.ts'
import { createRandom } from '#kernel/prng.ts'
import { convert } from './convert.ts'

const textOf = (kind: 'INT' | 'UINT' | 'FLOAT' | 'DOUBLE' | 'DATETIME', token: string) =>
  convert(emptyCatalog, { kind }, token)

const vector = { kind: 'VECTOR', dimension: 2 } as AttributeType

describe('tokens as JSON', () => {
  it('takes whole numbers in every spelling, to their last digit', () => {
    for (const [token, text] of [
      ['0', '0'],
      ['-0', '0'],
      ['007', '7'],
      ['+12', '12'],
      ['999999999999999', '999999999999999'],
      ['9223372036854775807', '9223372036854775807'],
      ['-9223372036854775808', '-9223372036854775808'],
    ]) {
      expect(textOf('INT', token as string), token).toBe(text)
    }
    for (const token of ['9223372036854775808', '1.0', '1e3', '1 1', '0x1', '--1']) {
      expect(textOf('INT', token), token).toBeUndefined()
    }
    expect(textOf('UINT', '18446744073709551615')).toBe('18446744073709551615')
    expect(textOf('UINT', '-1')).toBeUndefined()
    expect(textOf('UINT', '')).toBeNull()
  })

  it('takes reals as JSON has them, with the value of the token', () => {
    for (const token of [
      '1.50',
      '-0.25',
      '.5',
      '5.',
      '+1',
      '1e-7',
      '007.5',
      '123456789012345.678',
    ]) {
      const text = textOf('DOUBLE', token)
      expect(JSON.parse(text as string), token).toBe(Number(token))
    }
    for (const token of ['1.2.3', 'nan', '1e999', '-', '1,5', '1 1', '0x10', '12abc', 'Infinity']) {
      expect(textOf('DOUBLE', token), token).toBeUndefined()
    }
    expect(textOf('DOUBLE', '1e39')).toBe('1e+39')
    expect(textOf('FLOAT', '3.4e38')).toBe('3.4e+38')
    expect(textOf('FLOAT', '1e39')).toBeUndefined()
    for (const token of ['NaN', 'inf', '-inf']) expect(textOf('FLOAT', token)).toBe(`"${token}"`)
    for (const token of ['NaN', '1e39']) {
      expect(convert(emptyCatalog, vector, { kind: 'list', items: ['1', token] })).toBeUndefined()
    }
  })

  it('takes every DATETIME in the form of answers, and no day or time that there is not', () => {
    const random = createRandom(7)
    for (let step = 0; step < 5_000; step++) {
      const two = (below: number) => String(random.below(below)).padStart(2, '0')
      const token = `${1_580 + random.below(900)}-${two(14)}-${two(33)} ${two(26)}:${two(62)}:${two(62)}`
      const seconds = parseDatetime(token)
      const expected = Number.isNaN(seconds) ? undefined : `"${formatDatetime(seconds)}"`
      expect(textOf('DATETIME', token), token).toBe(expected)
    }
    expect(textOf('DATETIME', '86400')).toBe('"1970-01-02 00:00:00"')
    expect(textOf('DATETIME', '2024-2-3')).toBe('"2024-02-03 00:00:00"')
    expect(textOf('DATETIME', '10000-01-01 00:00:00')).toBeUndefined()
  })
})
