import { describe, expect, it } from 'vitest'
import { decodePercents } from './percent.ts'

describe('decodePercents', () => {
  it.each([
    ['plain + text', 'plain + text'],
    ['100%25 %41', '100% A'],
    ['%F0%9F%98%80', '😀'],
    ['a+b 100%25 %zz % %41', 'a+b 100% %zz % A'],
    ['%E2%82', '%E2%82'],
    ['%E2%82%41%E2%82%AC', '%E2%82A€'],
    ['%FF%C3%A9%', '%FFé%'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%', '%'],
  ])('reads %j as %j', (text, decoded) => {
    expect(decodePercents(text)).toBe(decoded)
  })
})
