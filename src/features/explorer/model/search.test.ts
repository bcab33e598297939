import { describe, expect, it } from 'vitest'
import { parseSearch, SEARCH_IDS_MAX } from './search.ts'

const types = ['Person', 'Company']

describe('parseSearch', () => {
  it.each([
    ['  ', { kind: 'empty' }],
    ['Person', { kind: 'type', type: 'Person' }],
    ['Person:', { kind: 'type', type: 'Person' }],
    ['Person:7', { kind: 'ids', type: 'Person', ids: ['7'] }],
    ['http://a:b', { kind: 'ids', type: null, ids: ['http://a:b'] }],
    ['7, 8\n7\n 9', { kind: 'ids', type: null, ids: ['7', '8', '9'] }],
    [
      'Person where age > 30 and name = "A b"',
      { kind: 'filter', type: 'Person', filter: 'age>30,name="A b"' },
    ],
    [
      'Person where name == "x and y > z" AND age<=3',
      { kind: 'filter', type: 'Person', filter: 'name="x and y > z",age<=3' },
    ],
    ['Dog where age > 3', { kind: 'invalid', reason: 'There is no vertex type Dog.' }],
  ])('reads %j', (text, expected) => {
    expect(parseSearch(text, types)).toEqual(expected)
  })

  it('takes a list up to the limit and refuses one more', () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => i).join(',')
    expect(parseSearch(list(SEARCH_IDS_MAX), types).kind).toBe('ids')
    expect(parseSearch(list(SEARCH_IDS_MAX + 1), types).kind).toBe('invalid')
  })
})
