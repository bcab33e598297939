import { describe, expect, it } from 'vitest'
import { looksLikeToken } from './token-text.ts'

describe('looksLikeToken', () => {
  it('takes three parts of base64url', () => {
    expect(looksLikeToken('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.KNJ-uuz7RuByXu_5JX')).toBe(true)
  })

  it.each(['', 'not a token', 'a.b', 'a.b.c.d', 'a..c', 'a.b.c d', 'Bearer a.b.c'])(
    'refuses %o',
    (text) => {
      expect(looksLikeToken(text)).toBe(false)
    },
  )
})
