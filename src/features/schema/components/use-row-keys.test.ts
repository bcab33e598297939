import { expect, it } from 'vitest'
import { rowKeys } from './use-row-keys.ts'

const start = rowKeys({ names: [], keys: [], next: 0 }, ['a', 'b', 'c'])

it.each([
  ['a rename', ['a', 'x', 'c'], [0, 1, 2]],
  ['a move', ['c', 'a', 'b'], [2, 0, 1]],
  ['a new row', ['a', 'b', 'c', 'd'], [0, 1, 2, 3]],
  ['a row less', ['a', 'c'], [0, 2]],
])('keeps rows apart after %s', (_what, names, keys) => {
  expect(rowKeys(start, names).keys).toEqual(keys)
})
