/** A run as its caller gives it, and what is answered. */
import type { PlanStep } from '#query/explain/explain.ts'
import type { RunResult } from '#query/workers/runs.ts'
import type { Principal } from '../auth/access.ts'
import type { RequestKey } from '../instances/request-key.ts'
import type { ArgumentSource } from './arguments.ts'
import type { RunTiming } from './run-timing.ts'

/** What HTTP knows of a call. */
export interface RunCall {
  readonly requestId: string
  /** Of the trace that the client has begun; absent or null: none. */
  readonly traceId?: string | null
  readonly url: string
  readonly user: string
  /** Whose rights count; absent: the server's own. */
  readonly principal?: Principal | null
  /** Milliseconds of the GSQL-TIMEOUT header; undefined or 0: the default. */
  readonly timeoutMs: number | undefined
  readonly memoryLimitBytes: number | undefined
  readonly responseLimitBytes: number | undefined
  /** Threads that may work on it at the same time; absent: as many as are idle. */
  readonly threadsMax?: number | undefined
  readonly source: ArgumentSource
  /** Under which its change is made once. */
  readonly key?: RequestKey | undefined
  /** Raised when nobody waits for the answer any more: the run is aborted then. */
  readonly signal?: AbortSignal
}

export interface RunAnswer {
  readonly graph: string
  readonly query: string
  /** The `results` array as JSON. */
  readonly json: Uint8Array
  /** Runtime warnings, joined. */
  readonly message: string
  readonly timing: RunTiming
  /** The answer counts as memory of queries until this is called. */
  release(): void
}

/** A plan; `run` has what its steps have cost, by their ids. */
export interface Explanation {
  readonly graph: string
  readonly query: string
  readonly steps: readonly PlanStep[]
  readonly run: {
    readonly rows: number
    readonly edges: number
    readonly elapsedMs: number
    readonly peakMemoryBytes: number
    readonly statements: NonNullable<RunResult['profile']>
  } | null
}
