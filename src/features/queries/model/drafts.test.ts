import { describe, expect, it } from 'vitest'
import { queryTemplate } from './drafts.ts'

describe('queryTemplate', () => {
  it('reads a type that is there', () => {
    expect(queryTemplate('Film')).toContain('Start = {Film.*};')
  })

  it('reads no type where there is none', () => {
    expect(queryTemplate(undefined)).not.toMatch(/SELECT|\.\*/)
    expect(queryTemplate(undefined)).toContain('PRINT top;')
  })
})
