import { describe, expect, it } from 'vitest'
import { ApiError } from '#api/api-error.ts'
import { failureOf } from './run-failure.ts'

const details = { method: 'POST', url: '/restpp/query/sample/q', status: 0, curl: '' }

describe('failureOf', () => {
  it('tells a server that gave no answer from a query that was ended', () => {
    const gone = new ApiError('The server cannot be reached.', { ...details, code: 'UNREACHABLE' })
    expect(failureOf(gone)).toBe('No answer came')
    const late = new ApiError('It took too long.', { ...details, code: 'TIMEOUT', status: 408 })
    expect(failureOf(late)).toBe('The query ended early')
  })
})
