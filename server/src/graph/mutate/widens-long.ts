/**
 * Whether a batch, however short, holds a number for which a column of many rows has to be widened, so that
 * it must be applied in slices. Asked only while there is a column of so many rows that could be
 * widened; of a batch, runs that do not write to such a column are passed over.
 */
import { fieldNumberAt } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { type EntryRows, edgeRows, vertexRows } from './entry-rows.ts'
import { mergedInteger } from './fields.ts'
import { FrameCursor } from './frame-cursor.ts'
import { fieldOp, runKind } from './frame-format.ts'
import { vertexTableOf } from './target.ts'
import { WideKeys } from './wide-keys.ts'

export function widensLong(frame: Uint8Array, tables: Tables): boolean {
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    const isOfVertices = cursor.kind === runKind.upsertVertices
    if (!isOfVertices && cursor.kind !== runKind.upsertEdges) continue
    const endIds = isOfVertices ? [cursor.typeId] : [cursor.fromTypeId, cursor.toTypeId]
    const rows = isOfVertices ? vertexRows(cursor, tables) : edgeRows(cursor, tables)
    const keys = WideKeys.of({
      cursor,
      tables: endIds.map((id) => vertexTableOf(tables, id)),
      discriminators: rows.discriminators,
    })
    if (runWidens(cursor, rows, keys)) return true
  }
  return false
}

function runWidens(cursor: FrameCursor, rows: EntryRows, keys: WideKeys | null): boolean {
  const { columns, discriminators } = rows
  if (keys === null && !columns.some((column) => column.mayWidenLong)) return false
  const ops = columns.map((_column, index) => cursor.fieldOps[discriminators.length + index]!)
  for (let entry = 0; entry < cursor.count; entry++) {
    if (keys !== null && keys.find().length > 0) return true
    rows.readKeys()
    for (const [index, column] of columns.entries()) {
      if (column.mayWidenLong && isWide(column, ops[index]!, cursor, rows)) return true
      cursor.skipValue(column.attribute.type)
    }
  }
  return false
}

/** Of the value at the cursor. Only a sum may be wider than both of its numbers. */
function isWide(column: Column, op: number, cursor: FrameCursor, rows: EntryRows): boolean {
  const { bytes, view, at } = cursor
  const value = fieldNumberAt(column, { bytes, view, start: at, end: at }, at)
  if (column.widensLong(value)) return true
  const row = op === fieldOp.add ? rows.find() : -1
  return row >= 0 && column.widensLong(mergedInteger(column, row, op, value)!)
}
