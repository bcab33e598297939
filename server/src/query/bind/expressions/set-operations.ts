/** UNION, INTERSECT and MINUS of values: sets keep each element once, bags and lists count them. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { CollectionType, ValueType } from '#query/ir/types.ts'
import { isCollection, joinTypes, typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { tryConvert } from '../core/convert.ts'

type Operation = Extract<Expression, { kind: 'binary' }> & {
  readonly operator: 'UNION' | 'INTERSECT' | 'MINUS'
}

const OPERATIONS = { UNION: 'union', INTERSECT: 'intersect', MINUS: 'minus' } as const

export function bindSetOperation(binder: Binder, node: Operation): BoundExpression {
  const left = binder.expression(node.left)
  const right = binder.expression(node.right)
  const type = combinedType(left.type, right.type)
  if (type === null) return failOperands(binder, node, [left.type, right.type])
  const operation = OPERATIONS[node.operator]
  return { kind: 'setOperation', type, operation, left, right: likeLeft(right, left.type) }
}

function combinedType(left: ValueType, right: ValueType): CollectionType | null {
  if (!isCollection(left) || !isCollection(right)) return null
  const element = joinTypes(left.element, right.element)
  if (element === null) return null
  const kind = left.kind === 'SET' && right.kind === 'SET' ? 'SET' : 'BAG'
  return { kind, element }
}

/** A literal takes the element type of the other side. */
function likeLeft(value: BoundExpression, left: ValueType): BoundExpression {
  if (value.kind !== 'collection' || !isCollection(left) || !isCollection(value.type)) return value
  return tryConvert(value, { kind: value.type.kind, element: left.element }) ?? value
}

function failOperands(
  binder: Binder,
  node: Operation,
  types: readonly [ValueType, ValueType],
): never {
  const [left, right] = types.map((type) => typeText(type, (id) => binder.schema.nameOf(id)))
  const message = `${node.operator} does not take ${left} and ${right}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}
