import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { retryWaitSeconds } from './retry-wait.ts'

const answered = (status: number, retryAfterSeconds?: number) =>
  new ApiError('no', {
    ...{ code: 'CODE', status, method: 'POST', url: '/', curl: '' },
    retryAfterSeconds,
  })

it('waits as long as the header says', () => {
  expect(retryWaitSeconds(answered(429, 80))).toBe(80)
  expect(retryWaitSeconds(answered(503, 5))).toBe(5)
  expect(retryWaitSeconds(answered(429, 0))).toBe(0)
})

it('waits a second where a 429 has no header, or a date in it', () => {
  expect(retryWaitSeconds(answered(429))).toBe(1)
  expect(retryWaitSeconds(answered(429, Number('Wed, 21 Oct 2026 07:28:00 GMT')))).toBe(1)
})

it('does not wait after any other error', () => {
  expect(retryWaitSeconds(answered(401))).toBe(0)
  expect(retryWaitSeconds(answered(503, Number.NaN))).toBe(0)
  expect(retryWaitSeconds(new Error('no'))).toBe(0)
  expect(retryWaitSeconds(null)).toBe(0)
})
