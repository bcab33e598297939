/**
 * `(1, "x")` where a tuple is wanted: TUPLE types without a name have no constructor to call. Anywhere
 * else parentheses hold the elements of a set.
 */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { BindFailure } from '../core/reports.ts'

/** Null: it is none, or its elements do not fit the fields. */
export function bindTupleLiteral(
  binder: Binder,
  node: Expression,
  type: ValueType,
): BoundExpression | null {
  if (type.kind !== 'TUPLE' || node.kind !== 'parenthesised') return null
  const { items } = node
  if (items.length !== type.fields.length) return null
  const fieldOf = (item: Expression, index: number): BoundExpression => {
    const own = type.fields[index]!.type
    const nested = bindTupleLiteral(binder, item, own)
    return nested ?? convertTo(binder, binder.expression(item), own, item.range)
  }
  try {
    return binder.quietly(() => ({ kind: 'tuple', type, fields: items.map(fieldOf) }))
  } catch (problem) {
    const isMismatch =
      problem instanceof BindFailure && problem.code === diagnosticCodes.typeMismatch
    if (isMismatch) return null
    throw problem
  }
}
