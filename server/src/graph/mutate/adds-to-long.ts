/** Whether a batch, however short, adds to values so long that it must be applied in slices. */
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { edgeRows, vertexRows } from './entry-rows.ts'
import { FrameCursor } from './frame-cursor.ts'
import { fieldOp, runKind } from './frame-format.ts'

export function addsToLong(frame: Uint8Array, tables: Tables): boolean {
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    const isOfVertices = cursor.kind === runKind.upsertVertices
    const isOfEdges = cursor.kind === runKind.upsertEdges
    if ((isOfVertices || isOfEdges) && runAddsToLong(cursor, tables, isOfEdges)) return true
  }
  return false
}

function runAddsToLong(cursor: FrameCursor, tables: Tables, isOfEdges: boolean): boolean {
  const { columns, next } = isOfEdges ? edgeRows(cursor, tables) : vertexRows(cursor, tables)
  const ops = cursor.fieldOps.slice(-columns.length)
  const mayBeLong = columns.map(
    (column, index) => ops[index] === fieldOp.add && column.heapUse().byteCount > VALUE_PIECE_BYTES,
  )
  if (!mayBeLong.includes(true)) return false
  const isLong = (column: Column, row: number) => column.readBytes(row).length > VALUE_PIECE_BYTES
  for (let entry = 0; entry < cursor.count; entry++) {
    const row = next()
    if (row >= 0 && columns.some((column, index) => mayBeLong[index] && isLong(column, row))) {
      return true
    }
    for (const column of columns) cursor.skipValue(column.attribute.type)
  }
  return false
}
