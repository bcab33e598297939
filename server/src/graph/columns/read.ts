/** Attribute values of a view, for any thread. Callers check the row against the table's counts. */
import type { AttributeValue, VectorType } from '#catalog/types.ts'
import type { ColumnView } from '#graph/view.ts'
import { textOfRange } from '../ids/read.ts'
import { heapLength, lengthSize } from '../memory/heap.ts'
import { decodeValue } from './encoded.ts'
import { pageShiftOf } from './kinds.ts'
import { hasVector } from './vectors.ts'

/** Where a row lies in `column.data`. */
export function positionOf(column: ColumnView, row: number): number {
  const pages = column.pages
  return pages === null ? row : (pages[row >>> 10]! << 10) | (row & 1023)
}

/** The value as the edges of the engine see it. */
export function valueAt(column: ColumnView, row: number): AttributeValue {
  switch (column.type.kind) {
    case 'INT':
    case 'UINT':
    case 'DATETIME':
      return integerAt(column, row)
    case 'FLOAT':
    case 'DOUBLE':
      return numberAt(column, row)
    case 'BOOL':
      return numberAt(column, row) !== 0
    case 'STRING':
      return stringAt(column, row)
    case 'VECTOR':
      return vectorAt(column, row)
    default:
      return decodeValue(column.type, bytesAt(column, row), column.tuples)
  }
}

/** Numeric types, DATETIME (epoch seconds) and BOOL (0, 1); rounds 64-bit values beyond 2^53. */
export function numberAt(column: ColumnView, row: number): number {
  const raw = column.data[positionOf(column, row)]!
  return typeof raw === 'bigint' ? Number(raw) : raw
}

/** The number as it is stored: a bigint in 64-bit columns. */
export function numberOrBigintAt(column: ColumnView, row: number): number | bigint {
  return column.data[positionOf(column, row)]!
}

/** INT, UINT and DATETIME, exact. */
export function bigintAt(column: ColumnView, row: number): bigint {
  return BigInt(column.data[positionOf(column, row)]!)
}

/** INT, UINT and DATETIME, exact: a number while it is a safe integer. */
export function integerAt(column: ColumnView, row: number): number | bigint {
  const raw = column.data[positionOf(column, row)]!
  if (typeof raw === 'number') return raw
  const narrow = Number(raw)
  return Number.isSafeInteger(narrow) ? narrow : raw
}

export function stringAt(column: ColumnView, row: number): string {
  const heap = column.heap!.bytes
  const offset = heapOffsetAt(column, row)
  const length = heapLength(heap, offset)
  const start = offset + lengthSize(length)
  return textOfRange(heap, start, start + length)
}

/** Where a STRING or encoded value begins in the heap, its LEB128 length first. */
export function heapOffsetAt(column: ColumnView, row: number): number {
  const raw = (column.data as Uint32Array)[positionOf(column, row)]!
  return column.heap!.offsets === null ? raw : column.heap!.offsets[raw]!
}

/** The bytes of a STRING (UTF-8) or an encoded value; none for an empty one. Do not keep. */
export function bytesAt(column: ColumnView, row: number): Uint8Array {
  const heap = column.heap!.bytes
  const offset = heapOffsetAt(column, row)
  const length = heapLength(heap, offset)
  const start = offset + lengthSize(length)
  return heap.subarray(start, start + length)
}

/** Where the vector of a row begins in `column.data`. */
export function vectorStart(column: ColumnView, row: number): number {
  const { dimension } = column.type as VectorType
  const { pages } = column
  if (pages === null) return row * dimension
  const shift = pageShiftOf(column.type)
  return ((pages[row >>> shift]! << shift) | (row & ((1 << shift) - 1))) * dimension
}

/** The numbers of a vector; an empty array where there is none. */
export function vectorAt(column: ColumnView, row: number): number[] {
  const { dimension } = column.type as VectorType
  const data = column.data as Float32Array
  const start = vectorStart(column, row)
  if (!hasVector(data, start, dimension)) return []
  // Adding 0 makes 0 of minus zero.
  return Array.from(data.subarray(start, start + dimension), (value) => value + 0)
}

export function columnOf(
  columns: readonly ColumnView[],
  attributeId: number,
): ColumnView | undefined {
  return columns.find((column) => column.attributeId === attributeId)
}
