/** LIMIT and OFFSET of a result. */
import { DbError } from '#kernel/errors.ts'

/** @throws DbError QUERY_RUNTIME for a negative one; infinity: no limit was given */
export function checkRowRange(offset: number, limit: number): void {
  const name = offset < 0 ? 'OFFSET' : 'LIMIT'
  const value = offset < 0 ? offset : limit
  if (value >= 0) return
  throw new DbError('QUERY_RUNTIME', `Runtime Error: the ${name} is negative: ${value}.`, {
    details: { code: 'GSQL-1002' },
  })
}
