/** The key of an existing row, as frames carry it. */
import { idNumber } from '../ids/read.ts'
import type { IdsView } from '../view.ts'
import type { FrameWriter } from './frame-writer.ts'

export function writeRowKey(writer: FrameWriter, ids: IdsView, row: number): void {
  if (ids.offsets !== null && ids.bytes !== null) {
    writer.stringKey(ids.bytes, ids.offsets[row]!, ids.offsets[row + 1]!)
  } else {
    writer.bigintKey(BigInt.asIntN(64, BigInt(idNumber(ids, row))))
  }
}
