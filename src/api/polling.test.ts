import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { polled } from './polling.ts'

it('looks less often while nothing answers, and as before afterwards', () => {
  const { refetchInterval, retry } = polled(1_000)
  expect(refetchInterval({ state: { status: 'success' } })).toBe(1_000)
  expect(refetchInterval({ state: { status: 'error' } })).toBe(5_000)
  expect(polled(10_000).refetchInterval({ state: { status: 'error' } })).toBe(10_000)
  expect(retry).toBe(false)
})

it('looks no more after a refusal, which the audit log keeps', () => {
  const details = { code: 'FORBIDDEN', status: 403, method: 'GET', url: '/', curl: '' }
  const error = new ApiError('no', details)
  expect(polled(1_000).refetchInterval({ state: { status: 'error', error } })).toBe(false)
})
