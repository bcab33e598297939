/**
 * Types of operands and arguments in openCypher, which converts no value by itself (openCypher 9, "Expressions"): a
 * number is no condition, a condition no number, and a real number no integer. GSQL has the conversions of C++.
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, INT, type ValueType } from '#query/ir/types.ts'
import { isFloating, isInteger, isNumeric, typeText } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from './binder.ts'
import { convertTo } from './convert.ts'

/** Null is of any type. */
function isNull(value: BoundExpression): boolean {
  return value.kind === 'default' && value.isNull === true
}

/** A value as a condition. */
export function asCondition(
  binder: Binder,
  value: BoundExpression,
  range: SourceRange,
): BoundExpression {
  if (binder.options.cypher && isNumeric(value.type) && !isNull(value)) {
    return failType(binder, range, { what: 'a condition', wanted: 'BOOL', type: value.type })
  }
  return convertTo(binder, value, BOOL, range)
}

/** A value as an argument of a function that takes `type`. */
export function asArgument(
  binder: Binder,
  value: BoundExpression,
  { type, range }: { readonly type: ValueType; readonly range: SourceRange },
): BoundExpression {
  if (binder.options.cypher && !isNull(value) && loses(value.type, type)) {
    const wanted = isFloating(type) ? 'a number' : type.kind
    return failType(binder, range, { what: 'the argument', wanted, type: value.type })
  }
  return convertTo(binder, value, type, range)
}

function loses(from: ValueType, to: ValueType): boolean {
  if (isNumeric(from) && to.kind === 'BOOL') return true
  if (from.kind === 'BOOL' && isNumeric(to)) return true
  return isFloating(from) && isInteger(to)
}

/** The number of SKIP and LIMIT; GSQL truncates it, and a run refuses a negative one. */
export function bindRowCount(
  binder: Binder,
  node: Expression,
  clause: 'SKIP' | 'LIMIT',
): BoundExpression {
  const value = binder.expression(node)
  if (!binder.options.cypher) return convertTo(binder, value, INT, node.range)
  if (!isInteger(value.type)) {
    return failType(binder, node.range, { what: clause, wanted: 'INT', type: value.type })
  }
  if (value.kind === 'literal' && Number(value.value) < 0) {
    const message = `${clause} is negative: ${value.value}`
    return binder.fail(diagnosticCodes.badLiteral, node.range, message)
  }
  return convertTo(binder, value, INT, node.range)
}

/** Refuses a value behind IN that is no collection; in GSQL it stands for a set of itself. */
export function refuseOneForList(binder: Binder, value: BoundExpression, range: SourceRange): void {
  if (!binder.options.cypher || isNull(value)) return
  failType(binder, range, { what: 'what follows IN', wanted: 'a list', type: value.type })
}

interface Mismatch {
  readonly what: string
  readonly wanted: string
  readonly type: ValueType
}

export function failType(
  binder: Binder,
  range: SourceRange,
  { what, wanted, type }: Mismatch,
): never {
  const given = typeText(type, (id) => binder.schema.nameOf(id))
  const message = `${what} must be ${wanted}, not ${given}`
  return binder.fail(diagnosticCodes.typeMismatch, range, message)
}
