import { describe, expect, it } from 'vitest'
import { readWhole, stepped } from './whole-number.ts'

const range = { min: 10, max: 5_000 }

describe('readWhole', () => {
  it.each([
    ['10', 10],
    [' 5,000 ', 5_000],
    ['9', undefined],
    ['5001', undefined],
    ['10.5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['99999999999999999999', undefined],
  ])('reads %o as %o', (text, value) => expect(readWhole(text, range)).toBe(value))
})

describe('stepped', () => {
  it('stays within the ends, and starts at the lower one', () => {
    expect(stepped(undefined, 1, range)).toBe(10)
    expect(stepped(4_995, 10, range)).toBe(5_000)
    expect(stepped(11, -10, range)).toBe(10)
    expect(stepped(20, -1, range)).toBe(19)
  })
})
