/** `v.neighbors(…)`, `v.neighborAttribute(…)`, `v.edgeAttribute(…)`: bags, one element per edge. */
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import type { BoundExpression } from './bound-expression.ts'
import type { BoundStep } from './bound-select.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { stepsFrom } from './named-edges.ts'
import { bindAttribute } from './names.ts'
import { dynamicVertexTypes, isTypeParameter } from './type-parameters.ts'
import type { ValueType } from './types.ts'
import { sortedIds } from './value-types.ts'

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
  return { kind: 'neighbors', type, of, steps, value: 'vertex', byType: [] }
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
  return { kind: 'neighbors', type: { kind: 'BAG', element: type }, of, steps, value, byType }
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
