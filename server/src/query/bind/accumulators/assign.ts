/** `=` and `+=`: accumulators, variables, locals. Vertex sets: `statements/statements.ts`. */

import type { BoundAccumUpdate } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { AccumElement, AccumType, CollectionType, ValueType } from '#query/ir/types.ts'
import { isCollection, sameType } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { AssignSyntax } from '#query/syntax/ast-statement.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { passOverBroken } from '../core/broken-names.ts'
import { convertTo } from '../core/convert.ts'
import { bindElementUpdate } from '../expressions/arrays.ts'
import { bindTupleLiteral } from '../expressions/tuple-literals.ts'
import { bindEdgeAccumAssign } from './edge-accums.ts'
import { bindFold } from './fold.ts'
import { bindAccumPlace } from './mutate.ts'

export function bindAccumAssign(
  binder: Binder,
  node: AssignSyntax,
  value: Expression,
): BoundAccumUpdate | null {
  const { target } = node
  if (target.kind === 'name' && node.operator === '=') return null
  if (target.kind === 'globalAccum' && node.operator === '=' && binder.clause !== null) {
    const message = `"@@${target.name} =" is not allowed in ACCUM or POST-ACCUM; use +=`
    binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  if (target.kind === 'bracket') return bindElementUpdate(binder, node, target, value)
  const ofEdge = bindEdgeAccumAssign(binder, node, value)
  if (ofEdge !== null) return ofEdge
  const place = bindAccumPlace(binder, target)
  if (place === null) return null
  const accum = place.accum ?? accumLike(place.type)
  if (accum === null) return null
  return {
    kind: 'updateAccum',
    target: place.target,
    assign: node.operator === '=',
    value: bindFold(binder, accum, value),
    applies: null,
    place: binder.place(node.range),
  }
}

/** The accumulator whose folding a local container follows. */
function accumLike(type: ValueType): AccumType | null {
  const element = (of: ValueType): AccumElement => ({ kind: 'value', type: of })
  switch (type.kind) {
    case 'LIST':
      return { kind: 'ListAccum', element: element(type.element) }
    case 'SET':
      return { kind: 'SetAccum', element: element(type.element) }
    case 'BAG':
      return { kind: 'BagAccum', element: element(type.element) }
    case 'MAP':
      return { kind: 'MapAccum', key: type.key, value: element(type.value) }
    default:
      return null
  }
}

/** The new value of a variable: `+=` is spelled out. */
export function bindNewValue(
  binder: Binder,
  node: AssignSyntax,
  { value, type }: { value: Expression; type: ValueType },
): BoundExpression {
  if (node.operator === '=') return bindValueOf(binder, value, type)
  if (isCollection(type)) return bindExtended(binder, node, { value, type })
  const sum: Expression = {
    kind: 'binary',
    operator: '+',
    left: node.target,
    right: value,
    range: node.range,
  }
  return convertTo(binder, binder.expression(sum), type, node.range)
}

/** A variable's collection with one element more, or with those of another collection. */
function bindExtended(
  binder: Binder,
  node: AssignSyntax,
  { value, type }: { value: Expression; type: CollectionType },
): BoundExpression {
  const left = binder.expression(node.target)
  const given = binder.expression(value)
  const right: BoundExpression =
    isCollection(given.type) && !sameType(given.type, type.element)
      ? convertTo(binder, given, type, value.range)
      : {
          kind: 'collection',
          type,
          elements: [convertTo(binder, given, type.element, value.range)],
        }
  return type.kind === 'SET'
    ? { kind: 'setOperation', type, operation: 'union', left, right }
    : { kind: 'arithmetic', type, operator: '+', left, right }
}

export function bindValueOf(binder: Binder, value: Expression, type: ValueType): BoundExpression {
  const tuple = bindTupleLiteral(binder, value, type)
  if (tuple !== null) return tuple
  const bound = binder.expression(value)
  const empty = bound.kind === 'collection' && bound.elements.length === 0
  return empty ? { kind: 'default', type } : convertTo(binder, bound, type, value.range)
}

/** @throws BindFailure that says what `name` is, or that nothing has it. */
export function failTarget(binder: Binder, node: AssignSyntax): never {
  const { target } = node
  if (target.kind === 'vertexAccumName') {
    const message = `"@${target.name}" belongs to a vertex: write alias.@${target.name}`
    return binder.fail(diagnosticCodes.misplaced, target.range, message)
  }
  if (target.kind !== 'name') {
    return binder.fail(diagnosticCodes.misplaced, target.range, 'nothing can be assigned to this')
  }
  const { name, range } = target
  if (binder.parameters.some((parameter) => parameter.name === name)) {
    const message = `"${name}" is a parameter: parameters cannot be assigned`
    return binder.fail(diagnosticCodes.parameterAssigned, range, message)
  }
  passOverBroken(binder, name)
  const hint = suggest(name, binder.visibleNames())
  return binder.fail(diagnosticCodes.undeclared, range, `"${name}" is not declared${hint}`)
}
