/** `IS NULL`: of parameters in GSQL; in openCypher of properties, where nothing else can be null. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, STRING } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { possibleTypes } from '../core/names.ts'

export function bindIsNull(
  binder: Binder,
  node: Extract<Expression, { kind: 'isNull' }>,
): BoundExpression {
  const { value } = node
  if (binder.options.cypher) return negatedIf(node.negated, bindAbsence(binder, value))
  const slot =
    value.kind === 'name' ? binder.parameters.findIndex(({ name }) => name === value.name) : -1
  if (slot < 0) {
    binder.fail(diagnosticCodes.misplaced, node.range, 'IS NULL asks about parameters only')
  }
  return negatedIf(node.negated, { kind: 'isNull', type: BOOL, parameter: slot })
}

/** Of openCypher: a value is there where the types of its row have the properties that it reads. */
function bindAbsence(binder: Binder, node: Expression): BoundExpression {
  const { clause } = binder
  const bind = () => binder.expression(node)
  if (clause === null) return isOfOtherType(binder, bind())
  const { value, applies } = clause.collectNeeds(bind)
  if (applies === null) return isOfOtherType(binder, value)
  const always: BoundExpression = { kind: 'literal', type: BOOL, value: true }
  return { kind: 'not', type: BOOL, value: { kind: 'guard', type: BOOL, applies, value: always } }
}

/** Whether an attribute is read of something whose type does not have it. */
function isOfOtherType(binder: Binder, value: BoundExpression): BoundExpression {
  const having = value.kind === 'attribute' ? value.byType.map(({ typeId }) => typeId) : []
  const others =
    value.kind === 'attribute'
      ? possibleTypes(binder, value.of).filter((id) => !having.includes(id))
      : []
  if (value.kind !== 'attribute' || others.length === 0) {
    return { kind: 'literal', type: BOOL, value: false }
  }
  const elements = others.map((id): BoundExpression => {
    return { kind: 'literal', type: STRING, value: binder.schema.nameOf(id) }
  })
  const type: BoundExpression = { kind: 'typeName', type: STRING, of: value.of }
  const list = { kind: 'LIST', element: STRING } as const
  const container: BoundExpression = { kind: 'collection', type: list, elements }
  return { kind: 'in', type: BOOL, value: type, container }
}

function negatedIf(negated: boolean, value: BoundExpression): BoundExpression {
  return negated ? { kind: 'not', type: BOOL, value } : value
}
