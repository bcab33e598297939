/** Expressions of the bound tree, evaluated node by node. */

import { matchesLike } from '#query/functions/like.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundApplies } from '#query/ir/bound-select.ts'
import type { ValueType } from '#query/ir/types.ts'
import { arithmetic, comparison, converted } from './arithmetic.ts'
import { BagState } from './collection-states.ts'
import { aggregate, holds, methodOf, setOperation } from './collection-values.ts'
import { jsonMember, parsedJson } from './json.ts'
import { callBuiltIn } from './library.ts'
import { zeroOf } from './make-state.ts'
import type { Run } from './run.ts'
import { isState, type State } from './state.ts'
import { ArrayState, type MapState } from './table-states.ts'
import { textOf } from './texts.ts'
import { callUserFunction } from './user-calls.ts'
import {
  compare,
  type EdgeValue,
  fail,
  isEdge,
  RuntimeFailure,
  Unsupported,
  type Value,
  type Vertex,
  wrap,
} from './values.ts'

/** What a row of a pattern, or the current vertex, gives to an expression. */
export interface Row {
  /** By position; undefined: not bound here. */
  readonly vertices: readonly (Vertex | undefined)[]
  /** By hop. */
  readonly edges: readonly (EdgeValue | null | undefined)[]
}

export interface Scope {
  readonly row: Row | null
  readonly locals: Value[]
}

export const noRow: Scope = { row: null, locals: [] }

type Node<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>

/** Whether a statement that needs certain types runs for this row. */
export function appliesTo(scope: Scope, applies: BoundApplies | null): boolean {
  if (applies === null) return true
  for (const { position, typeIds } of applies.positions) {
    const vertex = scope.row?.vertices[position]
    if (vertex !== undefined && !typeIds.includes(vertex.typeId)) return false
  }
  for (const { hop, edgeTypeIds } of applies.hops) {
    const edge = scope.row?.edges[hop]
    if (edge && !edgeTypeIds.includes(edge.stored.typeId)) return false
  }
  return true
}

export function evaluate(run: Run, node: BoundExpression, scope: Scope): Value {
  const value = (inner: BoundExpression): Value => evaluate(run, inner, scope)
  run.step()
  switch (node.kind) {
    case 'literal':
      return literal(node)
    case 'default':
      return zeroOf(node.type)
    case 'parameter':
      return run.parameter(node.slot)
    case 'variable':
      return run.variables[node.slot]!
    case 'local':
      return readLocal(scope.locals[node.slot]!)
    case 'vertexAlias':
      return scope.row!.vertices[node.position]!
    case 'edgeAlias':
      return scope.row!.edges[node.hop]!
    case 'globalAccum':
      return run.globals[node.slot]!.read()
    case 'vertexAccum':
      return run.readVertexAccum(node.slot, value(node.of) as Vertex | null, node.previous)
    case 'attribute':
      return attributeOf(node, value(node.of))
    case 'typeName': {
      const of = value(node.of)
      return isNothing(of) ? '' : (of as Vertex | EdgeValue).typeName
    }
    case 'field':
      return (value(node.of) as readonly Value[])[node.field]!
    case 'convert':
      return converted(value(node.value), node.value.type, node.type)
    case 'negate': {
      const of = value(node.value)
      return typeof of === 'bigint' ? wrap(-of, node.type.kind) : -(of as number)
    }
    case 'not':
      return !(value(node.value) as boolean)
    case 'arithmetic':
      return arithmetic(node, value(node.left), value(node.right))
    case 'compare':
      return comparison(node, value(node.left), value(node.right))
    case 'and':
      return (value(node.left) as boolean) && (value(node.right) as boolean)
    case 'or':
      return (value(node.left) as boolean) || (value(node.right) as boolean)
    case 'guard':
      return appliesTo(scope, node.applies) && (value(node.value) as boolean)
    case 'isNull':
      return run.isNull(node.parameter)
    case 'between': {
      const [of, low, high] = [value(node.value), value(node.low), value(node.high)]
      // Between NaN and anything, or the other way about, there is nothing.
      if ([of, low, high].some(Number.isNaN)) return false
      return compare(of, low) >= 0 && compare(of, high) <= 0
    }
    case 'in':
      return holds(value(node.container), value(node.value))
    case 'inVertexSet': {
      const members = run.vertexSet(node.set, scope)
      return members.includes(value(node.value) as Vertex)
    }
    case 'like':
      return matchesLike(
        value(node.value) as string,
        value(node.pattern) as string,
        node.escape ?? '',
      )
    case 'case': {
      const branch = node.branches.find(({ condition }) => value(condition) === true)
      if (branch !== undefined) return value(branch.value)
      return node.otherwise === null ? zeroOf(node.type) : value(node.otherwise)
    }
    case 'tuple':
      return node.fields.map(value)
    case 'collection': {
      const state = zeroOf(node.type) as State
      for (const element of node.elements) state.fold({ kind: 'element', value: value(element) })
      return state
    }
    case 'map': {
      const state = zeroOf(node.type) as MapState
      for (const entry of node.entries) {
        const [key, item] = [value(entry.key), value(entry.value)]
        state.ensure(key).fold({ kind: isState(item) ? 'merge' : 'scalar', value: item })
      }
      return state
    }
    case 'method':
      return methodOf(node, value(node.of), node.arguments.map(value))
    case 'element': {
      const [of, ...indexes] = [value(node.of), ...node.indexes.map(value)]
      if (of instanceof ArrayState) return of.at(indexes).read()
      throw new Unsupported('an element of no array')
    }
    case 'pop':
      return run.pop(node.target, scope)
    case 'updateElement':
      return run.updateElement(node, scope)
    case 'vertexSetSize':
      return BigInt(run.vertexSet(node.set, scope).length)
    case 'outdegree': {
      const of = value(node.of) as Vertex | null
      if (of === null) return 0n
      const counts = node.steps.map((step) => run.graph.walk(of, step).length)
      return BigInt(counts.reduce((sum, count) => sum + count, 0))
    }
    case 'setOperation':
      return setOperation(node, value(node.left) as State, value(node.right) as State)
    case 'neighbors':
      return neighbors(run, node, scope)
    case 'callQuery':
      return run.call(node, scope)
    case 'setVertices': {
      const state = zeroOf(node.type) as State
      for (const vertex of run.vertexSet(node.set, scope)) {
        state.fold({ kind: 'element', value: vertex })
      }
      return state
    }
    case 'vertexOfId':
      return vertexOfId(run, value(node.id) as string, value(node.typeName) as string)
    case 'verticesOfIds': {
      const state = zeroOf(node.type) as State
      const typeName = value(node.typeName) as string
      requireType(run, typeName)
      for (const id of (value(node.ids) as State).elements()) {
        const vertex = run.graph.find(typeName, String(id))
        if (vertex !== null) state.fold({ kind: 'element', value: vertex })
      }
      return state
    }
    case 'parseJson':
      return parsedJson(value(node.value) as string, node.type.kind === 'JSONARRAY')
    case 'jsonMethod': {
      const key = node.key === null ? null : value(node.key)
      return jsonMember(value(node.of) as string, node.method, key, node.type)
    }
    case 'edgeIdentity':
      return edgeIdentity(value(node.of) as EdgeValue | null)
    case 'percentOf':
      return run.percentOf(node.of, scope)
    case 'edgeDirected':
      return (value(node.of) as EdgeValue | null)?.stored.directed ?? false
    case 'kept':
      if (node.value !== null) run.remembered.set(node.id, value(node.value))
      return run.remembered.get(node.id)!
    case 'call':
      return callBuiltIn(run, node, node.arguments.map(value), (one) => textOf(one.value, one.type))
    case 'aggregate':
      return aggregate(node, value(node.of), node.percent === undefined ? 50 : value(node.percent))
    case 'tableRows':
      return tableRows(run, node, scope)
    case 'failure':
      throw new RuntimeFailure(node.error.code, node.error.message)
    case 'selectVertex':
      return verticesOfFile(run, node)
    case 'vectorCall': {
      const vectors = node.vectors.map(value)
      return run.callVectorFunction(node, vectors, node.extra === null ? null : value(node.extra))
    }
    case 'userCall':
      return callUserFunction(node, node.arguments.map(value))
    default:
      throw new Unsupported((node as BoundExpression).kind)
  }
}

/** A local accumulator is read as its value. */
function readLocal(value: Value): Value {
  return isState(value) ? value.read() : value
}

function literal(node: Node<'literal'>): Value {
  const { type, value } = node
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return BigInt(value as number | bigint)
    case 'FLOAT':
      return Math.fround(Number(value))
    case 'DOUBLE':
    case 'DATETIME':
      return Number(value)
    case 'BOOL':
      return value === true
    case 'VERTEX':
    case 'EDGE':
      return null
    default:
      return String(value)
  }
}

/** The unknown vertex, the empty edge, or a virtual edge that is deleted. */
function isNothing(of: Value): boolean {
  return of === null || (isEdge(of) && of.stored.isGone === true)
}

function attributeOf(node: Node<'attribute'>, of: Value): Value {
  if (isNothing(of)) return zeroOf(node.type)
  const [typeId, values] = isEdge(of)
    ? [of.stored.typeId, of.stored.values]
    : [(of as Vertex).typeId, (of as Vertex).values]
  const entry = node.byType.find((one) => one.typeId === typeId)
  const value = entry === undefined ? undefined : values.get(entry.attributeId)
  return value === undefined ? zeroOf(node.type) : attributeValue(value, node.type)
}

/** Attributes of several types under one name convert into the widest. */
function attributeValue(value: Value, type: ValueType): Value {
  if (isState(value)) return value.clone()
  if (typeof value === 'bigint' && (type.kind === 'DOUBLE' || type.kind === 'FLOAT')) {
    return converted(value, { kind: 'INT' }, type)
  }
  return value
}

function neighbors(run: Run, node: Node<'neighbors'>, scope: Scope): Value {
  const bag = new BagState()
  const of = evaluate(run, node.of, scope) as Vertex | null
  if (of === null) return bag
  const element = 'element' in node.type ? node.type.element : node.type
  const read = (value: Vertex | EdgeValue): Value =>
    attributeOf(
      { kind: 'attribute', type: element, of: node.of, name: '', byType: node.byType },
      value,
    )
  for (const step of node.steps) {
    for (const { other, edge } of run.graph.walk(of, step)) {
      if (node.filter !== null) {
        run.variables[node.filter.vertexSlot] = other
        run.variables[node.filter.edgeSlot] = edge
        if (evaluate(run, node.filter.condition, scope) !== true) continue
      }
      const value =
        node.value === 'vertex' ? other : read(node.value === 'vertexAttribute' ? other : edge!)
      bag.fold({ kind: 'element', value })
    }
  }
  return bag
}

function vertexOfId(run: Run, id: string, typeName: string): Value {
  requireType(run, typeName)
  const vertex = run.graph.find(typeName, id)
  if (vertex !== null) return vertex
  return fail('GSQL-4502', `"${id}" is not a valid vertex id of ${typeName}.`)
}

function requireType(run: Run, typeName: string): void {
  if (!run.graph.typeNames.has(typeName)) {
    fail('GSQL-4500', `"${typeName}" is not a valid vertex type.`)
  }
}

function verticesOfFile(run: Run, node: Node<'selectVertex'>): Value {
  const state = zeroOf(node.type) as State
  const columns = [node.idColumn, node.typeColumn ?? node.idColumn]
  for (const [id, type] of run.rowsOfFile(node.source, columns)) {
    const typeName = node.typeName ?? type!
    requireType(run, typeName)
    const vertex = run.graph.find(typeName, id!)
    if (vertex !== null) state.fold({ kind: 'element', value: vertex })
  }
  return state
}

function edgeIdentity(edge: EdgeValue | null): Value {
  if (edge === null) return null
  const { source, target, typeName } = edge.stored
  return { ...edge, typeName, from: source, to: target }
}

function tableRows(run: Run, node: Node<'tableRows'>, scope: Scope): Value {
  const rows = [...(evaluate(run, node.of, scope) as State).elements()] as (readonly Value[])[]
  rows.sort((left, right) => {
    for (const { field, descending } of node.order) {
      const order = compare(left[field]!, right[field]!)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
  const bound = (value: BoundExpression | null, otherwise: number): number =>
    value === null ? otherwise : Number(evaluate(run, value, scope))
  const from = notNegative('OFFSET', bound(node.offset, 0))
  const limit = notNegative('LIMIT', bound(node.limit, Number.POSITIVE_INFINITY))
  const width =
    'element' in node.type && node.type.element.kind === 'TUPLE'
      ? node.type.element.fields.length
      : 0
  const table = zeroOf(node.type) as State
  for (const row of rows.slice(from, from + limit)) {
    table.fold({ kind: 'element', value: row.slice(0, width) })
  }
  return table
}

export function notNegative(what: 'LIMIT' | 'OFFSET', count: number): number {
  return count >= 0 ? count : fail('GSQL-1002', `the ${what} is negative: ${count}.`)
}
