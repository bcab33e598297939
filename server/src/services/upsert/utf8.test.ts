import { describe, expect, it } from 'vitest'
import { checkUtf8 } from './utf8.ts'

describe('checkUtf8', () => {
  it('cuts a text between characters, wherever the cut was asked for', () => {
    const bytes = Buffer.from('aé€😀z'.repeat(9))
    for (let cut = 1; cut < bytes.length; cut++) {
      const next = checkUtf8(bytes, 0, cut)
      expect(cut - next).toBeLessThan(4)
      if (next > 0) expect(checkUtf8(bytes, next, bytes.length)).toBe(bytes.length)
    }
  })

  it('refuses what is no UTF-8, at the end of a piece, too', () => {
    const whole = Buffer.from('abc😀')
    expect(() => checkUtf8(whole.subarray(0, 5), 0, 5)).toThrow('not UTF-8')
    expect(() => checkUtf8(Buffer.from([0x61, 0xff, 0x62]), 0, 2)).toThrow('not UTF-8')
    expect(() => checkUtf8(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80]), 0, 4)).toThrow()
  })
})
