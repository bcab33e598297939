/** `IS NULL`: of parameters in GSQL; in openCypher of what is never null. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'

export function bindIsNull(
  binder: Binder,
  node: Extract<Expression, { kind: 'isNull' }>,
): BoundExpression {
  const { value } = node
  if (binder.options.cypher) return negatedIf(node.negated, bindPresent(binder, value))
  const slot =
    value.kind === 'name' ? binder.parameters.findIndex(({ name }) => name === value.name) : -1
  if (slot < 0) {
    binder.fail(diagnosticCodes.misplaced, node.range, 'IS NULL asks about parameters only')
  }
  return negatedIf(node.negated, { kind: 'isNull', type: BOOL, parameter: slot })
}

/**
 * Of openCypher: what could be null was rewritten to a test of it (`cypher/nulls.ts`). The rest is
 * there, but what it names has to exist.
 */
function bindPresent(binder: Binder, node: Expression): BoundExpression {
  const bind = () => binder.expression(node)
  if (binder.clause === null) bind()
  else binder.clause.collectNeeds(bind)
  return { kind: 'literal', type: BOOL, value: false }
}

function negatedIf(negated: boolean, value: BoundExpression): BoundExpression {
  return negated ? { kind: 'not', type: BOOL, value } : value
}
