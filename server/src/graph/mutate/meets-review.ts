/**
 * Whether a batch, however short, may cause a review of a dictionary that takes long, so that the batch must be
 * applied in slices. Batches are searched only while some dictionary may soon be due for a review.
 */
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { edgeRows } from './entry-rows.ts'
import { FrameCursor } from './frame-cursor.ts'
import { runKind } from './frame-format.ts'
import { vertexTableOf } from './target.ts'

export function meetsReview(frame: Uint8Array, tables: Tables): boolean {
  const isNear = (column: Column) => column.isReviewNear(frame.length)
  if (!tables.someColumn(isNear)) {
    // A column sets it again when its dictionary is near a review.
    tables.memory.meter.mayReview = false
    return false
  }
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    if (writtenBy(cursor, tables).some(isNear)) return true
  }
  return false
}

/** Columns of the present run; of vertices that are made all of them, since ids may be attributes. */
function writtenBy(cursor: FrameCursor, tables: Tables): readonly Column[] {
  const vertexColumns = (typeId: number) => vertexTableOf(tables, typeId).columns
  if (cursor.kind === runKind.upsertVertices) return vertexColumns(cursor.typeId)
  if (cursor.kind !== runKind.upsertEdges) return []
  const { columns, discriminators } = edgeRows(cursor, tables)
  const ends = [cursor.fromTypeId, cursor.toTypeId].flatMap(vertexColumns)
  return [...discriminators, ...columns, ...ends]
}
