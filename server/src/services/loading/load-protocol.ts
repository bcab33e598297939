/**
 * What the main thread and a thread for loading send each other, and the words that both see. A later
 * loader that hands over typed columns instead of payloads takes the place of `payload` here.
 */
import type { Catalog } from '#catalog/types.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { LoadingJobSyntax } from '#query/syntax/script/ast-script.ts'
import type { EdgePath } from '../edges/edge-path.ts'
import type { PayloadOptions, ReadPayload } from '../upsert/made-payload.ts'
import type { MadePayload } from '../upsert/upsert-flags.ts'
import type { LoadError } from './load-errors.ts'
import type { ErrorLimits } from './load-limits.ts'
import type { SourceReport } from './load-report.ts'
import type { Sample, SampleFormat } from './sample.ts'

/** Up to this line of an input, inclusive. */
export interface LinePosition {
  /** Files by their number, in the order in which they are read; behind them the tables that are read. */
  readonly input: number
  /** Counted from 1, a header too; of a table its row. */
  readonly line: number
}

/** What of a statement is in the graph. */
export interface AppliedPosition extends LinePosition {
  /** Vertices that its edges have made as their ends. */
  readonly createdEnds: number
}

/** What a file variable or a path stands for. */
export interface LoadFile {
  /** The variable, or the path, that the statements name. */
  readonly source: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly from:
    | {
        readonly kind: 'path'
        readonly path: string
        readonly isPacked: boolean
        /** As the request named it. */
        readonly wanted: string
      }
    | { readonly kind: 'text'; readonly text: string }
    /** UTF-8 in shared memory. */
    | { readonly kind: 'bytes'; readonly bytes: Uint8Array<SharedArrayBuffer> }
}

/** One stretch of a run: from its beginning, or from where it was paused, to its end or the next pause. */
export interface LoadTask {
  readonly kind: 'load'
  readonly catalog: Catalog
  readonly graph: string
  readonly job: LoadingJobSyntax
  /** Instead of what the job says. */
  readonly separator: string | undefined
  readonly eol: string | undefined
  readonly files: readonly LoadFile[]
  readonly lines: { readonly from: number; readonly to: number } | null
  readonly isDryRun: boolean
  readonly errorLimits: ErrorLimits
  /** What earlier stretches have read and made. */
  readonly earlier: readonly SourceReport[]
  /** Where to begin; null: at the beginning. */
  readonly from: LinePosition | null
  /** By statement: what is in the graph already. Lines up to it are counted and not sent. */
  readonly applied: ReadonlyMap<number, LinePosition>
  /** The wall clock, for functions that tell the time. */
  readonly nowMs: number
  /** How often a mark is wanted; null: never. */
  readonly markEveryMs: number | null
  readonly heapLimitBytes: number
  /** Of `loadWord`. */
  readonly words: SharedArrayBuffer
  /** One word: what the temporary tables of all threads hold, in kilobytes. */
  readonly tables: SharedArrayBuffer
  readonly tablesLimitBytes: number
}

export type Deletion =
  | { readonly kind: 'vertex'; readonly type: string; readonly id: string }
  | { readonly kind: 'edges'; readonly path: EdgePath }

/** What lines of a statement put into the graph, together or not at all. */
export interface LoadBatch {
  readonly kind: 'batch'
  /** Of the statement in the plan. */
  readonly statement: number
  readonly position: LinePosition
  readonly newVertexOnly: boolean
  readonly vertexMustExist: boolean
  /** The body of an upsert; null: nothing is made. */
  readonly payload: Uint8Array | null
  /** What the payload is for the engine, of payloads whose objects take long to read; null: of others. */
  readonly made: MadePayload | null
  readonly deletions: readonly Deletion[]
}

/** What a stretch has done up to now. */
export interface LoadState {
  readonly reports: readonly SourceReport[]
  readonly errors: { readonly count: number; readonly kept: readonly LoadError[] }
  readonly readBytes: number
  /** How long it took to come to the place where the stretch begins, in milliseconds. */
  readonly skipMs: number
}

/** The first rows of a file, as a loading job would take them apart. */
export interface SampleTask {
  readonly kind: 'sample'
  readonly file: LoadFile
  readonly format: SampleFormat
  readonly rowCountMax: number
  /** Of `loadWord`. */
  readonly words: SharedArrayBuffer
}

/** The body of an upsert with an object that takes long to read. */
export interface PayloadTask {
  readonly kind: 'payload'
  readonly body: Uint8Array<SharedArrayBuffer>
  readonly options: PayloadOptions
}

export type FromLoader =
  | { readonly kind: 'read'; readonly read: ReadPayload }
  | { readonly kind: 'sampled'; readonly sample: Sample }
  | { readonly kind: 'failed'; readonly error: LoaderError }
  | LoadBatch
  | { readonly kind: 'state'; readonly state: LoadState }
  /** All batches up to this place were sent before; `state` is what they came from. */
  | { readonly kind: 'mark'; readonly place: LinePosition; readonly state: LoadState }
  | {
      readonly kind: 'ended'
      readonly state: LoadState
      /** Of a stretch that was asked to stop. */
      readonly place: LinePosition | null
      readonly error: LoaderError | null
      /** The heap is fuller than a thread that waits for work needs. */
      readonly isCrowded: boolean
    }

export interface LoaderError {
  /** Null: a fault of this program. */
  readonly code: ErrorCode | null
  readonly message: string
  /** Absent: none. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A batch was written: another one may be sent. */
export type ToLoader = LoadTask | SampleTask | PayloadTask | { readonly kind: 'written' }

/** 32-bit words that a thread for loading and the main thread share. */
export const loadWord = {
  /** 1: end the stretch behind the line at hand. */
  stop: 0,
  /** Changes with every line and every thousand rows of a table. */
  beat: 1,
  /** 1 while a line is at work. */
  isBusy: 2,
  /** What the temporary tables of the thread hold, in kilobytes. */
  tablesKb: 3,
  /** The line at hand, and the number of its input. */
  line: 4,
  input: 5,
  count: 6,
} as const

/** Batches that were sent and are not written yet. */
export const BATCHES_IN_FLIGHT_MAX = 4
