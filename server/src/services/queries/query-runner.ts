/** What running queries need of the pool of workers; `query/exec` provides it. */
import type { BoundQuery } from '#query/bind/bound.ts'
import type { Argument } from './arguments.ts'

export interface RunRequest {
  /** `{n}.RESTPP_1_1.{epoch ms}.N` */
  readonly requestId: string
  readonly graph: string
  readonly queryName: string
  /** From `/query/…`, with the query string. */
  readonly url: string
  readonly user: string
  readonly timeoutMs: number
  readonly memoryLimitBytes?: number
  readonly responseLimitBytes?: number
  readonly arguments: readonly (Argument | undefined)[]
}

export interface RunningQuery {
  readonly requestId: string
  readonly graph: string
  readonly queryName: string
  readonly url: string
  readonly user: string
  readonly startedMs: number
  readonly expiresMs: number
  readonly rows: number
  readonly edges: number
  readonly line: number
  readonly memoryBytes?: number
  readonly aborting: boolean
}

export interface WaitingQuery {
  readonly requestId: string
  readonly url: string
  readonly sinceMs: number
}

export interface QueryRunner {
  /**
   * @returns the `results` array as JSON bytes
   * @throws DbError QUERY_RUNTIME, QUERY_TIMEOUT, QUERY_ABORTED, QUERY_MEMORY_LIMIT, …
   */
  run(query: BoundQuery, request: RunRequest): Promise<Uint8Array>
  running(): readonly RunningQuery[]
  waiting(): readonly WaitingQuery[]
  /** False: no such run. */
  abort(requestId: string): boolean
}
