import { describe, expect, it } from 'vitest'
import { linkedKeys, parseSearch, pastedIds, SEARCH_IDS_MAX, searchText } from './search.ts'

const types = ['Person', 'Company']

describe('parseSearch', () => {
  it.each([
    ['  ', { kind: 'empty' }],
    ['Person', { kind: 'type', type: 'Person' }],
    ['Person:', { kind: 'type', type: 'Person' }],
    ['Person: *', { kind: 'type', type: 'Person' }],
    ['*', { kind: 'choices', why: 'All of which type?', searches: types }],
    [' , ', { kind: 'empty' }],
    ['Person:*, 7', { kind: 'ids', type: 'Person', ids: ['*', '7'] }],
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

  const attributes = new Map([
    ['Person', ['age', 'name']],
    ['Company', ['name', 'size']],
  ])
  it.each([
    ['age > 30', { kind: 'filter', type: 'Person', filter: 'age>30' }],
    ['size!=3 and name = "a b"', { kind: 'filter', type: 'Company', filter: 'size!=3,name="a b"' }],
    ['Company name == "x"', { kind: 'filter', type: 'Company', filter: 'name="x"' }],
    [
      'name = "x"',
      {
        kind: 'choices',
        why: 'Several types have that attribute:',
        searches: ['Person where name = "x"', 'Company where name = "x"'],
      },
    ],
    ['a=b', { kind: 'ids', type: null, ids: ['a=b'] }],
    ['Company age > 3', { kind: 'ids', type: null, ids: ['Company age > 3'] }],
    ['age', { kind: 'ids', type: null, ids: ['age'] }],
    ['Person:age=3', { kind: 'ids', type: 'Person', ids: ['age=3'] }],
  ])('knows the types of an attribute in %j', (text, expected) => {
    expect(parseSearch(text, types, attributes)).toEqual(expected)
  })

  it.each([
    ['Person:"x,y z"', ['x,y z']],
    ['Person: "x,y", 7 ,"8"', ['x,y', '7', '8']],
    ['Person:" a "', [' a ']],
    ['Person:"say ""hi"", you"', ['say "hi", you']],
    ['Person:"*"', ['*']],
    ['Person:5" disk, "6', ['5" disk', '"6']],
    ['Person:"a" b,c', ['"a" b', 'c']],
    ['Person:"', ['"']],
    ['Person:"a" "b"', ['"a" "b"']],
  ])('takes what is in quotes as one id in %j', (text, ids) => {
    expect(parseSearch(text, types)).toEqual({ kind: 'ids', type: 'Person', ids })
  })

  it.each(['7', 'x,y z', '"x', 'a"b', 'a"b,c', ' a', 'http://a:b', '"'])(
    'finds %j by its text',
    (id) => {
      expect(parseSearch(searchText('Person', id), types)).toMatchObject({ ids: [id] })
      expect(parseSearch(searchText('', id), types)).toEqual({ kind: 'ids', type: null, ids: [id] })
    },
  )

  it('finds a vertex called *, which alone asks for all', () => {
    expect(parseSearch(searchText('Person', '*'), types)).toMatchObject({ ids: ['*'] })
  })

  it('joins what was pasted on several lines, and leaves one line as it is', () => {
    expect(pastedIds('a\r\nb c,\n\n d\te\n')).toBe('a, b c, d, e')
    expect(pastedIds('a, b\n')).toBeNull()
  })

  it('takes a list up to the limit and refuses one more', () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => i).join(',')
    expect(parseSearch(list(SEARCH_IDS_MAX), types).kind).toBe('ids')
    expect(parseSearch(list(SEARCH_IDS_MAX + 1), types).kind).toBe('invalid')
  })
})

describe('linkedKeys', () => {
  it.each([
    ['Person:7', ['Person 7']],
    ['7', [' 7']],
    ['Person:a:b', ['Person a:b']],
    ['Person:7\nCompany:8\n', ['Person 7', 'Company 8']],
    ['Odd:', []],
    [':', []],
    ['Odd: ', ['Odd  ']],
    ['', []],
    [':7', [' 7']],
  ])('reads %j', (text, keys) => expect(linkedKeys(text)).toEqual(keys))
})
