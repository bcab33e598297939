/** The rows of a pinned column in another order, in a new array. */
import type { ColumnArray, ColumnView } from '#graph/view.ts'
import { arrayKindOf } from '../columns/kinds.ts'
import { positionOf, vectorStart } from '../columns/read.ts'
import { type ArrayKind, growableArray } from '../memory/growable.ts'

/** One loop per array kind would be faster still; the copy is a small part of a rebuild. */
export function permuteColumn(column: ColumnView, rows: Uint32Array): ColumnArray {
  if (column.type.kind === 'VECTOR') return permuteVectors(column, rows, column.type.dimension)
  const kind: ArrayKind = arrayKindOf(column.storage)
  const target = growableArray(kind, rows.length)
  const source = column.data
  if (target instanceof BigInt64Array || target instanceof BigUint64Array) {
    const wide = source as BigInt64Array
    for (let i = 0; i < rows.length; i++) target[i] = wide[positionOf(column, rows[i]!)]!
    return target
  }
  const narrow = source as Exclude<ColumnArray, BigInt64Array | BigUint64Array>
  if (column.pages === null) {
    for (let i = 0; i < rows.length; i++) target[i] = narrow[rows[i]!]!
  } else {
    for (let i = 0; i < rows.length; i++) target[i] = narrow[positionOf(column, rows[i]!)]!
  }
  return target
}

function permuteVectors(column: ColumnView, rows: Uint32Array, dimension: number): ColumnArray {
  const target = growableArray('float32', rows.length * dimension)
  const source = column.data as Float32Array
  for (let i = 0; i < rows.length; i++) {
    const start = vectorStart(column, rows[i]!)
    target.set(source.subarray(start, start + dimension), i * dimension)
  }
  return target
}
