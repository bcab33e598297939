/**
 * Which values of a column would not survive a wider type, over a view: looked for before a
 * conversion is made, and to tell what one would meet.
 */
import type { AttributeType } from '#catalog/types.ts'
import { isKept, keepsEveryValue } from '#catalog/widening.ts'
import type { BitsView, ColumnView } from '#graph/view.ts'
import { isSet } from '../memory/bits.ts'
import { numberOrBigintAt, valueAt } from './read.ts'

const ROWS_PER_PIECE = 4_096
/** Rows that are named. */
export const UNKEPT_ROWS_MAX = 10

export interface UnkeptValue {
  readonly row: number
  readonly value: number | bigint
}

export interface UnkeptValues {
  readonly count: number
  /** The first of them, in the order of the rows. */
  readonly first: readonly UnkeptValue[]
}

export interface ViewedRows {
  readonly rowCount: number
  readonly deleted: BitsView
}

const none: UnkeptValues = { count: 0, first: [] }

export function* unkeptValues(
  column: ColumnView,
  { rowCount, deleted }: ViewedRows,
  to: AttributeType,
): Generator<undefined, UnkeptValues> {
  const isWide = column.storage === 'int64' || column.storage === 'uint64'
  const isCollection = column.storage === 'offset'
  if (keepsEveryValue(column.type, to) || !(isWide || isCollection)) return none
  const first: UnkeptValue[] = []
  let count = 0
  for (let row = 0; row < rowCount; row++) {
    if (row % ROWS_PER_PIECE === 0) yield
    if (isSet(deleted, row)) continue
    const value = isCollection ? lostElement(column, row) : lostNumber(column, row, to)
    if (value === null) continue
    count += 1
    if (first.length < UNKEPT_ROWS_MAX) first.push({ row, value })
  }
  return { count, first }
}

function lostNumber(column: ColumnView, row: number, to: AttributeType): number | bigint | null {
  const value = numberOrBigintAt(column, row)
  return isKept(value, to) ? null : value
}

function lostElement(column: ColumnView, row: number): number | bigint | null {
  const values = valueAt(column, row) as readonly (number | bigint)[]
  return values.find((value) => !isKept(value, { kind: 'DOUBLE' })) ?? null
}
