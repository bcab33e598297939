/** Mutation frames that delete what a read has found, by its external keys. */
import { idNumber } from '#graph/ids/read.ts'
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import type { IdsView, VertexTableView } from '#graph/view.ts'

/** @param isPermanent their ids may never be inserted again */
export function deleteVerticesFrame(
  table: VertexTableView,
  rows: ArrayLike<number>,
  isPermanent: boolean,
): Uint8Array {
  const writer = new FrameWriter(0, 64 + rows.length * 16)
  writer.beginVertexDeletes(table.typeId, isPermanent)
  for (let index = 0; index < rows.length; index++) {
    writeKey(writer, table.ids, rows[index]!)
    writer.endEntry()
  }
  return writer.finish()
}

export function deleteTypeFrame(typeId: number, isPermanent: boolean): Uint8Array {
  const writer = new FrameWriter(0, 64)
  writer.deleteVertexType(typeId, isPermanent)
  return writer.finish()
}

/** The key of a row, as it stands in frames. */
export function writeKey(writer: FrameWriter, ids: IdsView, row: number): void {
  if (ids.offsets !== null && ids.bytes !== null) {
    writer.stringKey(ids.bytes, ids.offsets[row]!, ids.offsets[row + 1]!)
  } else {
    writer.bigintKey(BigInt.asIntN(64, BigInt(idNumber(ids, row))))
  }
}
