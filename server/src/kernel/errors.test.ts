import { describe, expect, it } from 'vitest'
import { DbError, errorCodes, isDbError } from './errors.ts'

describe('DbError', () => {
  it('carries its code, message, details and cause', () => {
    const cause = new Error('disk')
    const error = new DbError('STORE_FAILED', 'write failed', { details: { file: 'log' }, cause })
    expect(error).toMatchObject({ code: 'STORE_FAILED', message: 'write failed', cause })
    expect(error.details).toEqual({ file: 'log' })
  })

  it('is told apart by its code', () => {
    const error: unknown = new DbError('GRAPH_NOT_FOUND', 'no graph')
    expect(isDbError(error)).toBe(true)
    expect(isDbError(error, 'GRAPH_NOT_FOUND')).toBe(true)
    expect(isDbError(error, 'CORRUPT_LOG')).toBe(false)
    expect(isDbError(new Error('no graph'))).toBe(false)
  })

  it('has no code twice', () => {
    expect(new Set(errorCodes).size).toBe(errorCodes.length)
  })
})
