/**
 * What the main thread asks of the storage threads. A log group is one request however many commits
 * it holds.
 */
import type { LogPosition } from '../frame/frame.ts'
import type { SegmentManifest } from '../store.ts'
import type { Exchange } from '../thread/messages.ts'
import type { StoredDocument } from './document-table.ts'
import type { LogState, TrimResult } from './log-file.ts'
import type { LogBlock } from './log-reader.ts'
import type { BlobPiece } from './segment-file.ts'

interface DocumentName {
  readonly collection: string
  readonly key: string
}

export interface LogProtocol {
  readonly state: Exchange<null, LogState>
  readonly append: Exchange<{ readonly bytes: Uint8Array }, LogPosition>
  readonly read: Exchange<{ readonly sequence: number }, LogBlock>
  readonly trim: Exchange<{ readonly foldedSequence: number }, TrimResult>
  readonly shrink: Exchange<null, null>
  readonly putDocument: Exchange<DocumentName & { readonly bytes: Uint8Array }, null>
  readonly deleteDocument: Exchange<DocumentName, null>
  readonly getDocument: Exchange<DocumentName, { readonly bytes: Uint8Array | null }>
  readonly listDocuments: Exchange<{ readonly collection: string }, readonly StoredDocument[]>
  readonly close: Exchange<null, null>
}

export interface SegmentProtocol {
  readonly manifest: Exchange<null, SegmentManifest | null>
  readonly writePiece: Exchange<BlobPiece, null>
  readonly keepBlob: Exchange<{ readonly writer: number; readonly key: string }, null>
  readonly publish: Exchange<
    { readonly writer: number; readonly description: string; readonly foldedSequence: number },
    SegmentManifest
  >
  readonly abandon: Exchange<{ readonly writer: number }, null>
  readonly readBlob: Exchange<{ readonly key: string }, Uint8Array<SharedArrayBuffer>>
  readonly deleteGarbage: Exchange<null, boolean>
  readonly shrink: Exchange<null, boolean>
  readonly close: Exchange<null, null>
}

export type WorkerRole =
  | {
      readonly role: 'log'
      readonly path: string
      readonly endPath: string
      readonly pagesMax?: number | undefined
    }
  | { readonly role: 'segments'; readonly path: string; readonly pagesMax?: number | undefined }
