/** INSERT, DELETE, UPDATE, setAttr and assigned attributes: which change of the graph they mean. */

import type { BoundBranch, Place } from '#query/ir/bound.ts'
import type { BoundDelete, BoundSetAttribute } from '#query/ir/bound-changes.ts'
import type { BoundAttribute, BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { isVirtualType, PRIMARY_ID_ATTRIBUTE } from '#query/ir/type-ids.ts'
import { BOOL, STRING, type ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression, Identifier } from '#query/syntax/ast.ts'
import type { AssignSyntax, Statement } from '#query/syntax/ast-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { bindValueOf } from '../accumulators/assign.ts'
import { bindFold } from '../accumulators/fold.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { keptValue } from '../core/kept.ts'
import {
  attributeOver,
  attributesNamed,
  bindNamedAttribute,
  possibleTypes,
  unifyAttributes,
} from '../core/names.ts'
import { BindFailure } from '../core/reports.ts'
import type { AttributeInfo } from '../core/schema.ts'
import { failing, isText, nameValue, wrongType } from '../expressions/named-attributes.ts'

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

/**
 * An attribute set back to its default, for each type that has it: their defaults may differ.
 * @param declared the declared default of a type's attribute; null: the zero of its type
 * @returns null when the target is no attribute
 */
export function bindAttributeReset(
  binder: Binder,
  target: Member,
  declared: (typeId: number, attributeId: number) => Expression | null,
): readonly BoundSetAttribute[] | null {
  const of = binder.expression(target.of)
  if (of.type.kind !== 'VERTEX' && of.type.kind !== 'EDGE') return null
  const name = { name: target.name.name, range: target.name.range, isArgument: false }
  const all = bindNamedAttribute(binder, of, name)
  const found = attributesNamed(binder, possibleTypes(binder, of), name.name)
  const infos = changeable(binder, found)
  if (infos.length === 0) failKey(binder, all, name)
  const vector = infos.find(({ typeId }) => binder.schema.vector(typeId, name.name) !== undefined)
  if (vector !== undefined) {
    const message = `"${name.name}" is a vector attribute of ${binder.schema.nameOf(vector.typeId)}: it has no default`
    binder.fail(diagnosticCodes.misplaced, name.range, message)
  }
  return infos.map(({ typeId, attributeId, type }) => {
    binder.useAttribute(typeId, attributeId)
    const written = declared(typeId, attributeId)
    const value: BoundExpression =
      written === null ? { kind: 'default', type } : storedValue(binder, written, type)
    const byType = [{ typeId, attributeId }]
    const place = binder.place(target.range)
    return { kind: 'setAttribute', of, byType, value, adds: false, applies: null, place }
  })
}

function failKey(binder: Binder, { byType }: BoundAttribute, { name, range }: Identifier): never {
  const types = byType.map(({ typeId }) => binder.schema.nameOf(typeId)).join(', ')
  const message = `"${name}" is part of the key of ${types}: it never changes`
  return binder.fail(diagnosticCodes.misplaced, range, message)
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
  refuseVirtual(binder, of, range)
  const attribute = fittingAttribute(binder, of, { name, value })
  if (adds) refuseAddingVectors(binder, attribute, name)
  const byType = changeable(binder, attribute.byType)
  // Of the types that arguments name none has the attribute: the statement is left out.
  if (byType.length === 0 && attribute.byType.length > 0) failKey(binder, attribute, name)
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

/** A vector has its length: nothing is added to one. */
function refuseAddingVectors(
  binder: Binder,
  { byType }: BoundAttribute,
  { name, range }: Assignment['name'],
): void {
  const holder = byType.find(
    ({ typeId, attributeId }) => binder.schema.vector(typeId, name)?.id === attributeId,
  )
  if (holder === undefined) return
  const message = `"${name}" is a vector attribute of ${binder.schema.nameOf(holder.typeId)}: it is assigned as a whole, with =`
  binder.fail(diagnosticCodes.misplaced, range, message)
}

/** Of types whose attributes are of different kinds, those whose attribute takes the value. */
function fittingAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, value }: Pick<Assignment, 'name' | 'value'>,
): BoundAttribute {
  const all = attributesNamed(binder, possibleTypes(binder, of), name.name)
  for (let rest = all; rest.length > 0; ) {
    const { type, infos } = unifyAttributes(rest)
    if (infos.length === all.length) break
    const fits = ifFits(binder, () => storedValue(binder, value, type)) !== null
    if (fits) return attributeOver(binder, of, { ...name, found: infos })
    rest = rest.filter((info) => !infos.includes(info))
  }
  return bindNamedAttribute(binder, of, name)
}

function refuseVirtual(binder: Binder, { type }: BoundExpression, range: SourceRange): void {
  if (type.kind !== 'EDGE' || !type.typeIds?.some(isVirtualType)) return
  const message = 'attributes of a virtual edge are given by INSERT'
  binder.fail(diagnosticCodes.misplaced, range, message)
}

/** Of several types those for which the attribute is no part of the key. */
function changeable<A extends TypedAttribute>(binder: Binder, byType: readonly A[]): A[] {
  return byType.filter(
    ({ typeId, attributeId }) =>
      !isKey(binder, typeId, attributeId) && !isDiscriminator(binder, typeId, attributeId),
  )
}

interface TypedAttribute {
  readonly typeId: number
  readonly attributeId: number
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

/** What a name that is computed chooses from. */
export interface BoundSetByName {
  readonly kind: 'if'
  readonly branches: readonly BoundBranch<ChangeOrFailure>[]
  readonly otherwise: readonly ChangeOrFailure[]
  readonly place: Place
}

type ChangeOrFailure =
  | BoundSetAttribute
  | {
      readonly kind: 'callStatement'
      readonly call: BoundExpression
      readonly applies: null
      readonly place: Place
    }

/** `x.setAttr(name, value)`; null: its name is not known yet, or empty, which changes nothing. */
export function bindSetAttr(
  binder: Binder,
  call: CallSyntax,
): BoundSetAttribute | BoundSetByName | null {
  const [nameNode, value, more] = call.arguments
  if (nameNode === undefined || value === undefined || more !== undefined || call.of === null) {
    binder.fail(diagnosticCodes.argumentCount, call.range, 'setAttr takes a name and a value')
  }
  const of = binder.expression(call.of)
  if (of.type.kind !== 'VERTEX' && of.type.kind !== 'EDGE') {
    binder.fail(diagnosticCodes.typeMismatch, call.of.range, 'setAttr needs a vertex or an edge')
  }
  const given = nameValue(binder, nameNode)
  switch (given.kind) {
    case 'unknown':
      binder.expression(value)
      return null
    case 'known': {
      const { name, isArgument } = given
      const named = { name, range: nameNode.range, isArgument }
      return setAttribute(binder, of, { name: named, value, adds: false, range: call.range })
    }
    case 'computed':
      return setByName(binder, of, { name: given.value, value, place: binder.place(call.range) })
  }
}

interface NamedValue {
  readonly name: BoundExpression
  readonly value: Expression
  readonly place: Place
}

/** A branch for each attribute there is; which one is meant, the run will say. */
function setByName(
  binder: Binder,
  of: BoundExpression,
  { name, value, place }: NamedValue,
): BoundSetByName {
  // What is wrong with the value itself is wrong for every attribute: it is said once.
  const { type } = binder.expression(value)
  const typeIds = possibleTypes(binder, of)
  const kept = keptValue(binder, name)
  const branches = binder.schema.attributeNames(typeIds).map((candidate) => {
    const found = attributesNamed(binder, typeIds, candidate)
    const change = changeOf(binder, of, { name: candidate, found, value, place })
    const body = [change ?? failure(wrongType(binder, candidate, { type, of: [of] }), place)]
    return { condition: isText(kept(), candidate), body }
  })
  const otherwise = [failure(failing('fail attribute', BOOL, [kept()]), place)]
  return { kind: 'if', branches, otherwise, place }
}

/** Null: the value cannot be one of the attribute. */
function changeOf(
  binder: Binder,
  of: BoundExpression,
  named: Omit<NamedValue, 'name'> & { name: string; found: readonly AttributeInfo[] },
): ChangeOrFailure | null {
  const { name, value, place } = named
  const found = changeable(binder, named.found)
  if (found.length === 0) {
    const text = { kind: 'literal', type: STRING, value: name } as const
    return failure(failing('fail update', BOOL, [text]), place)
  }
  const { type, infos } = unifyAttributes(found)
  const stored = ifFits(binder, () => storedValue(binder, value, type))
  if (stored === null) return null
  const byType = infos.map(({ typeId, attributeId }) => ({ typeId, attributeId }))
  return { kind: 'setAttribute', of, byType, value: stored, adds: false, applies: null, place }
}

/** Null: the value cannot be one of the attribute. */
function ifFits(binder: Binder, bind: () => BoundExpression): BoundExpression | null {
  try {
    return binder.quietly(bind)
  } catch (problem) {
    const isMismatch =
      problem instanceof BindFailure && problem.code === diagnosticCodes.typeMismatch
    if (isMismatch) return null
    throw problem
  }
}

function failure(call: BoundExpression, place: Place): ChangeOrFailure {
  return { kind: 'callStatement', call, applies: null, place }
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
