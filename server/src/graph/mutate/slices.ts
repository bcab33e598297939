/** Which batches are applied in slices, behind a version that readers see meanwhile. */
import { SINGLE_SLICE_BYTES } from '#kernel/limits.ts'
import type { Tables } from '../tables/tables.ts'
import { addsToLong } from './adds-to-long.ts'
import { deletesMany } from './delete-vertices.ts'
import { meetsReview } from './meets-review.ts'
import { widensLong } from './widens-long.ts'

export interface Batch {
  readonly payload: Uint8Array
  /** Whatever its size. */
  readonly isLong: boolean
  readonly hasVertexDeletes: boolean
  readonly hasAdditions: boolean
}

export function needsSlices(batch: Batch, tables: Tables): boolean {
  const { payload, isLong, hasVertexDeletes, hasAdditions } = batch
  if (isLong || payload.length > SINGLE_SLICE_BYTES) return true
  if (hasAdditions && tables.memory.meter.mayHoldLong === true && addsToLong(payload, tables)) {
    return true
  }
  const { meter } = tables.memory
  if (meter.mayWidenLong === true && widensLong(payload, tables)) return true
  if (meter.mayReview === true && meetsReview(payload, tables)) return true
  return hasVertexDeletes && deletesMany(payload, tables)
}

/** The deadline of what is done in one go. */
export function never(): boolean {
  return false
}
