/** Names, attributes, fields and accumulators in expressions (docs/reference/gsql/expressions.md). */

import type { BoundAttribute, BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import {
  type AccumType,
  INT,
  isWideBits,
  readTypeOf,
  STRING,
  UINT,
  type ValueType,
} from '#query/ir/types.ts'
import { joinTypes, sortedIds, typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { edgeAccumNamed } from '../accumulators/edge-accum-names.ts'
import type { Binder } from './binder.ts'
import { passOverBroken } from './broken-names.ts'
import type { AliasTarget, ClauseState } from './clause-state.ts'
import type { AttributeInfo } from './schema.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

const CONSTANTS = new Map<string, BoundExpression>([
  ['GSQL_INT_MAX', { kind: 'literal', type: INT, value: 2n ** 63n - 1n }],
  ['GSQL_INT_MIN', { kind: 'literal', type: INT, value: -(2n ** 63n) }],
  ['GSQL_UINT_MAX', { kind: 'literal', type: UINT, value: 2n ** 64n - 1n }],
])

export function bindName(binder: Binder, node: Node<'name'>): BoundExpression {
  binder.probe(node.name, () => ({ kind: 'name', names: binder.visible() }))
  const found = resolveName(binder, node.name, node.range)
  if (found !== null) return found
  if (binder.vertexSetSlot(node.name) >= 0) {
    const message = `"${node.name}" is a vertex set, not a value`
    return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
  }
  passOverBroken(binder, node.name)
  const hint = suggest(node.name, binder.visibleNames())
  return binder.fail(
    diagnosticCodes.undeclared,
    node.range,
    `"${node.name}" is not declared${hint}`,
  )
}

/** Locals, then aliases, then variables, then parameters, then constants. */
function resolveName(binder: Binder, name: string, range: SourceRange): BoundExpression | null {
  const entry = binder.lookup(name)
  if (entry?.kind === 'local') {
    const type = binder.clause!.locals[entry.slot]!.type
    return { kind: 'local', type, slot: entry.slot }
  }
  const target = binder.clause?.select.aliases.get(name)
  if (target !== undefined) return bindAlias(binder, target, { name, range })
  if (entry !== undefined) {
    return { kind: 'variable', type: binder.variables[entry.slot]!.type, slot: entry.slot }
  }
  const parameter = binder.parameters.findIndex((candidate) => candidate.name === name)
  if (parameter >= 0) {
    return { kind: 'parameter', type: binder.parameters[parameter]!.type, slot: parameter }
  }
  return CONSTANTS.get(name.toUpperCase()) ?? null
}

function bindAlias(
  binder: Binder,
  target: AliasTarget,
  { name, range }: { name: string; range: SourceRange },
): BoundExpression {
  const clause = binder.clause!
  refuseOtherAlias(binder, clause, target, { name, range })
  const typeIds = clause.typesOf(target)
  if (target.kind === 'vertex') {
    const type: ValueType = { kind: 'VERTEX', typeIds }
    return { kind: 'vertexAlias', type, position: target.position }
  }
  return { kind: 'edgeAlias', type: { kind: 'EDGE', typeIds }, hop: target.hop }
}

/** HAVING and ORDER BY know the selected alias only, POST-ACCUM only vertices. */
function refuseOtherAlias(
  binder: Binder,
  clause: ClauseState,
  target: AliasTarget,
  { name, range }: { name: string; range: SourceRange },
): void {
  const selected = target.kind === 'vertex' && target.position === clause.select.resultPosition
  if (clause.kind === 'result' && !selected) {
    const message = `alias "${name}" is not the selected one: HAVING and ORDER BY can use only that`
    binder.fail(diagnosticCodes.otherAlias, range, message)
  }
  const { per, perHops } = clause.select
  const listed =
    per === null ||
    (target.kind === 'vertex' ? per.includes(target.position) : perHops.includes(target.hop))
  if (clause.kind !== 'where' && !listed) failPer(binder, { name, range })
  if (clause.kind === 'postAccum' && target.kind === 'edge') {
    const message = `edge alias "${name}" cannot be used in POST-ACCUM`
    binder.fail(diagnosticCodes.misplaced, range, message)
  }
}

export function failPer(binder: Binder, alias: AttributeName): never {
  const message = `alias "${alias.name}" is not in the PER list`
  return binder.fail(diagnosticCodes.otherAlias, alias.range, message)
}

export function bindMember(binder: Binder, node: Node<'member'>): BoundExpression {
  const of = binder.expression(node.of)
  const { name } = node.name
  binder.probe(name, () => ({ kind: 'member', type: of.type, accum: null }))
  switch (of.type.kind) {
    case 'VERTEX':
    case 'EDGE':
      if (name === 'type') return { kind: 'typeName', type: STRING, of }
      return bindAttribute(binder, of, node.name)
    case 'TUPLE': {
      const field = of.type.fields.findIndex((candidate) => candidate.name === name)
      if (field >= 0) return { kind: 'field', type: of.type.fields[field]!.type, of, field }
      const hint = suggest(
        name,
        of.type.fields.map((candidate) => candidate.name),
      )
      const what = of.type.name === '' ? 'this row' : `tuple ${of.type.name}`
      const message = `${what} has no field "${name}"${hint}`
      return binder.fail(diagnosticCodes.noSuchAttribute, node.name.range, message)
    }
    default: {
      const text = typeText(of.type, (id) => binder.schema.nameOf(id))
      const message = `${text} has no attribute "${name}"`
      return binder.fail(diagnosticCodes.noSuchAttribute, node.name.range, message)
    }
  }
}

export interface AttributeName {
  readonly name: string
  readonly range: SourceRange
}

export function bindAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, range }: AttributeName,
): BoundAttribute {
  const typeIds = possibleTypes(binder, of)
  const found = attributesNamed(binder, typeIds, name)
  if (found.length > 0) return attributeOver(binder, of, { name, range, found })
  const elsewhere = binder.isResolved ? attributesNamed(binder, everyType(binder, of), name) : []
  if (elsewhere.length > 0) return absentAttribute(binder, of, { name, found: elsewhere })
  return failAttribute(binder, typeIds, { name, range })
}

/** The attributes of a name that these types have. */
export function attributesNamed(
  binder: Binder,
  typeIds: readonly number[],
  name: string,
): AttributeInfo[] {
  return typeIds.map((id) => binder.schema.attribute(id, name)).filter((info) => info !== undefined)
}

/** The attribute as the types in `found` have it; statements about aliases run for those only. */
export function attributeOver(
  binder: Binder,
  of: BoundExpression,
  { name, range, found }: AttributeName & { readonly found: readonly AttributeInfo[] },
): BoundAttribute {
  const typeIds = possibleTypes(binder, of)
  const { type, infos } = unifyAttributes(found)
  const target = hasNoType(of) ? null : aliasTargetOf(of)
  const having = sortedIds(infos.map(({ typeId }) => typeId))
  if (target !== null && having.length < typeIds.length && !binder.clause!.need(target, having)) {
    if (!binder.isResolved) failCombination(binder, range)
  }
  for (const info of infos) binder.useAttribute(info.typeId, info.attributeId)
  const byType = infos.map(({ typeId, attributeId }) => ({ typeId, attributeId }))
  return { kind: 'attribute', type, of, name, byType }
}

/**
 * Of types that arguments name, none has it, while others of the graph do: conditions on it are
 * false then, and statements are left out (docs/reference/gsql/expressions.md#names, docs/reference/gsql/select.md#types-chosen-at-run-time).
 */
function absentAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, found }: { readonly name: string; readonly found: readonly AttributeInfo[] },
): BoundAttribute {
  const target = hasNoType(of) ? null : aliasTargetOf(of)
  if (target !== null) binder.clause?.need(target, [])
  return { kind: 'attribute', type: unifyAttributes(found).type, of, name, byType: [] }
}

/**
 * The same for a name that a parameter gives: what is wrong then is wrong with the argument, and
 * only known when the query is run.
 */
export function bindNamedAttribute(
  binder: Binder,
  of: BoundExpression,
  given: AttributeName & { readonly isArgument: boolean },
): BoundAttribute {
  if (!given.isArgument) return bindAttribute(binder, of, given)
  const found = attributesNamed(binder, possibleTypes(binder, of), given.name)
  if (found.length > 0) return attributeOver(binder, of, { ...given, found })
  const message = `Runtime Error: no attribute "${given.name}" here.`
  return binder.fail(diagnosticCodes.badAttributeArgument, given.range, message)
}

/** One type for all; types whose attribute of that name is of another kind are left out. */
export function unifyAttributes(found: readonly AttributeInfo[]): {
  readonly type: ValueType
  readonly infos: readonly AttributeInfo[]
} {
  let { type } = found[0]!
  const infos: AttributeInfo[] = []
  for (const info of found) {
    const joined = joinTypes(type, info.type)
    if (joined === null) continue
    type = joined
    infos.push(info)
  }
  return { type, infos }
}

function failAttribute(
  binder: Binder,
  typeIds: readonly number[],
  { name, range }: AttributeName,
): never {
  const types = typeIds.map((id) => binder.schema.nameOf(id)).join(', ')
  const hint = binder.schema.hintOfAttribute(name, typeIds)
  const where = typeIds.length === 0 ? 'any type possible here' : types
  const message = `no attribute "${name}" on ${where}${hint}`
  return binder.fail(diagnosticCodes.noSuchAttribute, range, message)
}

function failCombination(binder: Binder, range: SourceRange): never {
  const message = 'no combination of types has all attributes that this statement uses'
  return binder.fail(diagnosticCodes.noSuchAttribute, range, message)
}

/** Concrete types `of` can have; of a VERTEX without a type: all of the graph. */
export function possibleTypes(binder: Binder, of: BoundExpression): readonly number[] {
  const { type } = of
  const known = (type.kind === 'VERTEX' || type.kind === 'EDGE') && !hasNoType(of)
  return (known ? type.typeIds : null) ?? everyType(binder, of)
}

function everyType(binder: Binder, { type }: BoundExpression): readonly number[] {
  if (type.kind === 'VERTEX') return binder.schema.allVertexTypeIds()
  return type.kind === 'EDGE' ? binder.schema.allEdgeTypeIds() : []
}

/**
 * An alias of a pattern that cannot match, for want of an edge type: nothing is ever read of it,
 * and what is written about it is held against all types.
 */
function hasNoType({ type }: BoundExpression): boolean {
  return (type.kind === 'VERTEX' || type.kind === 'EDGE') && type.typeIds?.length === 0
}

export function aliasTargetOf(of: BoundExpression): AliasTarget | null {
  if (of.kind === 'vertexAlias') return { kind: 'vertex', position: of.position }
  return of.kind === 'edgeAlias' ? { kind: 'edge', hop: of.hop } : null
}

export function bindGlobalAccum(binder: Binder, node: Node<'globalAccum'>): BoundExpression {
  if (node.previous) {
    binder.fail(
      diagnosticCodes.misplaced,
      node.range,
      'only vertex accumulators have a previous value',
    )
  }
  return lowWord(readGlobal(binder, node))
}

/** An accumulator, and its value as a whole. */
export interface AccumRead {
  readonly accum: AccumType
  readonly value: BoundExpression
}

/** Null: an accumulator of edges. */
export function accumRead(
  binder: Binder,
  node: Node<'globalAccum'> | Node<'vertexAccum'>,
): AccumRead | null {
  if (node.kind === 'globalAccum') return readGlobal(binder, node)
  return edgeAccumNamed(binder, node.name.name) === null ? readVertex(binder, node) : null
}

/** Of more bits than an INT has, an expression sees the lowest 64. */
function lowWord({ accum, value }: AccumRead): BoundExpression {
  if (!isWideBits(accum) || !('lengthBits' in accum)) return value
  const last: BoundExpression = {
    kind: 'literal',
    type: INT,
    value: Math.ceil(accum.lengthBits / 64) - 1,
  }
  return { kind: 'method', type: INT, method: 'get', of: value, arguments: [last] }
}

function readGlobal(binder: Binder, node: Node<'globalAccum'>): AccumRead {
  const slot = binder.accumSlot(`@@${node.name}`, node.range)
  binder.clause?.globalsRead.add(slot)
  const accum = binder.globalAccums[slot]!.type
  return { accum, value: { kind: 'globalAccum', type: readTypeOf(accum), slot } }
}

export function bindVertexAccum(binder: Binder, node: Node<'vertexAccum'>): BoundExpression {
  return lowWord(readVertex(binder, node))
}

function readVertex(binder: Binder, node: Node<'vertexAccum'>): AccumRead {
  const { slot, of } = bindVertexAccumPlace(binder, node)
  const { clause } = binder
  if (node.previous) clause?.select.previous.add(slot)
  else clause?.vertexAccumsRead.add(slot)
  const accum = binder.vertexAccums[slot]!.type
  const { previous } = node
  return { accum, value: { kind: 'vertexAccum', type: readTypeOf(accum), slot, of, previous } }
}

/** Behind the `;` that ends a SELECT its aliases are unknown. */
function refuseOutsideSelect(binder: Binder, of: Expression): void {
  if (binder.clause !== null || of.kind !== 'name' || isKnown(binder, of.name)) return
  const message = `"${of.name}" is not declared here: the statements of ACCUM are separated by commas, and a ";" ends the SELECT`
  binder.fail(diagnosticCodes.undeclared, of.range, message)
}

function isKnown(binder: Binder, name: string): boolean {
  const isParameter = binder.parameters.some((parameter) => parameter.name === name)
  const isBroken = binder.brokenNames.has(name)
  return (
    isParameter || isBroken || binder.lookup(name) !== undefined || binder.vertexSetSlot(name) >= 0
  )
}

export function bindVertexAccumPlace(
  binder: Binder,
  node: Node<'vertexAccum'>,
): { readonly slot: number; readonly of: BoundExpression } {
  const slot = binder.accumSlot(`@${node.name.name}`, node.name.range)
  refuseOutsideSelect(binder, node.of)
  const of = binder.expression(node.of)
  if (of.type.kind !== 'VERTEX') {
    const text = typeText(of.type, (id) => binder.schema.nameOf(id))
    binder.fail(diagnosticCodes.typeMismatch, node.of.range, `${text} has no vertex accumulators`)
  }
  return { slot, of }
}
