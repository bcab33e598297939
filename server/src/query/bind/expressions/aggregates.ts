/** Aggregates over the rows of a SELECT: which accumulator computes each, and how it is read. */

import type { BoundFold } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumType, DOUBLE, INT, type ValueType } from '#query/ir/types.ts'
import { isCollection, isFloating, isNumeric } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { checkCount } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'
import { asArgument } from '../core/strict-types.ts'

const ROW_AGGREGATES = [
  ...(['count', 'sum', 'avg', 'min', 'max', 'stdev', 'stdevp', 'collect'] as const),
  'percentilecont',
] as const

export type RowAggregate = (typeof ROW_AGGREGATES)[number]

export interface Aggregate {
  readonly call: CallSyntax
  readonly name: RowAggregate
}

export function aggregateAt(node: Expression): Aggregate | null {
  if (node.kind !== 'call' || node.of !== null) return null
  const lower = node.name.name.toLowerCase()
  const name = ROW_AGGREGATES.find((candidate) => candidate === lower)
  return name === undefined ? null : { call: node, name }
}

/** A copy in which parts are exchanged: null leaves a part and looks into it. */
export function replaced(
  node: Expression,
  exchange: (part: Expression) => Expression | null,
): Expression {
  return walk(node, exchange) as Expression
}

function walk(node: unknown, exchange: (part: Expression) => Expression | null): unknown {
  if (Array.isArray(node)) return node.map((item) => walk(item, exchange))
  if (typeof node !== 'object' || node === null) return node
  const own = 'kind' in node ? exchange(node as Expression) : null
  if (own !== null) return own
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, walk(value, exchange)]),
  )
}

/** The function that makes a list of a set; no user can write it. */
export const AS_LIST = '#as list'

interface Call {
  readonly call: CallSyntax
  readonly name: RowAggregate
  /** The argument for one row; null: `count(*)`. */
  readonly value: BoundExpression | null
}

export interface AggregateInfo {
  readonly accum: AccumType
  readonly fold: BoundFold
  readonly read: (value: Expression) => Expression
}

export function aggregateInfo(binder: Binder, { call, name, value }: Call): AggregateInfo {
  checkCount(binder, call, { least: 0, most: name === 'percentilecont' ? 2 : 1 })
  if (binder.options.cypher && callsRandom(call.arguments)) {
    failArgument(binder, call, 'takes no random numbers: bind them by WITH first')
  }
  if (value === null) {
    if (name !== 'count') failArgument(binder, call, 'needs an argument')
    return counting()
  }
  if (name === 'count')
    return call.distinct ? collecting(value, { call, over: 'count' }) : counting()
  if (name === 'collect') {
    // A list of openCypher, GSQL's is a set.
    const isList = call.distinct && binder.options.cypher
    return collecting(value, { call, over: isList ? AS_LIST : null })
  }
  if (name === 'stdev' || name === 'stdevp' || name === 'percentilecont') {
    const real = asArgument(binder, value, { type: DOUBLE, range: call.range })
    return collecting(real, { call, over: name })
  }
  return folding(binder, { call, name, value })
}

/** An aggregate of openCypher is of constant expressions (openCypher 9, "Aggregation"). */
function callsRandom(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { kind, name } = node as { kind?: unknown; name?: { name?: unknown } }
  if (kind === 'call' && String(name?.name).toLowerCase() === 'rand') return true
  return Object.values(node).some(callsRandom)
}

function counting(): AggregateInfo {
  const one: BoundExpression = { kind: 'literal', type: INT, value: 1 }
  return {
    accum: { kind: 'SumAccum', value: INT },
    fold: { kind: 'scalar', value: one },
    read: (value) => value,
  }
}

/** Values are kept, and the aggregate is taken of the whole when rows are made. */
function collecting(
  value: BoundExpression,
  { call, over }: { readonly call: CallSyntax; readonly over: string | null },
): AggregateInfo {
  const kind = call.distinct ? 'SetAccum' : 'ListAccum'
  const read = (whole: Expression): Expression => {
    if (over === null) return whole
    const name = { ...call.name, name: over }
    return { ...call, name, distinct: false, arguments: [whole, ...call.arguments.slice(1)] }
  }
  return {
    accum: { kind, element: { kind: 'value', type: value.type } },
    fold: { kind: 'element', value },
    read,
  }
}

function folding(
  binder: Binder,
  { call, name, value }: Omit<Call, 'value'> & { readonly value: BoundExpression },
): AggregateInfo {
  const { type } = value
  if ((name === 'sum' || name === 'avg') && !isNumeric(type)) {
    failArgument(binder, call, 'needs numbers')
  }
  if (isCollection(type) || type.kind === 'MAP') {
    failArgument(binder, call, 'takes no collections; use ORDER BY … LIMIT 1 for lists')
  }
  if (call.distinct) {
    // The AVG of a collection of integers is an integer; that of rows is not.
    const whole = name === 'avg' ? convertTo(binder, value, DOUBLE, call.range) : value
    return collecting(whole, { call, over: name })
  }
  const read = (whole: Expression): Expression => whole
  if (name === 'avg') {
    const real = convertTo(binder, value, DOUBLE, call.range)
    return { accum: { kind: 'AvgAccum' }, fold: { kind: 'scalar', value: real }, read }
  }
  return { accum: accumOf(name, type), fold: { kind: 'scalar', value }, read }
}

function accumOf(name: RowAggregate, type: ValueType): AccumType {
  if (name === 'sum') return { kind: 'SumAccum', value: type }
  const kind = name === 'min' ? 'MinAccum' : 'MaxAccum'
  return isFloating(type) ? { kind, value: type, isOfRows: true } : { kind, value: type }
}

function failArgument(binder: Binder, call: CallSyntax, what: string): never {
  return binder.fail(diagnosticCodes.typeMismatch, call.range, `${call.name.name} ${what}`)
}

export function sameCall(call: CallSyntax, part: Expression): boolean {
  return part.kind === 'call' && sameText(call, part)
}

/** Equal up to where they stand. */
export function sameText(left: Expression, right: Expression): boolean {
  return textOf(left) === textOf(right)
}

function textOf(node: Expression): string {
  return JSON.stringify(node, (key, value: unknown) => (key === 'range' ? undefined : value))
}
