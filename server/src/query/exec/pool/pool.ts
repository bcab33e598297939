/**
 * The pool of query workers: starts runs, lists them, ends them.
 *
 * A run waits in a queue until a worker is free, and only then is a version of the graph pinned for
 * it; the version is released when the run ends, however it ends. A run that is aborted or over its
 * time is asked to stop through its control words; when it has not stopped after
 * `STOP_GRACE_MS` its thread is ended and replaced.
 */
import { setFlagsFromString } from 'node:v8'
import type { VectorCandidates, VectorQuery } from '#graph/vectors/vector-indexes.ts'
import type { GraphView, PinnedView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { IndexRows } from '#query/plan/index-conditions.ts'
import type { PackedPlan } from '../plan.ts'
import type { RunOptions, RunOutput } from '../run.ts'
import { type RunCounters, stopReason } from '../runtime/control.ts'
import { answerNearest } from './ask-index.ts'
import { EarlyLoans } from './early-loans.ts'
import { Loans } from './loans.ts'
import { errorOf, notBegun, stopErrorOf } from './run-errors.ts'
import { SharedUse } from './shared-use.ts'
import { type SlotEnd, WorkerSlot } from './slot.ts'

/** How long a run may take to notice that it has to stop, in milliseconds. */
export const STOP_GRACE_MS = 300
/** Below, waking another thread costs more than it brings. */
export const PARALLEL_FROM = 50_000
/** Heap of a worker, unless said. */
const HEAP_LIMIT_BYTES = 512 * 1024 * 1024
/** Runs that wait for a worker; more are refused. */
export const QUEUE_LENGTH_MAX = 10_000

export interface PoolOptions {
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
  /** Rows and edges of a graph from which on a run is lent idle workers. */
  readonly parallelFrom?: number
  /** Items of a segment of a divided loop; for tests. */
  readonly segmentItems?: number
  /** For tests: every divided loop is begun by a helper, when there is one. */
  readonly helpersFirst?: boolean
}

export interface PoolVectors {
  /** Numbers in the vectors of a search from which on an index is asked. */
  readonly fromNumbers: number
  search(query: VectorQuery): Promise<VectorCandidates | null>
}

export interface RunRequest {
  readonly plan: PackedPlan
  /** The id by which the run is listed and aborted; one is made when absent. */
  readonly requestId?: string
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

interface Run {
  readonly requestId: string
  readonly request: RunRequest
  readonly startMs: number
  readonly startMonotonicMs: number
  readonly resolve: (result: RunResult) => void
  readonly reject: (error: DbError) => void
  readonly cancelTimers: (() => void)[]
  slot: WorkerSlot | null
  queuedMs: number
  /** Null: it is lent no helpers. */
  loans: Loans | null
  pinned: PinnedView | null
  stopReason: number
}

const noCounters: RunCounters = { rows: 0, edges: 0, line: 0 }

interface Beginning {
  readonly slot: WorkerSlot
  readonly view: GraphView
  readonly indexRows: readonly IndexRows[]
}

export class QueryPool {
  readonly #options: PoolOptions
  readonly #slots: readonly WorkerSlot[]
  readonly #runs = new Map<string, Run>()
  readonly #queue: Run[] = []
  readonly #early = new EarlyLoans()
  #nextNumber = 1
  #closed = false

  private constructor(options: PoolOptions) {
    this.#options = options
    const { workerCount, fileDirectory = null, heapLimitBytes = HEAP_LIMIT_BYTES } = options
    const use = SharedUse.of(workerCount, options.memoryLimitBytes ?? Number.POSITIVE_INFINITY)
    this.#slots = Array.from(
      { length: workerCount },
      (_, thread) => new WorkerSlot({ fileDirectory, thread, heapLimitBytes, use }),
    )
  }

  static async start(options: PoolOptions): Promise<QueryPool> {
    const pool = new QueryPool(options)
    await startSlots(pool.#slots)
    return pool
  }

  run(request: RunRequest): StartedRun {
    const startMs = this.#options.clock.nowMs()
    const own = `${this.#nextNumber++}.RESTPP_1_1.${Math.floor(startMs)}.N`
    const requestId = request.requestId ?? own
    const result = new Promise<RunResult>((resolve, reject) => {
      const run: Run = {
        requestId,
        request,
        startMs,
        startMonotonicMs: this.#options.clock.monotonicMs(),
        resolve,
        reject,
        cancelTimers: [],
        slot: null,
        queuedMs: 0,
        loans: null,
        pinned: null,
        stopReason: stopReason.none,
      }
      this.#accept(run)
    })
    return { requestId, result }
  }

  running(): readonly RunningQuery[] {
    const now = this.#options.clock.monotonicMs()
    return [...this.#runs.values()].map((run) => ({
      requestId: run.requestId,
      name: run.request.plan.name,
      graph: run.request.graph,
      url: run.request.url,
      startMs: run.startMs,
      expirationMs: run.startMs + run.request.timeoutMs,
      elapsedMs: now - run.startMonotonicMs,
      waiting: run.slot === null,
      counters: run.slot?.control.counters() ?? noCounters,
      memoryBytes: run.slot?.control.memoryBytes() ?? 0,
    }))
  }

  /** @returns false when no such run is under way */
  abort(requestId: string): boolean {
    const run = this.#runs.get(requestId)
    if (run === undefined) return false
    this.#stop(run, stopReason.aborted)
    return true
  }

  /** Idle threads let go of the view of their last run: its arrays may be superseded. */
  forgetViews(): void {
    for (const slot of this.#slots) slot.forgetView()
  }

  /** Ends every run and every thread. */
  async close(): Promise<void> {
    this.#closed = true
    for (const run of this.#runs.values()) this.#stop(run, stopReason.aborted)
    await Promise.all(this.#slots.map((slot) => slot.stop()))
  }

  #accept(run: Run): void {
    if (this.#closed || this.#queue.length >= QUEUE_LENGTH_MAX) {
      run.reject(new DbError('UNAVAILABLE', 'No query can be started now.'))
      return
    }
    this.#runs.set(run.requestId, run)
    const timeout = () => this.#stop(run, stopReason.timedOut)
    run.cancelTimers.push(this.#options.after(run.request.timeoutMs, timeout))
    this.#queue.push(run)
    this.#serveQueue()
  }

  #serveQueue(): void {
    while (this.#queue.length > 0) {
      const slot = this.#idleSlot()
      if (slot === undefined) break
      this.#begin(this.#queue.shift()!, slot)
    }
    if (this.#queue.length > 0) this.#recall()
    else this.#lend()
    this.#early.answer()
  }

  #idleSlot(): WorkerSlot | undefined {
    return this.#slots.find((candidate) => !candidate.busy && !candidate.dead)
  }

  /** A helper for every run that waits, as far as there are any. */
  #recall(): void {
    const lenders = [...this.#runs.values()].flatMap(({ loans }) => (loans === null ? [] : [loans]))
    const coming = lenders.reduce((sum, { leavingCount }) => sum + leavingCount, 0)
    for (let wanted = this.#queue.length - coming; wanted > 0; wanted--) {
      if (!lenders.some((loans) => loans.recall())) return
    }
  }

  /** Idle workers help the runs that have the fewest helpers. */
  #lend(): void {
    for (;;) {
      const slot = this.#idleSlot()
      const [poorest] = [...this.#runs.values()]
        .flatMap(({ loans }) => (loans?.takesMore ? [loans] : []))
        .sort((a, b) => a.count - b.count)
      if (slot === undefined || poorest === undefined) return
      poorest.lend(slot)
    }
  }

  #begin(run: Run, slot: WorkerSlot): void {
    try {
      run.pinned = this.#options.pin(() => this.#stop(run, stopReason.memory))
      const indexRows = run.request.indexRows?.() ?? []
      run.slot = slot
      run.queuedMs = this.#options.clock.monotonicMs() - run.startMonotonicMs
      this.#send(run, { slot, view: run.pinned.view, indexRows })
    } catch (cause) {
      if (slot.busy) throw cause
      this.#settle(run, () => run.reject(notBegun(cause)))
    }
  }

  #send(run: Run, { slot, view, indexRows }: Beginning): void {
    const { plan, options: asked } = run.request
    const { segmentItems, helpersFirst = false, parallelFrom = PARALLEL_FROM } = this.#options
    const nowSeconds = Math.floor(run.startMs / 1000)
    const seed = Math.floor(run.startMs) >>> 0
    const size = { helpersFirst, ...(segmentItems === undefined ? {} : { segmentItems }) }
    const { vectors } = this.#options
    const vectorOptions = vectors === undefined ? {} : { vectorIndexFrom: vectors.fromNumbers }
    const options = { ...asked, ...size, ...vectorOptions, nowSeconds, seed, indexRows }
    const { control } = slot
    const threadsMax = Math.min(run.request.threadsMax ?? Infinity, this.#slots.length)
    const mayAsk = plan.isParallel && threadsMax > 1 && sizeOf(view) >= parallelFrom
    const left = () => this.#comeBack()
    const loan = { plan, options, view, control, countMax: threadsMax - 1, left }
    const early = mayAsk ? this.#early.of(loan) : null
    run.loans = early?.loans ?? null
    slot.run(
      plan,
      { view, options, mayAsk, team: early?.team ?? null, help: null },
      {
        finish: (end) => this.#finish(run, end),
        wants: (request) => {
          this.#early.noteAsked(plan.id)
          run.loans = new Loans(loan, request)
          this.#lend()
          run.loans.answer()
        },
        nearest: (request) => {
          const query = { ...request.ask, version: view.version }
          void answerNearest(request, vectors?.search(query) ?? Promise.resolve(null))
        },
      },
    )
  }

  #comeBack(): void {
    if (!this.#closed) this.#goOn()
  }

  #stop(run: Run, reason: number): void {
    if (run.stopReason !== stopReason.none) return
    run.stopReason = reason
    if (run.slot === null) {
      const index = this.#queue.indexOf(run)
      if (index >= 0) this.#queue.splice(index, 1)
      this.#settle(run, () => run.reject(stopErrorOf(run)))
      return
    }
    const { slot } = run
    slot.control.stop(reason)
    const end = () => {
      if (!this.#runs.has(run.requestId)) return
      void run.loans?.stop()
      void slot.stop()
    }
    run.cancelTimers.push(this.#options.after(STOP_GRACE_MS, end))
  }

  #finish(run: Run, end: SlotEnd): void {
    const counters = run.slot!.control.counters()
    const { requestId, loans } = run
    if (loans !== null) this.#early.noteEnd(run.request.plan.id, loans)
    run.loans = null
    if (end.kind === 'lost') void loans?.stop()
    else loans?.close()
    this.#settle(run, () => {
      if (end.kind === 'done') {
        const elapsedMs = this.#options.clock.monotonicMs() - run.startMonotonicMs
        const { kind: _, ...output } = end
        run.resolve({ requestId, ...output, counters, elapsedMs, queuedMs: run.queuedMs })
      } else if (end.kind !== 'left') run.reject(errorOf(run, end))
    })
    if (!this.#closed) this.#goOn()
  }

  /** Releases what a run holds and answers it. */
  #settle(run: Run, answer: () => void): void {
    this.#runs.delete(run.requestId)
    for (const cancel of run.cancelTimers) cancel()
    run.pinned?.release()
    run.pinned = null
    answer()
  }

  #goOn(): void {
    this.#serveQueue()
    const dead = this.#slots.filter((slot) => slot.dead && !slot.busy)
    if (dead.length === 0) return
    startSlots(dead).then(
      () => this.#serveQueue(),
      () => undefined,
    )
  }
}

/** New threads take the flag over when they start; this one keeps the permission it has. */
async function startSlots(slots: readonly WorkerSlot[]): Promise<void> {
  setFlagsFromString('--disallow-code-generation-from-strings')
  try {
    await Promise.all(slots.map((slot) => slot.start()))
  } finally {
    setFlagsFromString('--no-disallow-code-generation-from-strings')
  }
}

function sizeOf({ vertexTables, edgeTables }: GraphView): number {
  const adjacencies = edgeTables.flatMap((table) => table.adjacencies)
  const edges = adjacencies.reduce((sum, { liveCount }) => sum + liveCount, 0)
  return vertexTables.reduce((sum, { liveCount }) => sum + liveCount, edges)
}
