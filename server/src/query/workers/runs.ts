/** Runs of the pool: what they are given, what they come to, and what is known of them meanwhile. */
import type { GraphView, PinnedView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import { RETRY_AFTER_SECONDS } from '#kernel/limits.ts'
import type { IndexRows } from '#query/plan/select/index-conditions.ts'
import { type RunCounters, stopReason } from '#query/runtime/control.ts'
import type { Loans } from './loans.ts'
import type { PackedPlan } from './plan.ts'
import type { RunOptions, RunOutput } from './run.ts'
import type { QueuedRun } from './run-queue.ts'
import type { WorkerSlot } from './slot.ts'

export interface RunRequest {
  readonly plan: PackedPlan
  /** The id by which the run is listed and aborted; one is made when absent. */
  readonly requestId?: string
  /** Whose run it is: users take turns. */
  readonly user?: string
  /** The graph it runs on; the running list is asked by graph. */
  readonly graph: string
  readonly url: string
  readonly timeoutMs: number
  /** Code of the answer when the time is over: who set the limit decides it. */
  readonly timeoutCode: 'REST-3000' | 'REST-3001' | 'REST-3002'
  /** Threads that may work on it at the same time; absent: as many as are idle. */
  readonly threadsMax?: number | undefined
  readonly options: Omit<RunOptions, 'nowSeconds' | 'seed'>
  /** Asked when the run begins, in the turn in which its version of the graph is pinned. */
  readonly indexRows?: () => readonly IndexRows[]
}

export interface RunResult {
  readonly requestId: string
  /** The `results` array as JSON. */
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** A mutation frame that the caller commits; null: the query changes nothing. */
  readonly changes: Uint8Array<ArrayBuffer> | null
  readonly warnings: readonly string[]
  /** What it says to the server's log. */
  readonly logged: readonly string[]
  readonly counters: RunCounters
  readonly elapsedMs: number
  /** Of these: until a worker was free. */
  readonly queuedMs: number
  readonly peakMemoryBytes: number
  readonly profile: RunOutput['profile']
  /** `bytes` are no longer needed: until then they count as memory of queries. */
  release(): void
}

export interface RunningQuery {
  readonly requestId: string
  readonly name: string
  readonly graph: string
  readonly url: string
  readonly startMs: number
  readonly expirationMs: number
  readonly elapsedMs: number
  /** Waits for a free worker. */
  readonly waiting: boolean
  readonly counters: RunCounters
  /** Held now, as far as the memory limit of a run counts it. */
  readonly memoryBytes: number
}

export interface StartedRun {
  readonly requestId: string
  readonly result: Promise<RunResult>
}

/** One run, from its request to its answer. */
export interface Run extends QueuedRun {
  readonly requestId: string
  readonly request: RunRequest
  readonly startMs: number
  readonly startMonotonicMs: number
  readonly resolve: (result: RunResult) => void
  readonly reject: (error: DbError) => void
  readonly cancelTimers: (() => void)[]
  slot: WorkerSlot | null
  /** On the monotonic clock; when its worker began. */
  begunMs: number
  queuedMs: number
  /** Null: it is lent no helpers. */
  loans: Loans | null
  pinned: PinnedView | null
  stopReason: number
  /** It is to leave its worker and wait for another one. */
  isMoving: boolean
  wasMoved: boolean
}

/** What is given to a worker. */
export interface Beginning {
  readonly slot: WorkerSlot
  readonly view: GraphView
  readonly indexRows: readonly IndexRows[]
}

const noCounters: RunCounters = { rows: 0, edges: 0, line: 0 }

export function newRun(given: {
  readonly request: RunRequest
  readonly number: number
  readonly startMs: number
  readonly startMonotonicMs: number
  readonly resolve: (result: RunResult) => void
  readonly reject: (error: DbError) => void
}): Run {
  const own = `${given.number}.RESTPP_1_1.${Math.floor(given.startMs)}.N`
  return {
    ...given,
    requestId: given.request.requestId ?? own,
    user: given.request.user ?? '',
    cancelTimers: [],
    slot: null,
    begunMs: 0,
    queuedMs: 0,
    loans: null,
    pinned: null,
    stopReason: stopReason.none,
    isMoving: false,
    wasMoved: false,
  }
}

export function describeRun(run: Run, nowMonotonicMs: number): RunningQuery {
  const { request, slot } = run
  return {
    requestId: run.requestId,
    name: request.plan.name,
    graph: request.graph,
    url: request.url,
    startMs: run.startMs,
    expirationMs: run.startMs + request.timeoutMs,
    elapsedMs: nowMonotonicMs - run.startMonotonicMs,
    waiting: slot === null,
    counters: slot?.control.counters() ?? noCounters,
    memoryBytes: slot?.control.memoryBytes() ?? 0,
  }
}

/** 503: nobody is served; 429: this user has to wait. Clients read when to try again. */
export function noRoom(user: string | null): DbError {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS }
  if (user === null) {
    const text = 'No query can be started now: too many wait for a worker.'
    return new DbError('UNAVAILABLE', text, { details })
  }
  const text = `Too many queries of the user ${user} wait for a worker.`
  return new DbError('TOO_MANY_REQUESTS', text, { details })
}
