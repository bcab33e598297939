/**
 * What stands right of `+=` and `=` of an accumulator, shaped for its type (docs/reference/gsql/accumulators.md):
 * a scalar, an element, a collection's elements, a map pair, another map.
 */

import type { BoundFold } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import {
  type AccumElement,
  type AccumType,
  BOOL,
  DOUBLE,
  elementReadType,
  INT,
  isWideBits,
  readTypeOf,
  STRING,
  type ValueType,
} from '#query/ir/types.ts'
import { isCollection, sameType, typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo, tryConvert } from '../core/convert.ts'
import { bindTupleLiteral } from '../expressions/tuple-literals.ts'
import { looksLikeVertexSet, verticesOfSet } from '../expressions/vertex-set-shape.ts'
import { bindWideFold } from '../expressions/wide-bits.ts'

export function bindFold(binder: Binder, accum: AccumType, node: Expression): BoundFold {
  switch (accum.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return scalar(ofType(binder, node, accum.value))
    case 'AvgAccum':
      return scalar(convertTo(binder, binder.expression(node), DOUBLE, node.range))
    case 'OrAccum':
    case 'AndAccum':
      return scalar(convertTo(binder, bindCondition(binder, node), BOOL, node.range))
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      if (isWideBits(accum)) return bindWideFold(binder, node)
      return scalar(convertTo(binder, binder.expression(node), INT, node.range))
    case 'ListAccum':
    case 'SetAccum':
    case 'BagAccum':
      return bindElements(binder, accum, node)
    case 'PercentileContAccum':
      return scalar(convertTo(binder, binder.expression(node), DOUBLE, node.range))
    case 'ArrayAccum': {
      const value = binder.expression(node)
      if (sameType(value.type, readTypeOf(accum))) return { kind: 'merge', value }
      return failFold(binder, accum, value, node.range)
    }
    case 'HeapAccum':
      return bindHeapFold(binder, accum, node)
    case 'MapAccum':
      return bindMapFold(binder, accum, node)
    case 'GroupByAccum':
      return bindGroupFold(binder, accum, node)
  }
}

function ofType(binder: Binder, node: Expression, type: ValueType): BoundExpression {
  const tuple = bindTupleLiteral(binder, node, type)
  return tuple ?? convertTo(binder, binder.expression(node), type, node.range)
}

function scalar(value: BoundExpression): BoundFold {
  return { kind: 'scalar', value }
}

type Holder = Extract<AccumType, { element: AccumElement }>

/** One element when its type fits; else a collection whose elements do. */
function bindElements(binder: Binder, accum: Holder, node: Expression): BoundFold {
  const element = elementReadType(accum.element)
  const tuple = bindTupleLiteral(binder, node, element)
  if (tuple !== null) return { kind: 'element', value: tuple }
  const value = looksLikeVertexSet(binder, node)
    ? verticesOfSet(binder, node)
    : binder.expression(node)
  const whole = { kind: 'LIST', element } as const
  // A list may be one element of a list of lists; otherwise its elements are meant.
  if (!isCollection(value.type) || isCollection(element)) {
    const one = tryConvert(value, element)
    if (one !== null) return { kind: 'element', value: one }
  }
  if (value.kind === 'collection') {
    return { kind: 'elements', value: convertTo(binder, value, whole, node.range) }
  }
  const held = isCollection(value.type) || value.type.kind === 'HEAP' ? value.type.element : null
  if (held !== null && (sameType(held, element) || bothVertices(held.kind, element.kind))) {
    return { kind: 'elements', value }
  }
  if (held !== null) return { kind: 'elements', value: convertTo(binder, value, whole, node.range) }
  return failFold(binder, accum, value, node.range)
}

function bothVertices(left: string, right: string): boolean {
  return left === 'VERTEX' && right === 'VERTEX'
}

function bindHeapFold(
  binder: Binder,
  accum: Extract<AccumType, { kind: 'HeapAccum' }>,
  node: Expression,
): BoundFold {
  const tuple = bindTupleLiteral(binder, node, accum.tuple)
  if (tuple !== null) return { kind: 'element', value: tuple }
  const value = binder.expression(node)
  const one = tryConvert(value, accum.tuple)
  if (one !== null) return { kind: 'element', value: one }
  const many = isCollection(value.type) || value.type.kind === 'HEAP' ? value.type.element : null
  if (many !== null && sameType(many, accum.tuple)) return { kind: 'elements', value }
  return failFold(binder, accum, value, node.range)
}

type MapAccum = Extract<AccumType, { kind: 'MapAccum' }>

function bindMapFold(binder: Binder, accum: MapAccum, node: Expression): BoundFold {
  if (node.kind === 'pair') return bindPair(binder, accum, node)
  const value = binder.expression(node)
  const target = readTypeOf(accum)
  if (value.type.kind === 'MAP') {
    return { kind: 'merge', value: convertTo(binder, value, target, node.range) }
  }
  return failFold(binder, accum, value, node.range)
}

function bindPair(
  binder: Binder,
  accum: MapAccum,
  node: Extract<Expression, { kind: 'pair' }>,
): BoundFold {
  const [key] = node.keys
  const [value] = node.values
  if (key === undefined || value === undefined || node.keys.length > 1 || node.values.length > 1) {
    const message = 'a MapAccum takes one key and one value: (k -> v)'
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const boundKey = ofType(binder, key, accum.key)
  return { kind: 'pair', key: boundKey, value: bindMapValue(binder, accum.value, value) }
}

type GroupBy = Extract<AccumType, { kind: 'GroupByAccum' }>

function bindGroupFold(binder: Binder, accum: GroupBy, node: Expression): BoundFold {
  if (node.kind !== 'pair') {
    const value = binder.expression(node)
    if (sameType(value.type, readTypeOf(accum))) return { kind: 'merge', value }
    return failFold(binder, accum, value, node.range)
  }
  const { keys, values } = node
  if (keys.length !== accum.keys.length || values.length !== accum.values.length) {
    const counts = `${accum.keys.length} key(s) and ${accum.values.length} value(s)`
    binder.fail(diagnosticCodes.argumentCount, node.range, `this GroupByAccum takes ${counts}`)
  }
  return {
    kind: 'group',
    keys: keys.map((key, index) =>
      convertTo(binder, binder.expression(key), accum.keys[index]!.type, key.range),
    ),
    values: values.map((value, index) => bindFold(binder, accum.values[index]!.accum, value)),
  }
}

function bindMapValue(binder: Binder, element: AccumElement, node: Expression): BoundFold {
  if (element.kind === 'accum') return bindFold(binder, element.accum, node)
  const tuple = bindTupleLiteral(binder, node, element.type)
  if (tuple !== null) return scalar(tuple)
  const value = binder.expression(node)
  const asText = element.type.kind === 'STRING' && value.type.kind === 'BOOL'
  return scalar(asText ? textOf(value) : convertTo(binder, value, element.type, node.range))
}

/** A flag as the value of a map of texts: real queries keep `true` and `false` so. */
function textOf(value: BoundExpression): BoundExpression {
  return { kind: 'call', type: STRING, name: 'to_string', arguments: [value] }
}

function failFold(
  binder: Binder,
  accum: AccumType,
  value: BoundExpression,
  range: SourceRange,
): never {
  const nameOf = (id: number) => binder.schema.nameOf(id)
  const text = typeText(value.type, nameOf)
  const message = `${accum.kind} reading as ${typeText(readTypeOf(accum), nameOf)} does not take ${text}`
  return binder.fail(diagnosticCodes.typeMismatch, range, message)
}
