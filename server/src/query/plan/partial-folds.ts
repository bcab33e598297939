/**
 * `@@map += (key -> value)` and `@@groups += (k1, k2 -> v1, v2)` in loops of several threads: each
 * segment folds into a map of its own, and those are folded into the accumulator in the order of the
 * segments. So keys stand where one thread would have put them. Only values whose order does not
 * count: then no sum differs, however the segments lie.
 */
import type { BoundAccum, BoundFold, BoundQuery } from '#query/bind/bound.ts'
import type { BoundExpression } from '#query/bind/bound-expression.ts'
import type { BoundDmlStatement } from '#query/bind/bound-select.ts'
import { type AccumType, isWideBits, type ValueType } from '#query/bind/types.ts'

type Update = Extract<BoundDmlStatement, { kind: 'updateAccum' }>

/** Whether a statement folds one entry into a global map or group that may be made in parts. */
export function isPartialFold({ target, value, assign }: Update, query: BoundQuery): boolean {
  if (assign || target.kind !== 'globalAccum') return false
  if (value.kind !== 'pair' && value.kind !== 'group') return false
  if (value.kind === 'pair' && value.assign === true) return false
  return hasPlainEntries(query.globalAccums[target.slot]!)
}

function hasPlainEntries({ type }: BoundAccum): boolean {
  if (type.kind === 'GroupByAccum') {
    return (
      type.keys.every((key) => isKey(key.type)) && type.values.every(({ accum }) => isFree(accum))
    )
  }
  if (type.kind !== 'MapAccum' || !isKey(type.key)) return false
  const { value } = type
  return value.kind === 'accum' ? isFree(value.accum) : isInteger(value.type)
}

const keyKinds = new Set(['INT', 'UINT', 'BOOL', 'DATETIME', 'VERTEX'])

/** Numbers that mean the same in every thread; codes of texts do not. */
function isKey({ kind }: ValueType): boolean {
  return keyKinds.has(kind)
}

function isInteger({ kind }: ValueType): boolean {
  return kind === 'INT' || kind === 'UINT'
}

/** Of whole numbers: what is folded in parts is what is folded in any order. */
function isFree(type: AccumType): boolean {
  switch (type.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return isInteger(type.value) || (type.kind !== 'SumAccum' && isKey(type.value))
    case 'OrAccum':
    case 'AndAccum':
      return true
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      return !isWideBits(type)
    default:
      return false
  }
}

/** The expressions of such a fold; null: one part of it is a collection. */
export function valuesOf(fold: BoundFold): readonly BoundExpression[] | null {
  const folds = fold.kind === 'group' ? fold.values : fold.kind === 'pair' ? [fold.value] : null
  if (folds === null) return null
  const keys = fold.kind === 'group' ? fold.keys : fold.kind === 'pair' ? [fold.key] : []
  const values = folds.filter((one) => one !== null)
  if (values.some(({ kind }) => kind !== 'scalar')) return null
  return [...keys, ...values.flatMap((one) => (one.kind === 'scalar' ? [one.value] : []))]
}

/** The global accumulators that the statements of a clause fold into so, at any depth. */
export function partialSlots(
  body: readonly BoundDmlStatement[],
  query: BoundQuery,
): ReadonlySet<number> {
  return new Set(body.flatMap((statement) => slotsOf(statement, query)))
}

function slotsOf(statement: BoundDmlStatement, query: BoundQuery): number[] {
  if (statement.kind === 'if') {
    const bodies = [...statement.branches.map(({ body }) => body), statement.otherwise]
    return bodies.flat().flatMap((inner) => slotsOf(inner, query))
  }
  if (statement.kind !== 'updateAccum' || !isPartialFold(statement, query)) return []
  return statement.target.kind === 'globalAccum' ? [statement.target.slot] : []
}
