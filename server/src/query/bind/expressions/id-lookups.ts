/** `to_vertex`, `to_vertex_set`, `SelectVertex`: vertices by ids that are only known at run time. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { ANY_VERTEX, STRING, type ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { fileColumn, sourceOf } from '../statements/file-sources.ts'

/** Null: `name` is none of them. */
export function bindIdLookup(
  binder: Binder,
  node: CallSyntax,
  name: string,
): BoundExpression | null {
  switch (name) {
    case 'to_vertex':
      return bindToVertex(binder, node)
    case 'to_vertex_set':
      return bindToVertexSet(binder, node)
    case 'selectvertex':
      return bindSelectVertex(binder, node)
    default:
      return null
  }
}

function twoArguments(binder: Binder, node: CallSyntax): readonly [Expression, Expression] {
  const { clause } = binder
  if (clause?.kind === 'accum' || clause?.kind === 'postAccum') {
    const message = `${node.name.name} is not allowed in ACCUM or POST-ACCUM`
    binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const [ids, type, more] = node.arguments
  if (ids !== undefined && type !== undefined && more === undefined) return [ids, type]
  const message = `${node.name.name} takes ids and the name of a vertex type`
  return binder.fail(diagnosticCodes.argumentCount, node.range, message)
}

function bindToVertex(binder: Binder, node: CallSyntax): BoundExpression {
  const [idNode, typeNode] = twoArguments(binder, node)
  const id = asText(binder.expression(idNode))
  const text = convertTo(binder, id, STRING, idNode.range)
  const typeName = convertTo(binder, binder.expression(typeNode), STRING, typeNode.range)
  return { kind: 'vertexOfId', type: vertexTypeNamed(binder, typeNode), id: text, typeName }
}

function bindToVertexSet(binder: Binder, node: CallSyntax): BoundExpression {
  const [idsNode, typeNode] = twoArguments(binder, node)
  const ids = binder.expression(idsNode)
  const element = isCollection(ids.type) ? ids.type.element.kind : null
  if (element !== 'STRING' && element !== 'INT' && element !== 'UINT') {
    const message = 'to_vertex_set takes a collection of ids'
    binder.fail(diagnosticCodes.typeMismatch, idsNode.range, message)
  }
  const typeName = convertTo(binder, binder.expression(typeNode), STRING, typeNode.range)
  const type: ValueType = { kind: 'SET', element: vertexTypeNamed(binder, typeNode) }
  return { kind: 'verticesOfIds', type, ids, typeName }
}

/** Of a type that a literal names; else any. An unknown literal is a mistake already here. */
function vertexTypeNamed(binder: Binder, node: Expression): ValueType {
  if (node.kind !== 'string') return ANY_VERTEX
  const type = binder.schema.vertexType(node.value)
  if (type === undefined) {
    const message = `no vertex type "${node.value}"`
    return binder.fail(diagnosticCodes.unknownVertexType, node.range, message)
  }
  binder.vertexTypesUsed.add(type.id)
  return { kind: 'VERTEX', typeIds: [type.id] }
}

function asText(value: BoundExpression): BoundExpression {
  if (value.type.kind === 'STRING') return value
  return { kind: 'call', type: STRING, name: 'to_string', arguments: [value] }
}

/** `SelectVertex(path, idColumn, type or column, separator, header)`. */
function bindSelectVertex(binder: Binder, node: CallSyntax): BoundExpression {
  const source = sourceOf(binder, node, 2)
  const [id, typeNode] = source.columns
  const idColumn = fileColumn(binder, id!)
  if (typeNode!.kind === 'column') {
    const type: ValueType = { kind: 'SET', element: ANY_VERTEX }
    const typeColumn = fileColumn(binder, typeNode!)
    return { kind: 'selectVertex', type, source: source.file, idColumn, typeColumn, typeName: null }
  }
  const name = typeNode!.kind === 'name' ? typeNode!.name : ''
  const known = binder.schema.vertexType(name)
  if (known === undefined) {
    const message = `no vertex type "${name}"`
    return binder.fail(diagnosticCodes.unknownVertexType, typeNode!.range, message)
  }
  binder.vertexTypesUsed.add(known.id)
  const type: ValueType = { kind: 'SET', element: { kind: 'VERTEX', typeIds: [known.id] } }
  const typeName = known.name
  return { kind: 'selectVertex', type, source: source.file, idColumn, typeColumn: null, typeName }
}
