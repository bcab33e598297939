/** Methods used for their value: collections, vertices, heaps. Mutators as statements: `accumulators/mutate.ts`. */

import type { AccessorName, BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, DOUBLE, INT, type ValueType } from '#query/ir/types.ts'
import { typeText } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { accumTypeOf, bindListUpdate, bindPopTarget } from '../accumulators/mutate.ts'
import { bindArguments } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { failureNode } from '../core/run-failures.ts'
import { bindBitwiseAccessor } from './bitwise.ts'
import { bindJsonMethod, isJson } from './json.ts'
import { bindGetAttr } from './named-attributes.ts'
import { degreeOf } from './named-edges.ts'
import { bindNeighborFilter, bindNeighbors, isNeighborMethod } from './neighbors.ts'
import { looksLikeVertexSet } from './vertex-set-shape.ts'

export function bindMethod(binder: Binder, node: CallSyntax, of: Expression): BoundExpression {
  const name = node.name.name
  if (name === 'size' && looksLikeVertexSet(binder, of)) {
    return { kind: 'vertexSetSize', type: INT, set: binder.rules.vertexSet(binder, of).set }
  }
  if (name === 'pop') return bindPop(binder, node, of)
  const updated = name === 'update' ? bindListUpdate(binder, node, of) : null
  if (updated !== null) return updated
  const bits = bindBitwiseAccessor(binder, node, of)
  if (bits !== null) return bits
  const receiver = binder.expression(of)
  const percent = name === 'getPercent' ? bindGetPercent(binder, { node, of, receiver }) : null
  if (percent !== null) return percent
  binder.probe(name, () => ({ kind: 'member', type: receiver.type, accum: null }))
  if (name === 'filter') {
    const filtered = filterOf(binder, node, receiver)
    if (filtered !== null) return filtered
  }
  if (receiver.type.kind === 'VERTEX' || receiver.type.kind === 'EDGE') {
    return bindElementMethod(binder, node, receiver)
  }
  if (isJson(receiver.type)) return bindJsonMethod(binder, node, receiver)
  const signature = accessorsOf(receiver.type).get(name)
  if (signature === undefined) return failMethod(binder, node, receiver.type)
  const args = bindArguments(binder, node, signature.parameters)
  return {
    kind: 'method',
    type: signature.result,
    method: name as AccessorName,
    of: receiver,
    arguments: args,
  }
}

/** Null: the receiver holds no neighbours. Of those that cannot be found nothing is asked. */
function filterOf(
  binder: Binder,
  node: CallSyntax,
  receiver: BoundExpression,
): BoundExpression | null {
  if (receiver.kind === 'failure') return receiver
  return receiver.kind === 'neighbors' ? bindNeighborFilter(binder, node, receiver) : null
}

/** `@@p.getPercent()`; null: the receiver is no percentile. */
function bindGetPercent(
  binder: Binder,
  call: { readonly node: CallSyntax; readonly of: Expression; readonly receiver: BoundExpression },
): BoundExpression | null {
  const { node, of, receiver } = call
  if (accumTypeOf(binder, of)?.kind !== 'PercentileContAccum') return null
  if (receiver.kind !== 'globalAccum' && receiver.kind !== 'vertexAccum') return null
  bindArguments(binder, node, [])
  return { kind: 'percentOf', type: DOUBLE, of: receiver }
}

interface Accessor {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
}

/** The reading methods of a type (docs/reference/gsql/accumulators.md). */
export function accessorsOf(type: ValueType): ReadonlyMap<string, Accessor> {
  const size: [string, Accessor] = ['size', { parameters: [], result: INT }]
  switch (type.kind) {
    case 'LIST':
    case 'SET':
    case 'BAG': {
      const contains: [string, Accessor] = [
        'contains',
        { parameters: [type.element], result: BOOL },
      ]
      const get: [string, Accessor] = ['get', { parameters: [INT], result: type.element }]
      return new Map(type.kind === 'LIST' ? [size, contains, get] : [size, contains])
    }
    case 'MAP':
      return new Map([
        size,
        ['get', { parameters: [type.key], result: type.value }],
        ['containsKey', { parameters: [type.key], result: BOOL }],
      ])
    case 'HEAP':
      return new Map([size, ['top', { parameters: [], result: type.element }]])
    case 'GROUPS': {
      const keys = type.row.fields.slice(0, type.keyCount).map((field) => field.type)
      return new Map([
        size,
        ['get', { parameters: keys, result: type.row }],
        ['containsKey', { parameters: keys, result: BOOL }],
      ])
    }
    default:
      return new Map()
  }
}

function failMethod(binder: Binder, node: CallSyntax, type: ValueType): never {
  const known = [...accessorsOf(type).keys()]
  const text = typeText(type, (id) => binder.schema.nameOf(id))
  const message = `${text} has no method "${node.name.name}"${suggest(node.name.name, known)}`
  return binder.fail(diagnosticCodes.noSuchMethod, node.name.range, message)
}

function bindPop(binder: Binder, node: CallSyntax, of: Expression): BoundExpression {
  const { target, type } = bindPopTarget(binder, of)
  if (type.kind !== 'HEAP') return failMethod(binder, node, type)
  return { kind: 'pop', type: type.element, target }
}

/** With a name among its arguments that no type has, the value cannot be computed. */
function bindElementMethod(
  binder: Binder,
  node: CallSyntax,
  receiver: BoundExpression,
): BoundExpression {
  const { value, unknown } = binder.withUnknown(() => bindMethodOfElement(binder, node, receiver))
  if (unknown === null) return value
  return failureNode(binder, unknown, { type: value.type, of: [receiver] })
}

function bindMethodOfElement(
  binder: Binder,
  node: CallSyntax,
  receiver: BoundExpression,
): BoundExpression {
  const name = node.name.name.toLowerCase()
  if (name === 'getattr') return bindGetAttr(binder, node, receiver)
  if (name === 'outdegree' && receiver.type.kind === 'VERTEX') {
    return degreeOf(binder, node.arguments, receiver)
  }
  if (receiver.type.kind === 'VERTEX' && isNeighborMethod(name)) {
    return bindNeighbors(binder, node, receiver)
  }
  if (name === 'isdirected' && receiver.type.kind === 'EDGE') {
    return { kind: 'edgeDirected', type: BOOL, of: receiver }
  }
  return failMethod(binder, node, receiver.type)
}
