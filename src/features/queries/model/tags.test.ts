import { expect, it } from 'vitest'
import { isWanted, readTags, TAG_LETTERS_MAX, tagged, tagsOf } from './tags.ts'

it('reads words between commas and blanks, each once', () => {
  expect(readTags(' #Fraud, weekly fraud,,#x ')).toEqual(['fraud', 'weekly', 'x'])
  expect(readTags(' , ')).toEqual([])
  expect(readTags('a'.repeat(99))[0]).toHaveLength(TAG_LETTERS_MAX)
  expect(readTags('a b c d e f g h i j')).toHaveLength(8)
})

it('gives a query tags and takes them', () => {
  const one = tagged(new Map(), 'rank', ['weekly'])
  expect([...one]).toEqual([['rank', ['weekly']]])
  expect(tagged(one, 'rank', []).size).toBe(0)
})

it('finds a query by name or tag', () => {
  expect(isWanted('Money_loops', ['fraud'], 'loop')).toBe(true)
  expect(isWanted('Money_loops', ['fraud'], 'fraud')).toBe(false)
  expect(isWanted('Money_loops', ['fraud'], '#fr')).toBe(true)
  expect(isWanted('Money_loops', [], '#')).toBe(false)
})

it('takes from a document what is of its form', () => {
  expect([...tagsOf([['a', ['x']], ['b', 'x'], 7, ['c', [1]], [2, ['x']]])]).toEqual([['a', ['x']]])
  expect(tagsOf(null).size).toBe(0)
})
