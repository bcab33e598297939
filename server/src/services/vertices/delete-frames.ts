/** Mutation frames that delete what a read has found, by its external keys. */
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { writeRowKey } from '#graph/mutate/row-key.ts'
import type { VertexTableView } from '#graph/view.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'

/** @param isPermanent their ids may never be inserted again */
export function* deleteVerticesFrame(
  table: VertexTableView,
  rows: ArrayLike<number>,
  isPermanent: boolean,
  scope: ReadScope,
): Sliced<Uint8Array> {
  const writer = new FrameWriter(0, 64 + rows.length * 16)
  writer.beginVertexDeletes(table.typeId, isPermanent)
  for (let index = 0; index < rows.length; index++) {
    if ((index & (ROWS_PER_LOOK - 1)) === ROWS_PER_LOOK - 1 && scope.isDue) yield
    writeRowKey(writer, table.ids, rows[index]!)
    writer.endEntry()
  }
  return writer.finish()
}

export function deleteTypeFrame(typeId: number, isPermanent: boolean): Uint8Array {
  const writer = new FrameWriter(0, 64)
  writer.deleteVertexType(typeId, isPermanent)
  return writer.finish()
}
