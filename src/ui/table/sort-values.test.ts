import { expect, it } from 'vitest'
import { compareValues } from './sort-values.ts'

it('counts the numbers within words, whatever the case', () => {
  expect(['v10', 'v9', 'V8'].toSorted(compareValues)).toEqual(['V8', 'v9', 'v10'])
})

it('takes integers beyond 2^53 exactly, and false before true', () => {
  const values = [2n ** 63n, 2n ** 63n - 1n, 5]
  expect(values.toSorted(compareValues)).toEqual([5, 2n ** 63n - 1n, 2n ** 63n])
  expect(compareValues(false, true)).toBe(-1)
  expect(compareValues(true, true)).toBe(0)
})
