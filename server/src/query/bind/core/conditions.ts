/**
 * Conditions: AND and OR over atoms. An atom that reads attributes which only some types of its
 * aliases define is false for the others (docs/reference/gsql/expressions.md#names), so each atom is guarded by itself.
 */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { BOOL } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import { narrowingOf } from './narrowing.ts'
import { valueOrFailure } from './run-failures.ts'
import { asCondition } from './strict-types.ts'

export function bindCondition(binder: Binder, node: Expression): BoundExpression {
  if (node.kind === 'binary' && node.operator === 'AND') {
    const bindRight = () => bindCondition(binder, node.right)
    const [left, right] = binder.both(
      () => bindCondition(binder, node.left),
      () => binder.clause?.withNarrowed(narrowingOf(binder, node.left), bindRight) ?? bindRight(),
    )
    return { kind: 'and', type: BOOL, left, right }
  }
  if (node.kind === 'binary' && node.operator === 'OR') {
    const [left, right] = binder.both(
      () => bindCondition(binder, node.left),
      () => bindCondition(binder, node.right),
    )
    return { kind: 'or', type: BOOL, left, right }
  }
  if (node.kind === 'unary' && node.operator === 'NOT') {
    return { kind: 'not', type: BOOL, value: bindCondition(binder, node.operand) }
  }
  return bindAtom(binder, node)
}

function bindAtom(binder: Binder, node: Expression): BoundExpression {
  const bind = () => asCondition(binder, binder.expression(node), node.range)
  const { clause } = binder
  if (clause === null) return valueOrFailure(binder, BOOL, bind)
  return valueOrFailure(binder, BOOL, () => {
    const { value, applies } = clause.collectNeeds(bind)
    return applies === null ? value : { kind: 'guard', type: BOOL, applies, value }
  })
}
