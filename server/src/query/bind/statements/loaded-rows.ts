/**
 * Rows of files that LOADACCUM folds (docs/reference/gsql/accumulators.md): one column per flattened field, and what a row
 * adds to the accumulator. In a GroupByAccum the columns of its keys come first, then those of
 * each of its accumulators.
 */
import type { BoundFold, LoadedShape } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import {
  type AccumType,
  BOOL,
  DOUBLE,
  INT,
  type TupleValueType,
  type ValueType,
} from '#query/ir/types.ts'

export interface LoadedRow {
  /** Of the columns. */
  readonly types: readonly ValueType[]
  readonly foldOf: (fields: readonly BoundExpression[]) => BoundFold
}

export function tupleOf(types: readonly ValueType[]): TupleValueType {
  return { kind: 'TUPLE', name: '', fields: types.map((type, i) => ({ name: `f${i}`, type })) }
}

/** A row of what a {@link LoadedShape} describes. */
export function shapedRow({ key, value, isTuple, isElement }: LoadedShape): LoadedRow {
  const foldOf = (fields: readonly BoundExpression[]): BoundFold => {
    const own = fields.slice(key.length, key.length + value.length)
    const whole: BoundExpression = isTuple
      ? { kind: 'tuple', type: tupleOf(value), fields: own }
      : own[0]!
    const last: BoundFold = { kind: isElement ? 'element' : 'scalar', value: whole }
    return key.reduceRight<BoundFold>(
      (inner, _type, i) => ({ kind: 'pair', key: fields[i]!, value: inner }),
      last,
    )
  }
  return { types: [...key, ...value], foldOf }
}

/** @param shapeOf the shape of a row of a List, Set, Bag, Map or Heap; null: of none of them */
export function groupRow(
  accum: AccumType,
  shapeOf: (accum: AccumType) => LoadedShape | null,
): LoadedRow | null {
  if (accum.kind !== 'GroupByAccum') return null
  const keys = accum.keys.map(({ type }) => shapeOf(listOf(type)))
  const values = accum.values.map((value) => valueRow(value.accum, shapeOf))
  const known = values.filter((row) => row !== null)
  if (keys.includes(null) || known.length < values.length) return null
  const types = [...accum.keys.map(({ type }) => type), ...known.flatMap((row) => row.types)]
  const foldOf = (fields: readonly BoundExpression[]): BoundFold => {
    let next = keys.length
    const folds = known.map((row) => {
      const own = fields.slice(next, next + row.types.length)
      next += row.types.length
      return row.foldOf(own)
    })
    return { kind: 'group', keys: fields.slice(0, keys.length), values: folds }
  }
  return { types, foldOf }
}

function valueRow(
  accum: AccumType,
  shapeOf: (accum: AccumType) => LoadedShape | null,
): LoadedRow | null {
  const scalar = scalarType(accum)
  if (scalar !== null) {
    const isSimple = shapeOf(listOf(scalar)) !== null
    const isOne = isSimple && scalar.kind !== 'TUPLE'
    return isOne
      ? { types: [scalar], foldOf: ([value]) => ({ kind: 'scalar', value: value! }) }
      : null
  }
  const shape = shapeOf(accum)
  return shape === null ? null : shapedRow(shape)
}

function scalarType(accum: AccumType): ValueType | null {
  switch (accum.kind) {
    case 'SumAccum':
    case 'MinAccum':
    case 'MaxAccum':
      return accum.value
    case 'AvgAccum':
      return DOUBLE
    case 'OrAccum':
    case 'AndAccum':
      return BOOL
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      return INT
    default:
      return null
  }
}

/** A list of what a column holds takes whatever a column can. */
function listOf(type: ValueType): AccumType {
  return { kind: 'ListAccum', element: { kind: 'value', type } }
}
