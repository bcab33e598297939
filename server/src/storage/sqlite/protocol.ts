/**
 * What the main thread asks of the storage threads. One message each way per request; a log group
 * is one request however many commits it holds. A `Uint8Array` named `bytes` at the top of a
 * message is handed over, not copied, unless it is shared memory, which never is.
 */
import type { ErrorCode } from '#kernel/errors.ts'
import type { LogPosition } from '../frame/frame.ts'
import type { SegmentManifest } from '../store.ts'
import type { StoredDocument } from './document-table.ts'
import type { LogState, TrimResult } from './log-file.ts'
import type { LogBlock } from './log-reader.ts'
import type { BlobPiece } from './segment-file.ts'

interface Exchange<Input, Output> {
  readonly input: Input
  readonly output: Output
}

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

export interface BackupProtocol {
  readonly backup: Exchange<{ readonly directory: string; readonly target: string }, null>
}

/** Any of the protocols: names of requests with what goes in and comes out. */
export type Protocol<P> = { readonly [K in keyof P]: Exchange<unknown, unknown> }

export type Handlers<P extends Protocol<P>> = {
  readonly [K in keyof P]: (input: P[K]['input']) => P[K]['output']
}

export type WorkerRole =
  | {
      readonly role: 'log'
      readonly path: string
      readonly endPath: string
      readonly pagesMax?: number | undefined
    }
  | { readonly role: 'segments'; readonly path: string; readonly pagesMax?: number | undefined }
  | { readonly role: 'backup' }

export interface Request {
  readonly id: number
  readonly kind: string
  readonly input: unknown
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }
  /** A failure of a checkpoint after its answer, or of a request that could not be read. */
  | { readonly id: null; readonly isRequestLost: boolean; readonly failure: Failure }

/** An error as it crosses threads; without a code it is an assertion. */
export interface Failure {
  readonly code: ErrorCode | null
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What of a message is handed over instead of copied. */
export function transferables(message: unknown): ArrayBuffer[] {
  if (typeof message !== 'object' || message === null || !('bytes' in message)) return []
  const { bytes } = message
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return []
  return bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}
