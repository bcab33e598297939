/** The value that a called query returns. */
import type { BoundQuery } from '#query/ir/bound.ts'
import { defaultValue } from '../expressions/columns.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'

/** Collections are blocks of their own: what the call has made is given back when it ends. */
export function returnsBlock({ returns }: BoundQuery): boolean {
  if (returns === null) return false
  return isBlockKind(returns.kind) || returns.kind === 'HEAP' || returns.kind === 'GROUPS'
}

/** @param code null: nothing was given, the zero of the type */
export function returnedCode(unit: Unit, code: string | null): string {
  const { query } = unit
  if (query.returns === null) return '0'
  const value = code ?? defaultValue(unit, query.returns)
  return returnsBlock(query) ? unit.call('copyBlock', value) : value
}
