/** Explicit conversions: literals are folded, other values get a `convert` node. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { TupleValueType, ValueType } from '#query/ir/types.ts'
import { isCollection, isInteger, isNumeric, sameType, typeText } from '#query/ir/value-types.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from './binder.ts'

/** @throws BindFailure TYP-9001 when no conversion exists. */
export function convertTo(
  binder: Binder,
  value: BoundExpression,
  target: ValueType,
  range: SourceRange,
): BoundExpression {
  const converted = tryConvert(value, target)
  if (converted !== null) return converted
  const nameOf = (id: number) => binder.schema.nameOf(id)
  const [from, to] = [typeText(value.type, nameOf), typeText(target, nameOf)]
  return binder.fail(diagnosticCodes.typeMismatch, range, `cannot use ${from} as ${to}`)
}

export function tryConvert(value: BoundExpression, target: ValueType): BoundExpression | null {
  if (value.kind === 'default' && value.isNull === true) return { kind: 'default', type: target }
  if (value.kind === 'collection' && isCollection(target)) return convertElements(value, target)
  if (value.kind === 'map' && target.kind === 'MAP') return convertEntries(value, target)
  if (value.kind === 'tuple' && target.kind === 'TUPLE') return convertFields(value, target)
  if (value.type.kind === 'VERTEX' && target.kind === 'VERTEX') return value
  if (sameType(value.type, target)) return value
  if (value.kind === 'literal') return convertLiteral(value, target)
  return isConvertible(value.type, target) ? { kind: 'convert', type: target, value } : null
}

function isConvertible(from: ValueType, to: ValueType): boolean {
  if (isNumeric(from)) return isNumeric(to) || to.kind === 'BOOL'
  if (from.kind === 'BOOL') return isNumeric(to)
  if (from.kind === 'HEAP') return isCollection(to) && sameType(from.element, to.element)
  return isCollection(from) && isCollection(to) && isElementConvertible(from.element, to.element)
}

function isElementConvertible(from: ValueType, to: ValueType): boolean {
  return sameType(from, to) || (isNumeric(from) && isNumeric(to))
}

type Literal = Extract<BoundExpression, { kind: 'literal' }>

function convertLiteral(literal: Literal, target: ValueType): BoundExpression | null {
  const { value, type } = literal
  if (typeof value === 'boolean' && isNumeric(target)) {
    return { kind: 'literal', type: target, value: value ? 1 : 0 }
  }
  const numeric = typeof value === 'number' || typeof value === 'bigint'
  if (!numeric || !isNumeric(type)) return null
  if (target.kind === 'BOOL') return { kind: 'literal', type: target, value: Number(value) !== 0 }
  if (!isNumeric(target)) return null
  if (isInteger(target)) return foldInteger(literal, target)
  const real = target.kind === 'FLOAT' ? Math.fround(Number(value)) : Number(value)
  return { kind: 'literal', type: target, value: real }
}

/** Negative INT to UINT wraps, reals are cut: both are left to the runtime's conversion. */
function foldInteger(literal: Literal, target: ValueType): BoundExpression {
  const whole = isInteger(literal.type) && Number(literal.value) >= 0
  return whole ? { ...literal, type: target } : { kind: 'convert', type: target, value: literal }
}

function convertElements(
  value: Extract<BoundExpression, { kind: 'collection' }>,
  target: Extract<ValueType, { element: ValueType }>,
): BoundExpression | null {
  const elements = value.elements.map((element) => tryConvert(element, target.element))
  const complete = elements.filter((element) => element !== null)
  return complete.length === elements.length ? { ...value, type: target, elements: complete } : null
}

function convertEntries(
  value: Extract<BoundExpression, { kind: 'map' }>,
  target: Extract<ValueType, { kind: 'MAP' }>,
): BoundExpression | null {
  const entries: { key: BoundExpression; value: BoundExpression }[] = []
  for (const entry of value.entries) {
    const key = tryConvert(entry.key, target.key)
    const inner = tryConvert(entry.value, target.value)
    if (key === null || inner === null) return null
    entries.push({ key, value: inner })
  }
  return { ...value, type: target, entries }
}

function convertFields(
  value: Extract<BoundExpression, { kind: 'tuple' }>,
  target: TupleValueType,
): BoundExpression | null {
  if (value.fields.length !== target.fields.length) return null
  const fields = value.fields.map((field, index) => tryConvert(field, target.fields[index]!.type))
  const complete = fields.filter((field) => field !== null)
  return complete.length === fields.length ? { ...value, type: target, fields: complete } : null
}
