/**
 * What ends a query where it stands: names of attributes and types that only turn out to be wrong
 * when they are used. The binder calls these by names that no query can write.
 */
import { DbError } from '#kernel/errors.ts'
import type { BuiltIn, FunctionContext } from './functions.ts'

export function failureFunctions({
  text,
}: FunctionContext): readonly (readonly [string, BuiltIn])[] {
  const fail = (code: string, message: string): never => {
    throw new DbError('QUERY_RUNTIME', `Runtime Error: ${message}`, { details: { code } })
  }
  return [
    ['fail attribute', (name) => fail('GSQL-3000', `no attribute "${text(Number(name))}" here.`)],
    [
      'fail update',
      (name) => fail('GSQL-6001', `"${text(Number(name))}" is part of a key: it never changes.`),
    ],
    [
      'fail edge type',
      (name) => fail('GSQL-4501', `"${text(Number(name))}" is not a valid edge type.`),
    ],
  ]
}
