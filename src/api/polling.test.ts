import { expect, it } from 'vitest'
import { polled } from './polling.ts'

it('looks less often while nothing answers, and as before afterwards', () => {
  const { refetchInterval, retry } = polled(1_000)
  expect(refetchInterval({ state: { status: 'success' } })).toBe(1_000)
  expect(refetchInterval({ state: { status: 'error' } })).toBe(5_000)
  expect(polled(10_000).refetchInterval({ state: { status: 'error' } })).toBe(10_000)
  expect(retry).toBe(false)
})
