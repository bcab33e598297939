/** Vertices and edges in expressions: numbers, handles, attributes, degrees. */
import { assert } from '#kernel/assert.ts'
import type { BoundAttribute, BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import { findAdjacency, findVertexTable, type PairIds } from '#query/runtime/graph/physical.ts'
import { adjacencyKey, degreeHelper } from '../select/adjacency.ts'
import type { EdgeRef, Scope, VertexRef } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { type ColumnPlace, defaultValue, readColumn, valueTypeOf } from './columns.ts'
import { convert, integerOf } from './integers.ts'

/** The number of a vertex over all types. */
export function vertexNumber(unit: Unit, ref: VertexRef): string {
  if (unit.physical.isFirstType(ref.typeId)) return ref.row
  return `(${baseOf(unit, ref.typeId)}+${ref.row})`
}

/** The number of a type's row 0; a multiple of 32. */
export function baseOf(unit: Unit, typeId: number): string {
  return unit.bind(`base ${typeId}`, (env) => env.layout.baseOfType(typeId))
}

/** An EDGE value: which adjacency, which row, and how it was walked (`EdgeHandles`). */
export function edgeHandle(unit: Unit, scope: Scope, hop: number): string {
  const ref = scope.edges.get(hop)
  assert(ref !== undefined, 'an edge alias is used before its edge is known')
  const { edgeTypeId, pair, reversed } = ref.step
  const first = unit.bind(`edges ${adjacencyKey(ref.step)}`, (env) =>
    env.edges.firstHandle(edgeTypeId, pair),
  )
  return `(${first}+${ref.edge}*4+${ref.against}+${reversed ? 2 : 0})`
}

export function attributeOf(unit: Unit, node: BoundAttribute, scope: Scope): string {
  const { of } = node
  if (of.kind === 'vertexAlias') {
    const ref = scope.vertices.get(of.position)
    assert(ref !== undefined, 'an alias is read before its vertex is known')
    return vertexAttribute(unit, node, ref)
  }
  if (of.kind === 'edgeAlias') {
    const ref = scope.edges.get(of.hop)
    assert(ref !== undefined, 'an edge is read before it is known')
    return edgeAttribute(unit, node, ref)
  }
  return dynamicAttribute(unit, node, unit.expression(of, scope))
}

function vertexAttribute(unit: Unit, node: BoundAttribute, ref: VertexRef): string {
  const entry = node.byType.find((t) => t.typeId === ref.typeId)
  if (entry === undefined) return defaultValue(unit, node.type)
  if (entry.attributeId < 0) return primaryId(unit, node, vertexNumber(unit, ref))
  const place = vertexColumnPlace(unit, ref.typeId, entry.attributeId)
  return place === null
    ? defaultValue(unit, node.type)
    : readColumn(unit, place, ref.row, node.type)
}

function primaryId(unit: Unit, node: BoundAttribute, vertex: string): string {
  if (node.type.kind === 'STRING') return unit.call('idString', vertex)
  return integerOf(unit, unit.call('idNumber', vertex))
}

export function vertexColumnPlace(
  unit: Unit,
  typeId: number,
  attributeId: number,
): ColumnPlace | null {
  const column = unit.physical.vertexColumn(typeId, attributeId)
  if (column === null) return null
  return {
    key: `vertex ${typeId} ${attributeId}`,
    column,
    find: (env) =>
      findVertexTable(env.view, typeId)!.columns.find((c) => c.attributeId === attributeId)!,
  }
}

function edgeAttribute(unit: Unit, node: BoundAttribute, ref: EdgeRef): string {
  const { edgeTypeId, pair } = ref.step
  const entry = node.byType.find((t) => t.typeId === edgeTypeId)
  if (entry === undefined) return defaultValue(unit, node.type)
  if (isVirtualType(edgeTypeId)) return virtualAttribute(unit, node, ref)
  const place = edgeColumnPlace(unit, edgeTypeId, pair, entry.attributeId)
  return place === null
    ? defaultValue(unit, node.type)
    : readColumn(unit, place, ref.edge, node.type)
}

/** Values of virtual edges are kept as the query has them. */
function virtualAttribute(unit: Unit, node: BoundAttribute, { step, edge }: EdgeRef): string {
  const { edgeTypeId, pair } = step
  const type = unit.query.virtualEdges.find(({ id }) => id === edgeTypeId)!
  const at = type.attributes.findIndex(({ name }) => name === node.name)
  const store = unit.bind(`virtual ${adjacencyKey(step)}`, (env) =>
    env.virtual.storeOf(edgeTypeId, pair),
  )
  const value = unit.call('virtualValue', store, edge, at)
  return convert(unit, value, valueTypeOf(type.attributes[at]!.type), node.type)
}

export function edgeColumnPlace(
  unit: Unit,
  edgeTypeId: number,
  pair: PairIds,
  attributeId: number,
): ColumnPlace | null {
  const column = unit.physical.edgeColumn(edgeTypeId, pair, attributeId)
  if (column === null) return null
  return {
    key: `edge ${edgeTypeId} ${pair.fromTypeId} ${pair.toTypeId} ${attributeId}`,
    column,
    find: (env) =>
      findAdjacency(env.view, edgeTypeId, pair)!.columns.find(
        (c) => c.attributeId === attributeId,
      )!,
  }
}

/** Attributes of VERTEX and EDGE values: the type is looked up when it runs. */
function dynamicAttribute(unit: Unit, node: BoundAttribute, value: string): string {
  const key = `dynamic ${node.of.type.kind} ${node.name} ${JSON.stringify(node.type)}`
  const { byType, type } = node
  const wide = unit.wide
  const ofEdge = node.of.type.kind === 'EDGE'
  const reader = unit.bind(`${key} ${JSON.stringify(byType)}`, (env) =>
    ofEdge
      ? env.attributes.edgeReader(byType, { type, wide })
      : env.attributes.vertexReader(byType, { type, wide }),
  )
  return unit.call('readAttribute', reader, value)
}

export function typeNameOf(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'typeName' }>,
  scope: Scope,
): string {
  const { of } = node
  if (of.kind === 'vertexAlias') {
    const ref = scope.vertices.get(of.position)
    if (ref !== undefined) return unit.string(unit.physical.vertexTable(ref.typeId).typeName)
  }
  if (of.kind === 'edgeAlias') {
    const ref = scope.edges.get(of.hop)
    if (ref !== undefined) return unit.string(ref.step.typeName)
  }
  const value = unit.expression(of, scope)
  return unit.call(of.type.kind === 'EDGE' ? 'edgeTypeName' : 'vertexTypeName', value)
}

export function outdegreeOf(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'outdegree' }>,
  scope: Scope,
): string {
  const { of } = node
  const ref = of.kind === 'vertexAlias' ? scope.vertices.get(of.position) : undefined
  if (ref === undefined) {
    const steps = node.steps
    const reader = unit.bind(`degree ${JSON.stringify(steps)}`, (env) =>
      env.edges.degreeReader(steps),
    )
    return integerOf(unit, unit.call('readDegree', reader, unit.expression(of, scope)))
  }
  const parts = node.steps
    .filter((step) => step.fromTypeId === ref.typeId)
    .map((step: BoundStep) => degreeHelper(unit, step, ref.row))
  return integerOf(unit, parts.length === 0 ? '0' : `(${parts.join('+')})`)
}

/** A bag of what the edges of a vertex lead to; the vertex's type is looked up when it runs. */
export function neighborsOf(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'neighbors' }>,
  scope: Scope,
): string {
  const { steps, value, byType, type } = node
  const reader = unit.bind(`neighbors ${JSON.stringify([steps, value, byType, type])}`, (env) =>
    env.neighborReader({ steps, value, byType, type }, unit.wide),
  )
  const of = unit.expression(node.of, scope)
  if (node.filter === null) return unit.call('readNeighbors', reader, of)
  return unit.call('readNeighbors', reader, of, neighborTest(unit, node.filter, scope))
}

/** A function of the vertex and the edge that are met. */
function neighborTest(
  unit: Unit,
  filter: NonNullable<Extract<BoundExpression, { kind: 'neighbors' }>['filter']>,
  scope: Scope,
): string {
  const [test, vertex, edge] = [unit.name('m'), unit.name('m'), unit.name('m')]
  unit.line(`const ${test}=(${vertex},${edge})=>{`)
  unit.line(`x${filter.vertexSlot}=${vertex};x${filter.edgeSlot}=${edge};`)
  const condition = unit.expression(filter.condition, scope)
  unit.line(`return ${condition};};`)
  return test
}
