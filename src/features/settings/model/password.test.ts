import { describe, expect, it } from 'vitest'
import { passwordProblem } from './password.ts'

describe('passwordProblem', () => {
  it.each([
    [{ current: 'tigergraph', next: 'short', again: 'short' }, 'next'],
    [{ current: 'tigergraph', next: 'tigergraph', again: 'tigergraph' }, 'next'],
    [{ current: 'tigergraph', next: 'long enough', again: 'long enouhg' }, 'again'],
  ])('stops %o', (fields, field) => expect(passwordProblem(fields)?.field).toBe(field))

  it('lets a new password of eight characters pass', () => {
    const fields = { current: 'tigergraph', next: '12345678', again: '12345678' }
    expect(passwordProblem(fields)).toBeUndefined()
  })
})
