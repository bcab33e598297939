/** What the transfer thread is asked and what it answers. */
import type { GraphView } from '#graph/view.ts'
import type { ElementFile, ExportFormat } from './element-files.ts'
import type { GraphArPlan } from './graphar/plan.ts'
import type { WrittenChunk } from './graphar/write-graphar.ts'

export interface WriteJob {
  readonly kind: 'write'
  readonly view: GraphView
  /** An existing directory. */
  readonly directory: string
  readonly files: readonly ElementFile[]
  readonly format: ExportFormat
}

/** In the layout of Apache GraphAr. */
export interface WriteGraphArJob {
  readonly kind: 'writeGraphAr'
  readonly view: GraphView
  /** An existing directory. */
  readonly directory: string
  readonly plan: GraphArPlan
}

/** Reads every file and holds it against its checksum. */
export interface VerifyJob {
  readonly kind: 'verify'
  readonly directory: string
  readonly files: readonly FileSum[]
}

export type TransferJob = WriteJob | WriteGraphArJob | VerifyJob

export interface FileSum {
  readonly file: string
  readonly sizeBytes: number
  /** SHA-256 of the content, in hex. */
  readonly sha256: string
}

export interface WrittenElements extends FileSum {
  /** Vertices or edges. */
  readonly count: number
}

export type TransferAnswer =
  | { readonly kind: 'written'; readonly files: readonly WrittenElements[] }
  | { readonly kind: 'writtenGraphAr'; readonly chunks: readonly WrittenChunk[] }
  /** `damage`: the first file that is not what it was, and how; null: all are. */
  | { readonly kind: 'verified'; readonly damage: string | null }
  | { readonly kind: 'failed'; readonly message: string; readonly systemCode: string | null }
