/** What a pool of query workers is made of. */
import type { VectorCandidates, VectorQuery } from '#graph/vectors/vector-indexes.ts'
import type { PinnedView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'

export interface PoolOptions {
  /** Threads that may have long runs; one more is there for short ones. */
  readonly workerCount: number
  readonly clock: Clock
  /** Calls back once after so many milliseconds, unless cancelled by the function it returns. */
  readonly after: (ms: number, call: () => void) => () => void
  /** `onRevoke` is called when writes have to keep too much for this version: its run ends. */
  readonly pin: (onRevoke: () => void) => PinnedView
  /** Where queries read and write files, each graph in its own folder; absent: nowhere. */
  readonly fileDirectory?: string
  /** Of the heap of each worker; absent: `HEAP_LIMIT_BYTES`. */
  readonly heapLimitBytes?: number
  /** Of all runs together; absent: each has its own limit only. */
  readonly memoryLimitBytes?: number
  /** Indexes of vectors; absent: searches look at every vector. */
  readonly vectors?: PoolVectors
  /** Told how long each run waited, when it begins. */
  readonly onBegun?: (queuedMs: number) => void
  /** Rows and edges of a graph from which on a run is lent idle workers. */
  readonly parallelFrom?: number
  /** Items of a segment of a divided loop; for tests. */
  readonly segmentItems?: number
  /** For tests: see `SlotParts`. */
  readonly workerFile?: URL
  /** For tests: every divided loop is begun by a helper, when there is one. */
  readonly helpersFirst?: boolean
}

export interface PoolVectors {
  /** Numbers in the vectors of a search from which on an index is asked. */
  readonly fromNumbers: number
  search(query: VectorQuery): Promise<VectorCandidates | null>
}
