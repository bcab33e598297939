/**
 * Whether a batch, however short, holds a number for which a column of many rows has to be widened, so that
 * it must be applied in slices. Batches are searched only while there is a column of so many rows that could be
 * widened. Runs that do not write to such a column are skipped.
 */
import { fieldNumberAt } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import { isSmallAt } from '../columns/widening.ts'
import type { Tables } from '../tables/tables.ts'
import { type EntryRows, edgeRows, vertexRows } from './entry-rows.ts'
import { mergedInteger } from './fields.ts'
import { FrameCursor } from './frame-cursor.ts'
import { fieldOp, runKind } from './frame-format.ts'
import { numbersOf } from './small-numbers.ts'
import { vertexTableOf } from './target.ts'
import { WideKeys } from './wide-keys.ts'

export function widensLong(frame: Uint8Array, tables: Tables): boolean {
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    const isOfVertices = cursor.kind === runKind.upsertVertices
    if (!isOfVertices && cursor.kind !== runKind.upsertEdges) continue
    if (numbersOf(cursor, tables) !== 'wide') continue
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
  const mayWiden = columns.map((column) => column.mayWidenLong)
  if (keys === null && !mayWiden.includes(true)) return false
  const ops = columns.map((_column, index) => cursor.fieldOps[discriminators.length + index]!)
  const { bytes, view } = cursor
  const key = { bytes, view, start: 0, end: 0 }
  const isWideAt = (index: number) => {
    const column = columns[index]!
    const op = ops[index]!
    if (op !== fieldOp.add && isSmallAt(view, cursor.at)) return false
    return isWide(column, op, fieldNumberAt(column, key, cursor.at), rows)
  }
  for (let entry = 0; entry < cursor.count; entry++) {
    if (keys?.isNextWide() === true) return true
    rows.readKeys()
    for (let index = 0; index < columns.length; index++) {
      if (mayWiden[index] && isWideAt(index)) return true
      cursor.skipValue(columns[index]!.attribute.type)
    }
  }
  return false
}

/** Only a sum may be wider than both of its numbers. */
function isWide(column: Column, op: number, value: number | bigint, rows: EntryRows): boolean {
  if (column.widensLong(value)) return true
  const row = op === fieldOp.add ? rows.find() : -1
  return row >= 0 && column.widensLong(mergedInteger(column, row, op, value)!)
}
