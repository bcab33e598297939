import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssues } from './issues.ts'

it('says what is missing, of which type, and which words there are', () => {
  const schema = z.object({
    length: z.number(),
    kind: z.enum(['a', 'b']),
    deep: z.array(z.string()),
  })
  const { error } = schema.safeParse({ kind: 'c', deep: [1] })
  expect(describeIssues(error?.issues ?? [])).toBe(
    'Invalid request: length: is required; kind: must be one of "a", "b"; deep.0: must be of type string, not number',
  )
})

it('names three of them, and counts the others', () => {
  const schema = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string() })
  const { error } = schema.safeParse({})
  expect(describeIssues(error?.issues ?? [])).toMatch(
    /^Invalid request: a: is required; .* \(and 1 more\)$/,
  )
  expect(describeIssues(z.string().safeParse(undefined).error?.issues ?? [])).toBe(
    'Invalid request: is required',
  )
})
