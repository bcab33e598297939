/** What the engine is made from, and how a commit may be asked for. */
import type { Clock } from '#kernel/clock.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import type { SharedLog } from '#storage/shared-store.ts'
import type { Store } from '#storage/store.ts'
import type { FullLimits } from './full-tables.ts'

export interface EngineOptions {
  readonly store: Store
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Bytes of memory at which writes are refused; reads go on (`memory-guard.ts`). */
  readonly memoryLimitBytes: number
  /** Memory of the machine that the process holds; absent: the limit holds for the graph alone. */
  readonly residentBytes?: () => number
  /** Frees arrays that nothing refers to; absent: the platform does when it likes. */
  readonly collectGarbage?: () => void
  /** Bytes of pages kept for pins, beyond it the oldest goes; absent: 1/4 of the memory limit. */
  readonly copiedPagesBytesMax?: number
  /** When a heap or a table is full; absent: what its addresses allow. */
  readonly fullLimits?: FullLimits
  /** Told of a rebuild that began by itself, because of the log's length, and failed. */
  readonly onRebuildFailure?: (error: unknown) => void
  /** Called when a durable entry was not applied, and when the graph has been read again or not. */
  readonly onReload?: (event: ReloadEvent) => void
  /** Of a store that several servers share; absent or null: this one has it to itself. */
  readonly shared?: SharedLog | null
  /**
   * With `shared`: what is in memory is no prefix of the log any more, so that the process has to end
   * with status 75 and start anew. Called once.
   * @param isDifference the graph differs from that of another server
   */
  readonly onStartAgain?: (reason: string, isDifference: boolean) => void
  /** Adjacencies of up to so many edges and vertices are merged on this thread: tests say 0. */
  readonly inlineMergeSizeMax?: number
}

/** A durable entry was not applied, and the graph is read from the store again. */
export type ReloadEvent =
  | { readonly kind: 'begun'; readonly cause: unknown }
  | { readonly kind: 'attempt-failed'; readonly cause: unknown }
  | { readonly kind: 'ended'; readonly sequence: number }

export interface CommitOptions {
  /** `none`: resolve once ordered, before the disk has it; later reads wait with `settled`. */
  readonly ack?: 'all' | 'none'
  /** Of `commitKey`: the batch is applied once, however often it is committed with the key. */
  readonly key?: string
}
