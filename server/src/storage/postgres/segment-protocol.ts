/** What the main thread asks of the segment thread of a shared store. */
import type { StoredBlob } from '../segment/blob.ts'
import type { Exchange } from '../thread/messages.ts'
import type { StoreAddress } from './address.ts'

/** Counts of a blob on its way in. */
export interface BlobCounts {
  readonly partCount: number
  readonly sizeBytes: number
  readonly crc32: number
}

export interface SegmentProtocol {
  readonly writePiece: Exchange<
    { readonly number: number; readonly counts: BlobCounts; readonly bytes: Uint8Array },
    BlobCounts
  >
  readonly readBlob: Exchange<StoredBlob, Uint8Array<SharedArrayBuffer>>
  readonly close: Exchange<null, null>
}

export interface SegmentRole {
  readonly role: 'segments'
  readonly address: StoreAddress
  /** Of what is written: commits go on beside it. */
  readonly bytesPerSecondMax: number
  readonly [name: string]: unknown
}
