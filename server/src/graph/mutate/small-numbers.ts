/**
 * A first look through a run: has every number that could widen a column of many rows room in any column? Nearly
 * always it has. Nothing is looked up or made for an entry; what this cannot say, the caller finds out.
 */
import { valueKind } from '../columns/kinds.ts'
import { isSmallAt } from '../columns/widening.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { adjacencyOf } from './apply-edges.ts'
import type { Field } from './fields.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { fieldOp, runKind } from './frame-format.ts'
import { fieldsOf, vertexTableOf } from './target.ts'

const NUMBER_SIZE_BYTES = 8
/** The value has a variable size; its length precedes it. */
const VARIABLE = 0

/** `wide`: some number is larger, or may lead to a larger one. `none`: no column could be widened. */
export type NumbersOfRun = 'none' | 'small' | 'wide'

/** Of a run of upserts; the cursor stays in front of its first entry. */
export function numbersOf(cursor: FrameCursor, tables: Tables): NumbersOfRun {
  const isOfVertices = cursor.kind === runKind.upsertVertices
  const ends = isOfVertices
    ? [vertexTableOf(tables, cursor.typeId)]
    : [vertexTableOf(tables, cursor.fromTypeId), vertexTableOf(tables, cursor.toTypeId)]
  const columns = isOfVertices ? ends[0]!.columns : adjacencyOf(cursor, tables).adjacency.columns
  const fields = fieldsOf(cursor, columns)
  const isKeyWatched = ends.some((table) => table.mayKeyWidenLong)
  if (!isKeyWatched && !fields.some(isWatched)) return 'none'
  // Parts of a text and sums have to be worked out.
  if (ends.some((table) => table.mayKeyWidenLong && !table.isNumericId)) return 'wide'
  if (fields.some((field) => isWatched(field) && field.op === fieldOp.add)) return 'wide'
  const start = cursor.at
  const isSmall = areSmall(cursor, ends, fields)
  cursor.at = start
  return isSmall ? 'small' : 'wide'
}

function isWatched({ column }: Field): boolean {
  return column.mayWidenLong
}

function areSmall(
  cursor: FrameCursor,
  ends: readonly VertexTable[],
  fields: readonly Field[],
): boolean {
  const keys = ends.map(({ isNumericId, mayKeyWidenLong }) => ({ isNumericId, mayKeyWidenLong }))
  const values = fields.map((field) => ({ size: sizeOf(field), isWatched: isWatched(field) }))
  for (let entry = 0; entry < cursor.count; entry++) {
    for (let position = 0; position < keys.length; position++) {
      if (!isKeySmall(cursor, keys[position]!)) return false
    }
    for (let index = 0; index < values.length; index++) {
      if (!isValueSmall(cursor, values[index]!)) return false
    }
  }
  return true
}

function isKeySmall(
  cursor: FrameCursor,
  { isNumericId, mayKeyWidenLong }: Pick<VertexTable, 'isNumericId' | 'mayKeyWidenLong'>,
): boolean {
  const head = cursor.varint()
  // The key of the entry before has been looked at.
  if (head === 0) return true
  cursor.skip(isNumericId ? NUMBER_SIZE_BYTES : head - 1)
  return !mayKeyWidenLong || isSmallAt(cursor.view, cursor.at - NUMBER_SIZE_BYTES)
}

function isValueSmall(
  cursor: FrameCursor,
  { size, isWatched }: { readonly size: number; readonly isWatched: boolean },
): boolean {
  cursor.skip(size === VARIABLE ? cursor.varint() : size)
  return !isWatched || isSmallAt(cursor.view, cursor.at - NUMBER_SIZE_BYTES)
}

function sizeOf({ column }: Field): number {
  switch (column.kind) {
    case valueKind.bool:
      return 1
    case valueKind.float:
      return 4
    case valueKind.int:
    case valueKind.uint:
    case valueKind.datetime:
    case valueKind.double:
      return NUMBER_SIZE_BYTES
    default:
      return VARIABLE
  }
}
