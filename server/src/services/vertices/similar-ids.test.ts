import { describe, expect, it } from 'vitest'
import { likeness } from './similar-ids.ts'

describe('likeness of ids', () => {
  it.each([
    ['ada', 'ADA', 0],
    ['ada', 'ada lovelace', 1],
    ['ada', 'ade', 1],
    ['ada', 'da', 1],
    ['ada', 'aad', 1],
    ['ada', 'eve', null],
    ['ada', 'abe', null],
    ['lovelace', 'lovlaec', 2],
    ['lovelace', 'lovelass', 2],
    ['lovelace', 'lovless', null],
    ['lovelace', 'ada lovelace', 3],
    ['da', 'ada lovelace', null],
    ['7', '71', 1],
    ['7', '8', null],
    ['p-1041', 'p-1014', 1],
    ['ä1', 'Ä1', 0],
    ['  ada ', 'ada', 0],
    ['', 'ada', null],
    ['a'.repeat(200), 'a'.repeat(200), null],
  ])('of %j to %j is %s', (wanted, text, rank) => {
    expect(likeness(wanted)(text)).toBe(rank)
  })
})
