import { describe, expect, it } from 'vitest'
import { matchesLike } from './like.ts'

const like = (value: string, pattern: string, mark = '') => matchesLike(value, pattern, mark)

describe('LIKE', () => {
  it.each([
    ['abc', 'a%', true],
    ['abc', '%c', true],
    ['abc', '%b%', true],
    ['abc', 'b%', false],
    ['abc', '_b_', true],
    ['abc', '__', false],
    ['', '%', true],
    ['', '_', false],
    ['aab', '%%b', true],
    ['abab', '%ab', true],
    ['aXbXc', 'a%b%c', true],
    ['é😀', '__', true],
    ['😀😀b', '%😀b', true],
    ['a\nb', 'a_b', true],
    ['a.c', 'a.c', true],
    ['abc', 'a.c', false],
  ])('%s LIKE %s is %s', (value, pattern, expected) => {
    expect(like(value, pattern)).toBe(expected)
  })

  it('knows classes, their ranges and negations', () => {
    expect(like('abc', '[a-c]b[^d]')).toBe(true)
    expect(like('x', '[!x]')).toBe(false)
    expect(like('a]b', 'a[\\]]b')).toBe(true)
    expect(like('a-b', 'a[a-]b')).toBe(true)
    expect(like('a\\b', 'a[\\\\]b')).toBe(true)
    expect(like('5', '[0-9]')).toBe(true)
    expect(like('-', '[0\\-9]')).toBe(true)
    expect(like('5', '[0\\-9]')).toBe(false)
    expect(like('[', '[')).toBe(true)
  })

  it('takes what follows the escape mark as it is', () => {
    expect(like('a%c', 'a|%c', '|')).toBe(true)
    expect(like('axc', 'a|%c', '|')).toBe(false)
    expect(like('a|', 'a||', '|')).toBe(true)
    expect(like('a', 'a|', '|')).toBe(true)
  })

  it('comes to an end whatever the pattern', () => {
    expect(like('ab'.repeat(20_000), `${'%a'.repeat(200)}%c`)).toBe(false)
    expect(like('a'.repeat(20_000), `${'%a_'.repeat(100)}%`)).toBe(true)
  })
})
