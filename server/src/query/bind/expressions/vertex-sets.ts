/** Vertex set expressions: variables, seeds, and their union, intersection and difference. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import { isCollection, sortedIds, typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder, BoundSet } from '../core/binder.ts'
import { passOverBroken } from '../core/broken-names.ts'
import { failureNode } from '../core/run-failures.ts'
import { dynamicVertexTypes, isTypeParameter } from '../core/type-parameters.ts'
import { bindVectorSearch } from './vector-search.ts'
import { isVectorSearch } from './vertex-set-shape.ts'

export function bindVertexSet(binder: Binder, node: Expression): BoundSet {
  switch (node.kind) {
    case 'seed':
      return unite(node.items.map(({ value }) => bindVertexSet(binder, value)))
    case 'allOf':
      return bindAllOf(binder, node.name.name, node.range)
    case 'binary':
      return bindSetOperation(binder, node)
    case 'name':
      return bindSetName(binder, node.name, node.range)
    default:
      if (isVectorSearch(node)) return bindVectorSearch(binder, node)
      return verticesOf(binder, binder.expression(node), node.range)
  }
}

function unite(sets: readonly BoundSet[]): BoundSet {
  if (sets.length === 0) return { set: { kind: 'allOfTypes', typeIds: [] }, typeIds: [] }
  return sets.reduce((left, right) => ({
    set: { kind: 'union', left: left.set, right: right.set },
    typeIds: sortedIds([...left.typeIds, ...right.typeIds]),
  }))
}

function bindSetOperation(binder: Binder, node: Extract<Expression, { kind: 'binary' }>): BoundSet {
  const kinds = { UNION: 'union', INTERSECT: 'intersect', MINUS: 'minus' } as const
  const { operator } = node
  if (operator !== 'UNION' && operator !== 'INTERSECT' && operator !== 'MINUS') {
    return verticesOf(binder, binder.expression(node), node.range)
  }
  const left = bindVertexSet(binder, node.left)
  const right = bindVertexSet(binder, node.right)
  const set = { kind: kinds[operator], left: left.set, right: right.set } as const
  return { set, typeIds: combinedTypes(operator, left.typeIds, right.typeIds) }
}

function combinedTypes(
  operator: 'UNION' | 'INTERSECT' | 'MINUS',
  left: readonly number[],
  right: readonly number[],
): readonly number[] {
  if (operator === 'UNION') return sortedIds([...left, ...right])
  return operator === 'MINUS' ? left : left.filter((id) => right.includes(id))
}

/** `{name}` by the declared kind of `name`. */
function bindSetName(binder: Binder, name: string, range: SourceRange): BoundSet {
  binder.probe(name, () => ({ kind: 'vertexSet', names: binder.visible() }))
  if (isTypeParameter(binder, name)) return allOfParameter(binder, name, range)
  if (isValueName(binder, name)) {
    return verticesOf(binder, binder.expression({ kind: 'name', name, range }), range)
  }
  const slot = binder.vertexSetSlot(name)
  if (slot >= 0) return { set: { kind: 'variable', slot }, typeIds: binder.vertexSetTypes(slot) }
  return bindAllOf(binder, name, range)
}

function isValueName(binder: Binder, name: string): boolean {
  const alias = binder.clause?.select.aliases.has(name) ?? false
  const parameter = binder.parameters.some((candidate) => candidate.name === name)
  return alias || parameter || binder.lookup(name) !== undefined
}

/** `T.*`, `ANY`, `_`, a type parameter, or a bare type name. */
function bindAllOf(binder: Binder, name: string, range: SourceRange): BoundSet {
  if (name === '_' || name.toUpperCase() === 'ANY') {
    return allOfTypes(binder, binder.schema.allVertexTypeIds())
  }
  if (isTypeParameter(binder, name)) return allOfParameter(binder, name, range)
  const type = binder.schema.vertexType(name)
  if (type !== undefined) return allOfTypes(binder, [type.id])
  passOverBroken(binder, name)
  if (binder.lookup(name) !== undefined) {
    const message = `"${name}" is a variable: only a type, a vertex set or a parameter is allowed here; name types by a parameter`
    return binder.fail(diagnosticCodes.unknownVertexType, range, message)
  }
  const sets = binder.vertexSets.map((set) => set.name)
  const hint = binder.schema.hintOf(name, [
    ...binder.schema.vertexNames(),
    ...sets,
    ...binder.visibleNames(),
  ])
  const message = `no vertex type or vertex set "${name}"${hint}`
  return binder.fail(diagnosticCodes.unknownVertexType, range, message)
}

/** A parameter that names a type which does not exist is a set that cannot be made. */
function allOfParameter(binder: Binder, name: string, range: SourceRange): BoundSet {
  const { value, unknown } = binder.withUnknown(() => dynamicVertexTypes(binder, name, range))
  if (unknown === null) return allOfTypes(binder, value)
  const type: ValueType = { kind: 'SET', element: { kind: 'VERTEX', typeIds: [] } }
  return {
    set: { kind: 'vertices', value: failureNode(binder, unknown, { type }) },
    typeIds: [],
  }
}

function allOfTypes(binder: Binder, typeIds: readonly number[]): BoundSet {
  for (const id of typeIds) binder.vertexTypesUsed.add(id)
  return { set: { kind: 'allOfTypes', typeIds: sortedIds(typeIds) }, typeIds: sortedIds(typeIds) }
}

/** A VERTEX or a collection of them as a set. */
export function verticesOf(binder: Binder, value: BoundExpression, range: SourceRange): BoundSet {
  const vertex = vertexTypeOf(value.type)
  if (vertex === null) {
    const text = typeText(value.type, (id) => binder.schema.nameOf(id))
    return binder.fail(diagnosticCodes.typeMismatch, range, `${text} holds no vertices`)
  }
  const typeIds = vertex.typeIds ?? binder.schema.allVertexTypeIds()
  return { set: { kind: 'vertices', value }, typeIds }
}

export function vertexTypeOf(type: ValueType): Extract<ValueType, { kind: 'VERTEX' }> | null {
  if (type.kind === 'VERTEX') return type
  if (type.kind === 'MAP') return null
  return isCollection(type) && type.element.kind === 'VERTEX' ? type.element : null
}
