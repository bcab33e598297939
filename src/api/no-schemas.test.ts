import { expect, it } from 'vitest'
import { z } from './no-schemas.ts'

// biome-ignore lint/suspicious/noExplicitAny: it has every property, which no type can say
const anything = z as any

it('takes whatever a contract says about its shapes', () => {
  const shape = anything.object({ a: anything.string().min(3).optional() })
  expect(shape.extend({ ...shape.shape })).toBe(z)
})

it('refuses to check anything with them', () => {
  expect(() => anything.object({}).parse({})).toThrow('runs on the server')
  expect(() => anything.string().safeParse('')).toThrow('runs on the server')
})
