import { expect, it } from 'vitest'
import { ageOr } from './figure-age.ts'

it('tells the age of a figure alone where no newer one could be read', () => {
  const read = { isError: false, dataUpdatedAt: 1_000 }
  expect(ageOr('last minute', read, 13_000)).toBe('last minute')
  expect(ageOr('last minute', { ...read, isError: true }, 13_000)).toBe('12 s ago')
  expect(ageOr('last minute', { isError: true, dataUpdatedAt: 0 }, 13_000)).toBe('last minute')
})
