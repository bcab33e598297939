import { describe, expect, it } from 'vitest'
import { compare, type SortValue, sortedRows } from './sorted-rows.ts'

const columns = [
  { id: 'value', sortValue: (row: { value: SortValue }) => row.value },
  { id: 'plain' },
]
const order = (values: readonly SortValue[], desc: boolean) =>
  sortedRows(
    values.map((value) => ({ value })),
    columns,
    { id: 'value', desc },
  ).map(({ value }) => value)

describe('sortedRows', () => {
  it('puts rows without a value last in either direction', () => {
    expect(order([3, null, 1, undefined, 2], false)).toEqual([1, 2, 3, null, undefined])
    expect(order([3, null, 1, undefined, 2], true)).toEqual([3, 2, 1, null, undefined])
  })

  it('counts the numbers within words, and takes integers beyond 2^53 exactly', () => {
    expect(order(['v10', 'v9', 'V8'], false)).toEqual(['V8', 'v9', 'v10'])
    expect(order([2n ** 63n, 2n ** 63n - 1n, 5], false)).toEqual([5, 2n ** 63n - 1n, 2n ** 63n])
  })

  it('leaves rows as they came without a sortable column, and equal ones among themselves', () => {
    const rows = [{ value: 2 }, { value: 1 }]
    expect(sortedRows(rows, columns, undefined)).toBe(rows)
    expect(sortedRows(rows, columns, { id: 'plain', desc: true })).toBe(rows)
    const tied = [
      { value: 1, name: 'b' },
      { value: 1, name: 'a' },
    ]
    expect(sortedRows(tied, columns, { id: 'value', desc: true })).toEqual(tied)
  })
})

it('compare ranks false before true', () => expect(compare(false, true)).toBe(-1))
