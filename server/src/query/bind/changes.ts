/** INSERT, DELETE, UPDATE, setAttr and assigned attributes: which change of the graph they mean. */
import type { CallSyntax, Expression, Identifier } from '#query/syntax/ast.ts'
import type { AssignSyntax, Statement } from '#query/syntax/ast-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { bindValueOf } from './assign.ts'
import type { Binder } from './binder.ts'
import type { BoundDelete, BoundSetAttribute } from './bound-changes.ts'
import type { BoundExpression } from './bound-expression.ts'
import { convertTo } from './convert.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { bindFold } from './fold.ts'
import { bindNamedAttribute } from './names.ts'
import { PRIMARY_ID_ATTRIBUTE } from './schema.ts'
import { isTypeParameter, typeArgument } from './type-parameters.ts'
import type { ValueType } from './types.ts'
import { isCollection } from './value-types.ts'

type Member = Extract<Expression, { kind: 'member' }>

/** `x.attr = e`, `x.attr += e`; null: the target is no attribute. */
export function bindAttributeAssign(
  binder: Binder,
  node: AssignSyntax,
  value: Expression,
): BoundSetAttribute | null {
  const { target } = node
  if (target.kind !== 'member') return null
  const of = binder.expression(target.of)
  if (of.type.kind !== 'VERTEX' && of.type.kind !== 'EDGE') return null
  refuseVertexInAccum(binder, of, target)
  const name = { name: target.name.name, range: target.name.range, isArgument: false }
  const range = node.range
  return setAttribute(binder, of, { name, value, adds: node.operator === '+=', range })
}

/** In ACCUM a vertex is met by many rows: its attributes are written in POST-ACCUM. */
function refuseVertexInAccum(binder: Binder, of: BoundExpression, target: Member): void {
  const { clause } = binder
  if (clause?.kind !== 'accum' || binder.updating || of.type.kind !== 'VERTEX') return
  const message = 'vertex attributes are written in POST-ACCUM, not in ACCUM'
  binder.fail(diagnosticCodes.misplaced, target.range, message)
}

interface Assignment {
  readonly name: {
    readonly name: string
    readonly range: SourceRange
    readonly isArgument: boolean
  }
  readonly value: Expression
  readonly adds: boolean
  readonly range: SourceRange
}

function setAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, value, adds, range }: Assignment,
): BoundSetAttribute {
  const attribute = bindNamedAttribute(binder, of, name)
  // Of several types those are changed for which it is no part of the key.
  const byType = attribute.byType.filter(
    ({ typeId, attributeId }) =>
      !isKey(binder, typeId, attributeId) && !isDiscriminator(binder, typeId, attributeId),
  )
  if (byType.length === 0) {
    const types = attribute.byType.map(({ typeId }) => binder.schema.nameOf(typeId)).join(', ')
    const message = `"${name.name}" is part of the key of ${types}: it never changes`
    binder.fail(diagnosticCodes.misplaced, name.range, message)
  }
  return {
    kind: 'setAttribute',
    of,
    byType,
    value: storedValue(binder, value, attribute.type),
    adds,
    applies: null,
    place: binder.place(range),
  }
}

function isKey(binder: Binder, typeId: number, attributeId: number): boolean {
  if (attributeId === PRIMARY_ID_ATTRIBUTE) return true
  const type = binder.schema.vertexTypes.find(({ id }) => id === typeId)
  if (type === undefined || type.primaryId.syntax === 'PRIMARY_ID') return false
  const attribute = type.attributes.find(({ id }) => id === attributeId)
  return attribute !== undefined && type.primaryId.names.includes(attribute.name)
}

function isDiscriminator(binder: Binder, typeId: number, attributeId: number): boolean {
  const type = binder.schema.edgeTypes.find(({ id }) => id === typeId)
  const members = type?.attributes.slice(0, type.discriminatorCount) ?? []
  return members.some(({ id }) => id === attributeId)
}

/** A value for an attribute; one element stands for a collection of it, as `+=` is written. */
export function storedValue(binder: Binder, node: Expression, type: ValueType): BoundExpression {
  if (!isCollection(type)) return bindValueOf(binder, node, type)
  if (['list', 'parenthesised', 'seed'].includes(node.kind)) return bindValueOf(binder, node, type)
  const accum = { kind: 'ListAccum', element: { kind: 'value', type: type.element } } as const
  const fold = bindFold(binder, accum, node)
  if (fold.kind === 'element') return { kind: 'collection', type, elements: [fold.value] }
  if (fold.kind === 'elements') return convertTo(binder, fold.value, type, node.range)
  return bindValueOf(binder, node, type)
}

export function isSetAttr(call: CallSyntax): boolean {
  return call.of !== null && call.name.name.toLowerCase() === 'setattr'
}

/** `x.setAttr(name, value)`; null: its name is not known yet, or empty, which changes nothing. */
export function bindSetAttr(binder: Binder, call: CallSyntax): BoundSetAttribute | null {
  const [nameNode, value, more] = call.arguments
  if (nameNode === undefined || value === undefined || more !== undefined || call.of === null) {
    binder.fail(diagnosticCodes.argumentCount, call.range, 'setAttr takes a name and a value')
  }
  const of = binder.expression(call.of)
  if (of.type.kind !== 'VERTEX' && of.type.kind !== 'EDGE') {
    binder.fail(diagnosticCodes.typeMismatch, call.of.range, 'setAttr needs a vertex or an edge')
  }
  const name = attributeName(binder, nameNode)
  if (name === null || name === '') {
    binder.expression(value)
    return null
  }
  const given = { name, range: nameNode.range, isArgument: nameNode.kind === 'name' }
  return setAttribute(binder, of, { name: given, value, adds: false, range: call.range })
}

function attributeName(binder: Binder, node: Expression): string | null {
  if (node.kind === 'string') return node.value
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    const given = typeArgument(binder, node.name)
    return given === null ? null : (given[0] ?? '')
  }
  return binder.notSupported(node.range, 'attribute names computed at run time')
}

/** `DELETE(alias)` of ACCUM and POST-ACCUM; a VERTEX variable at body level. */
export function bindDeleteAlias(
  binder: Binder,
  node: Extract<Statement, { kind: 'deleteAlias' }>,
): BoundDelete {
  return bindDelete(binder, node.alias, node.range)
}

export function bindDelete(binder: Binder, alias: Identifier, range: SourceRange): BoundDelete {
  const of = binder.expression({ kind: 'name', name: alias.name, range: alias.range })
  if (of.type.kind !== 'VERTEX' && of.type.kind !== 'EDGE') {
    binder.fail(diagnosticCodes.typeMismatch, alias.range, 'only vertices and edges are deleted')
  }
  return { kind: 'deleteElement', of, applies: null, place: binder.place(range) }
}
