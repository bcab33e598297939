/** What the main thread asks of the segment thread of a shared store. */
import type { ReadBlob, StoredBlob } from '../segment/blob.ts'
import type { Exchange } from '../thread/messages.ts'
import type { StoreAddress } from './address.ts'

/** Counts of a blob on its way in. */
export interface BlobCounts {
  readonly partCount: number
  readonly sizeBytes: number
  readonly crc32: number
}

/** Some parts of a blob, for one of two threads that read it. */
export interface BlobShare {
  readonly blob: StoredBlob
  /** Of all parts. */
  readonly whole: Uint8Array<SharedArrayBuffer>
  readonly firstPart: number
  /** The first one that is left to others; null: none is. */
  readonly endPart: number | null
}

/** Where it began and ended: of the stored bytes before, and with it. */
export interface ReadShare {
  readonly before: ReadBlob
  readonly end: ReadBlob
}

export interface NewMemory {
  readonly buffer: SharedArrayBuffer
  readonly start: number
  readonly end: number
}

export interface SegmentProtocol {
  readonly writePiece: Exchange<
    { readonly number: number; readonly counts: BlobCounts; readonly bytes: Uint8Array },
    BlobCounts
  >
  readonly readBlob: Exchange<StoredBlob, Uint8Array<SharedArrayBuffer>>
  readonly readShare: Exchange<BlobShare, ReadShare>
  /** Writes the pages of new memory first. */
  readonly writeFirst: Exchange<NewMemory, null>
  /** Looks at the log until a group is behind that one, for a while. @returns whether one is */
  readonly watch: Exchange<{ readonly first: number }, boolean>
  readonly close: Exchange<null, null>
}

export interface SegmentRole {
  readonly role: 'segments'
  readonly address: StoreAddress
  /** Of what is written: commits go on beside it. */
  readonly bytesPerSecondMax: number
  readonly [name: string]: unknown
}
