/** What the pool and its workers say to each other. */

import type { MessagePort } from 'node:worker_threads'
import type { GraphView } from '#graph/view.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { VectorAsk } from '#query/runtime/graph/vector-search.ts'
import type { PackedPlan } from './plan.ts'
import type { RunOptions, RunOutput } from './run.ts'

export interface WorkerInput {
  /** The worker's `RunControl`. */
  readonly control: SharedArrayBuffer
  /** Where queries read and write files, each graph in its own folder; null: nowhere. */
  readonly fileDirectory: string | null
  /** Number of the worker within its pool. */
  readonly thread: number
  /** The limit of its heap. */
  readonly heapLimitBytes: number
  /** What all workers hold; see `SharedUse`. */
  readonly use: Int32Array<SharedArrayBuffer>
  readonly useLimitBytes: number
}

/** A run asks for helpers: the words they share with it, and where ports to them go. */
export interface HelpRequest {
  readonly kind: 'wants'
  readonly block: SharedArrayBuffer
  readonly lending: MessagePort
}

/** A run asks an index for candidates, and waits for the signal. */
export interface NearestRequest {
  readonly kind: 'nearest'
  readonly ask: VectorAsk
  /** One word: 0 until the answer is at the other end of `port`. */
  readonly signal: SharedArrayBuffer
  readonly port: MessagePort
}

/** A run that has asked before is lent helpers while it begins. */
export type LentTeam = Omit<HelpRequest, 'kind'>

/** What a worker is to help with. */
export interface HelpInput {
  readonly block: SharedArrayBuffer
  /** Number of the helper within the run. */
  readonly helper: number
  readonly port: MessagePort
  /** The run's `RunControl`. */
  readonly control: SharedArrayBuffer
}

/** To an idle worker: let go of the view of the last run, whose arrays may be superseded. */
export interface ForgetViewMessage {
  readonly kind: 'forgetView'
}

export interface RunMessage {
  /** Of the messages to this worker: its answer names it. */
  readonly sequence: number
  readonly planId: string
  /** Sent once per worker and plan. */
  readonly plan: PackedPlan | null
  /** Every plan that was sent before is to be forgotten first. */
  readonly forgets: boolean
  /** Null: the view of the run before, on the same worker. Its many arrays are not sent twice. */
  readonly view: GraphView | null
  readonly options: RunOptions
  /** The run may ask for helpers. */
  readonly mayAsk: boolean
  /** Null: it has to ask. */
  readonly team: LentTeam | null
  /** Null: the run is this worker's own. */
  readonly help: HelpInput | null
}

export type WorkerAnswer = RunAnswer & {
  /** Of the message that it answers. */
  readonly sequence: number
  /** The worker has dropped the plans that it was sent. */
  readonly forgot?: boolean
}

export type RunAnswer =
  | ({ readonly kind: 'done' } & RunOutput)
  /** No longer helps. */
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly error: PlainError }

export interface PlainError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
