/**
 * `v.getAttr(name, "TYPE")` and the names of attributes that are values (docs/reference/gsql/select.md#types-chosen-at-run-time): written,
 * given by a parameter, or computed while the query runs.
 */

import type { BoundAttribute, BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { RunFailure } from '#query/ir/run-failure.ts'
import {
  BOOL,
  DATETIME,
  DOUBLE,
  FLOAT,
  INT,
  STRING,
  type TupleValueType,
  UINT,
  type ValueType,
} from '#query/ir/types.ts'
import { isCollection, typeText } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo, tryConvert } from '../core/convert.ts'
import { keptValue } from '../core/kept.ts'
import {
  attributeOver,
  attributesNamed,
  bindAttribute,
  possibleTypes,
  unifyAttributes,
} from '../core/names.ts'
import { failureNode } from '../core/run-failures.ts'
import type { AttributeInfo } from '../core/schema.ts'
import { isTypeParameter, typeArgument } from '../core/type-parameters.ts'

export type NameValue =
  /** A parameter whose argument is not known yet, or is empty: nothing is reached under it. */
  | { readonly kind: 'unknown' }
  /** `isArgument`: what is wrong with it, the caller did. */
  | { readonly kind: 'known'; readonly name: string; readonly isArgument: boolean }
  | { readonly kind: 'computed'; readonly value: BoundExpression }

export function nameValue(binder: Binder, node: Expression): NameValue {
  if (node.kind === 'string') return known(node.value, false)
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    return known(typeArgument(binder, node.name)?.[0] ?? '', true)
  }
  return { kind: 'computed', value: convertTo(binder, binder.expression(node), STRING, node.range) }
}

function known(name: string, isArgument: boolean): NameValue {
  return name === '' ? { kind: 'unknown' } : { kind: 'known', name, isArgument }
}

export function bindGetAttr(
  binder: Binder,
  node: CallSyntax,
  of: BoundExpression,
): BoundExpression {
  const [nameNode, typeNode, more] = node.arguments
  if (nameNode === undefined || typeNode === undefined || more !== undefined) {
    return binder.fail(diagnosticCodes.argumentCount, node.range, 'getAttr takes a name and a type')
  }
  const { value: type, unknown } = binder.withUnknown(() => wantedType(binder, typeNode))
  if (unknown !== null) return failureNode(binder, unknown, { type, of: [of] })
  const given = nameValue(binder, nameNode)
  if (given.kind === 'unknown') return standIn(type)
  if (given.kind === 'computed') return computedAttribute(binder, of, { name: given.value, type })
  const named = { name: given.name, range: nameNode.range }
  if (given.isArgument) return givenAttribute(binder, of, { ...named, type })
  return convertTo(binder, bindAttribute(binder, of, named), type, node.range)
}

function wantedType(binder: Binder, node: Expression): ValueType {
  const given = nameValue(binder, node)
  if (given.kind === 'unknown') return DOUBLE
  const text = given.kind === 'known' ? given.name : ''
  const type = attributeTypeNamed(binder, text)
  if (type !== null) return type
  if (given.kind === 'known' && given.isArgument) {
    const message = `"${text}" is no type of an attribute: "INT", "LIST<STRING>"`
    binder.unknownName(diagnosticCodes.badLiteral, node.range, message)
    return DOUBLE
  }
  const what = given.kind === 'known' ? `"${text}" is no type of an attribute` : 'expected a text'
  return binder.fail(diagnosticCodes.badLiteral, node.range, `${what}: "INT", "LIST<STRING>"`)
}

const SCALARS = new Map<string, ValueType>([
  ['INT', INT],
  ['UINT', UINT],
  ['FLOAT', FLOAT],
  ['DOUBLE', DOUBLE],
  ['BOOL', BOOL],
  ['STRING', STRING],
  ['DATETIME', DATETIME],
])

/** `INT`, `SET<STRING>`, `MAP<STRING, INT>`, `LIST<SomeTuple>`: the types that getAttr names. */
function attributeTypeNamed(binder: Binder, text: string): ValueType | null {
  const [, kind = '', inner = ''] = /^\s*(\w+)\s*(?:<(.*)>)?\s*$/s.exec(text) ?? []
  const elements = inner.split(',').map((name) => elementNamed(binder, name.trim()))
  const [first, second] = elements
  switch (kind.toUpperCase()) {
    case 'LIST':
    case 'SET': {
      if (first === undefined || first === null || elements.length !== 1) return null
      return { kind: kind.toUpperCase() as 'LIST' | 'SET', element: first }
    }
    case 'MAP': {
      const isPair = elements.length === 2 && first && second
      return isPair ? { kind: 'MAP', key: first, value: second } : null
    }
    default:
      return inner === '' ? elementNamed(binder, kind) : null
  }
}

function elementNamed(binder: Binder, name: string): ValueType | null {
  const tuple: TupleValueType | undefined = binder.tuples.get(name)
  return SCALARS.get(name.toUpperCase()) ?? tuple ?? null
}

/** A value of `type` that stands in until type arguments are known. */
export function standIn(type: ValueType): BoundExpression {
  if (isCollection(type) || type.kind === 'MAP' || type.kind === 'TUPLE') {
    return { kind: 'default', type }
  }
  if (type.kind === 'STRING') return { kind: 'literal', type, value: '' }
  return { kind: 'literal', type, value: type.kind === 'BOOL' ? false : 0 }
}

interface Wanted {
  readonly name: string
  readonly range: SourceRange
  readonly type: ValueType
}

/**
 * Queries that take name and type of an attribute as arguments read it in a branch for each type:
 * one that does not fit is an error of the branch, when that is reached.
 */
function givenAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, range, type }: Wanted,
): BoundExpression {
  const all = attributesNamed(binder, possibleTypes(binder, of), name)
  if (all.length === 0) {
    const error = runtimeError('GSQL-3000', `no attribute "${name}" here.`)
    return { kind: 'failure', type, error, of: [of] }
  }
  const found = all.filter((info) => fits(info, type))
  if (found.length === 0) return wrongType(binder, name, { type, of: [of] })
  const attribute = attributeOver(binder, of, { name, range, found })
  return tryConvert(attribute, type) ?? wrongType(binder, name, { type, of: [of] })
}

/** Each attribute under its name; vertices and edges that have none of it yield the default. */
function computedAttribute(
  binder: Binder,
  of: BoundExpression,
  { name, type }: { readonly name: BoundExpression; readonly type: ValueType },
): BoundExpression {
  const typeIds = possibleTypes(binder, of)
  const kept = keptValue(binder, name)
  const branches = binder.schema.attributeNames(typeIds).map((candidate) => {
    const found = attributesNamed(binder, typeIds, candidate).filter((info) => fits(info, type))
    return {
      condition: isText(kept(), candidate),
      value:
        plainAttribute(of, { name: candidate, found, type }) ??
        wrongType(binder, candidate, { type, of: [of] }),
    }
  })
  return { kind: 'case', type, branches, otherwise: failing('fail attribute', type, [kept()]) }
}

/** Without a need for certain types: the statement runs for all. */
function plainAttribute(
  of: BoundExpression,
  { name, found, type }: { name: string; found: readonly AttributeInfo[]; type: ValueType },
): BoundExpression | null {
  if (found.length === 0) return null
  const { type: own, infos } = unifyAttributes(found)
  const byType = infos.map(({ typeId, attributeId }) => ({ typeId, attributeId }))
  const attribute: BoundAttribute = { kind: 'attribute', type: own, of, name, byType }
  return tryConvert(attribute, type)
}

function fits(info: AttributeInfo, type: ValueType): boolean {
  return tryConvert({ kind: 'default', type: info.type }, type) !== null
}

export function isText(value: BoundExpression, text: string): BoundExpression {
  return { kind: 'compare', type: BOOL, operator: '==', left: value, right: textOf(text) }
}

function textOf(value: string): BoundExpression {
  return { kind: 'literal', type: STRING, value }
}

/** @param at what the attribute would have been, and of what */
export function wrongType(
  binder: Binder,
  name: string,
  at: { readonly type: ValueType; readonly of: readonly BoundExpression[] },
): BoundExpression {
  const wanted = typeText(at.type, (id) => binder.schema.nameOf(id))
  const error = runtimeError('GSQL-2601', `attribute "${name}" is no ${wanted}.`)
  return { kind: 'failure', ...at, error }
}

function runtimeError(contractCode: string, message: string): RunFailure {
  return { code: 'QUERY_RUNTIME', message: `Runtime Error: ${message}`, contractCode }
}

/** Ends the query where it is evaluated (`query/functions/failures.ts`). */
export function failing(
  name: 'fail attribute' | 'fail edge type' | 'fail update',
  type: ValueType,
  args: readonly BoundExpression[],
): BoundExpression {
  return { kind: 'call', type, name, arguments: args }
}
