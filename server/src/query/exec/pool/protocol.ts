/** What the pool and its workers say to each other. */

import type { GraphView } from '#graph/view.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import type { InstalledPlan } from '../plan.ts'
import type { RunOptions, RunOutput } from '../run.ts'

export interface WorkerInput {
  /** The worker's `RunControl`. */
  readonly control: SharedArrayBuffer
  /** Where queries may read and write files; null: nowhere. */
  readonly fileDirectory: string | null
}

export interface RunMessage {
  readonly planId: string
  /** Sent once per worker and plan. */
  readonly plan: InstalledPlan | null
  /** Every plan that was sent before is to be forgotten first. */
  readonly forgets: boolean
  /** Null: the view of the run before, on the same worker. Its many arrays are not sent twice. */
  readonly view: GraphView | null
  readonly options: RunOptions
}

export type WorkerAnswer =
  | ({ readonly kind: 'done' } & RunOutput)
  | { readonly kind: 'failed'; readonly error: PlainError }

export interface PlainError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}
