import { expect, it } from 'vitest'
import { safeReturn } from './safe-return.ts'

it.each([
  ['/g/queries?query=a', '/g/queries?query=a'],
  [null, '/home'],
  ['', '/home'],
  ['//elsewhere', '/home'],
  ['/\\elsewhere', '/home'],
  ['https://elsewhere', '/home'],
])('after the login %o leads to %s', (from, to) => expect(safeReturn(from)).toBe(to))
