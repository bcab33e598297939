import { describe, expect, it } from 'vitest'
import { fieldsOf, readParameters } from './parameters.ts'

const fields = fieldsOf([
  { who: 'vertex<Person>' },
  { any: 'vertex' },
  { many: 'set<vertex<Person>>' },
  { count: 'int' },
  { share: 'double' },
  { since: 'datetime' },
  { deep: 'bool' },
  { text: 'string' },
  { list: 'bag<int>' },
  { size: 'uint' },
  { flags: 'set<bool>' },
  { map: 'map<string,int>' },
  { times: 'map<datetime,double>' },
])

const read = (entries: Record<string, string>) =>
  readParameters(fields, new Map(Object.entries(entries)))

describe('parameters', () => {
  it('know their kind, their vertex type and whether they take several values', () => {
    expect(fields.map(({ kind, many, vertexType }) => [kind, many, vertexType])).toEqual([
      ['vertex', false, 'Person'],
      ['vertex', false, null],
      ['vertex', true, 'Person'],
      ['integer', false, null],
      ['number', false, null],
      ['datetime', false, null],
      ['boolean', false, null],
      ['string', false, null],
      ['integer', true, null],
      ['unsigned', false, null],
      ['boolean', true, null],
      ['map', true, null],
      ['map', true, null],
    ])
  })

  it('become the JSON the server reads', () => {
    expect(
      read({
        who: '7',
        any: 'Company:acme:ltd%',
        many: '7\n\n50%',
        count: '708663653625634816',
        share: '1e-3',
        since: '2024-03-01 09:30:00',
        deep: 'false',
        text: '100 % + é',
        list: '1\n2',
      }),
    ).toEqual({
      ok: true,
      values: {
        who: { id: '7' },
        any: { type: 'Company', id: 'acme:ltd%25' },
        many: [{ id: '7' }, { id: '50%25' }],
        count: 708663653625634816n,
        share: 0.001,
        since: '2024-03-01 09:30:00',
        deep: false,
        text: '100 %25 + é',
        list: [1, 2],
      },
    })
  })

  it('of maps are two lists, one entry a line', () => {
    const given = { map: 'a: 1\nb:2', times: '2024-03-01 09:30:00: 0.5' }
    expect(read(given)).toEqual({
      ok: true,
      values: {
        map: { keylist: ['a', 'b'], valuelist: [1, 2] },
        times: { keylist: ['2024-03-01 09:30:00'], valuelist: [0.5] },
      },
    })
  })

  it('tell an empty text from none', () => {
    expect(read({ text: '""' })).toEqual({ ok: true, values: { text: '' } })
  })

  it('leave empty fields to the defaults of the query', () => {
    expect(read({ who: ' ', count: '' })).toEqual({ ok: true, values: {} })
  })

  it.each([
    ['count', '1.5', '1.5 is not an integer'],
    ['share', 'much', 'much is not a number'],
    ['since', 'yesterday', 'a date and time reads YYYY-MM-DD HH:MM:SS'],
    ['any', '7', 'a vertex of any type reads Type:id'],
    ['size', '-1', '-1 is negative'],
    ['flags', 'true\nyes', 'yes is neither true nor false'],
    ['map', 'a', 'a is no entry: write key: value'],
    ['map', 'a: x', 'x is not an integer'],
    ['list', '1\nx', 'x is not an integer'],
  ])('say what is wrong with %s = %j', (name, text, problem) => {
    expect(read({ [name]: text })).toEqual({ ok: false, problems: new Map([[name, problem]]) })
  })
})
