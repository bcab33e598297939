/** `v.neighbors(…)`, `v.neighborAttribute(…)`, `v.edgeAttribute(…)`: bags, one element per edge. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import { sortedIds } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { bindAttribute } from '../core/names.ts'
import { dynamicVertexTypes, isTypeParameter } from '../core/type-parameters.ts'
import { stepsFrom } from './named-edges.ts'

const METHODS = ['neighbors', 'neighborattribute', 'edgeattribute'] as const

export function isNeighborMethod(name: string): boolean {
  return METHODS.some((method) => method === name)
}

export function bindNeighbors(
  binder: Binder,
  node: CallSyntax,
  of: BoundExpression,
): BoundExpression {
  const name = node.name.name.toLowerCase()
  if (name === 'neighbors') return neighborVertices(binder, node, of)
  return name === 'edgeattribute' ? edgeValues(binder, node, of) : neighborValues(binder, node, of)
}

function neighborVertices(binder: Binder, node: CallSyntax, of: BoundExpression): BoundExpression {
  const steps = stepsFrom(binder, node.arguments, of)
  const element: ValueType = { kind: 'VERTEX', typeIds: targetsOf(steps) }
  const type: ValueType = { kind: 'BAG', element }
  return { kind: 'neighbors', type, of, steps, value: 'vertex', byType: [], filter: null }
}

/** `(edgeType, vertexType, attribute)`. */
function neighborValues(binder: Binder, node: CallSyntax, of: BoundExpression): BoundExpression {
  const [edge, vertex, attribute, more] = node.arguments
  if (edge === undefined || vertex === undefined || attribute === undefined || more !== undefined) {
    const message = 'neighborAttribute takes an edge type, a vertex type and an attribute'
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const wanted = vertexTypesNamed(binder, vertex)
  const steps = stepsFrom(binder, [edge], of).filter(({ toTypeId }) => wanted.includes(toTypeId))
  const typeIds = targetsOf(steps)
  const holder: BoundExpression = { kind: 'default', type: { kind: 'VERTEX', typeIds } }
  return attributeBag(binder, { of, steps, holder, attribute, value: 'vertexAttribute' })
}

/** `(edgeType, attribute)`. */
function edgeValues(binder: Binder, node: CallSyntax, of: BoundExpression): BoundExpression {
  const [edge, attribute, more] = node.arguments
  if (edge === undefined || attribute === undefined || more !== undefined) {
    const message = 'edgeAttribute takes an edge type and an attribute'
    return binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const steps = stepsFrom(binder, [edge], of)
  const typeIds = sortedIds(steps.map(({ edgeTypeId }) => edgeTypeId))
  const holder: BoundExpression = { kind: 'default', type: { kind: 'EDGE', typeIds } }
  return attributeBag(binder, { of, steps, holder, attribute, value: 'edgeAttribute' })
}

/** `neighbors(…).filter(condition)`: names of types stand for the edge and vertex that are met. */
export function bindNeighborFilter(
  binder: Binder,
  node: CallSyntax,
  bag: Extract<BoundExpression, { kind: 'neighbors' }>,
): BoundExpression {
  const [condition, more] = node.arguments
  if (condition === undefined || more !== undefined) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'filter takes a condition')
  }
  const declare = (name: string, kind: 'VERTEX' | 'EDGE', typeIds: readonly number[]) =>
    binder.variables.push({ name, type: { kind, typeIds } }) - 1
  const vertexIds = targetsOf(bag.steps)
  const edgeIds = sortedIds(bag.steps.map(({ edgeTypeId }) => edgeTypeId))
  const vertexSlot = declare('#vertex', 'VERTEX', vertexIds)
  const edgeSlot = declare('#edge', 'EDGE', edgeIds)
  const names = new Map([
    ...vertexIds.map((id) => [binder.schema.nameOf(id), vertexSlot] as const),
    ...bag.steps.map(({ typeName }) => [typeName, edgeSlot] as const),
  ])
  const bound = binder.withVariables(names, () => bindCondition(binder, condition))
  return { ...bag, filter: { vertexSlot, edgeSlot, condition: bound } }
}

interface AttributeBag {
  readonly of: BoundExpression
  readonly steps: readonly BoundStep[]
  /** Has the types whose attribute is read. */
  readonly holder: BoundExpression
  readonly attribute: Expression
  readonly value: 'vertexAttribute' | 'edgeAttribute'
}

function attributeBag(
  binder: Binder,
  { of, steps, holder, attribute, value }: AttributeBag,
): BoundExpression {
  if (attribute.kind !== 'string' && attribute.kind !== 'name') {
    return binder.fail(
      diagnosticCodes.misplaced,
      attribute.range,
      'expected the name of an attribute',
    )
  }
  const name = attribute.kind === 'string' ? attribute.value : attribute.name
  const { type, byType } = bindAttribute(binder, holder, { name, range: attribute.range })
  const bag: ValueType = { kind: 'BAG', element: type }
  return { kind: 'neighbors', type: bag, of, steps, value, byType, filter: null }
}

function vertexTypesNamed(binder: Binder, node: Expression): readonly number[] {
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    return dynamicVertexTypes(binder, node.name, node.range)
  }
  const name = node.kind === 'string' ? node.value : node.kind === 'name' ? node.name : ''
  const type = binder.schema.vertexType(name)
  if (type !== undefined) return [type.id]
  return binder.fail(diagnosticCodes.unknownVertexType, node.range, `no vertex type "${name}"`)
}

function targetsOf(steps: readonly BoundStep[]): number[] {
  return sortedIds(steps.map(({ toTypeId }) => toTypeId))
}
