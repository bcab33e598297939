/**
 * The pool of query workers: starts runs, lists them, ends them.
 *
 * A run waits in a queue until a worker is free, and only then is a version of the graph pinned for
 * it; the version is released when the run ends, however it ends. A run that is aborted or over its
 * time is asked to stop through its control words; when it has not stopped after
 * `STOP_GRACE_MS` its thread is ended and replaced.
 *
 * The threads begin with the first run, or after `BEGIN_AFTER_MS`: a server that has just started has no part of its time
 * taken by them, and one that runs long enough has them ready.
 *
 * There is one worker more than the count says. As long as nobody waits, it works like the others.
 * When a run waits and every worker has a run that is not short, the last of them goes back to the
 * queue, to begin anew: so a short run never waits for long ones (docs/decisions/0077).
 */
import type { GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { QUEUED_RUNS_MAX, QUEUED_RUNS_PER_USER_MAX } from '#kernel/limits.ts'
import { type RunCounters, stopReason } from '#query/runtime/control.ts'
import { answerNearest } from './ask-index.ts'
import { EarlyLoans } from './early-loans.ts'
import { Loans } from './loans.ts'
import type { PoolOptions } from './pool-options.ts'
import { errorOf, notBegun, stopErrorOf } from './run-errors.ts'
import { RunQueue } from './run-queue.ts'
import {
  type Beginning,
  describeRun,
  newRun,
  noRoom,
  type Run,
  type RunningQuery,
  type RunRequest,
  type RunResult,
  type StartedRun,
} from './runs.ts'
import { SharedUse } from './shared-use.ts'
import { type SlotEnd, type SlotHeap, WorkerSlot } from './slot.ts'
import { startSlots } from './start-slots.ts'

/** How long a run may take to notice that it has to stop, in milliseconds. */
export const STOP_GRACE_MS = 300
/** How long a helper may take to come back from a run that is over, in milliseconds. */
const HELPER_GRACE_MS = 2_000
/** Below, waking another thread costs more than it brings. */
export const PARALLEL_FROM = 50_000
/** A run that takes longer may be moved back to the queue when others wait, in milliseconds. */
export const SHORT_RUN_MS = 500
/** A thread that could not be started is started anew after this time, in milliseconds. */
const RESTART_MS = 1_000
/** Nobody waits for threads that begin then, in milliseconds. */
const BEGIN_AFTER_MS = 30_000
/** The others begin so long after the first, which would share the cores with them, in milliseconds. */
const OTHERS_AFTER_MS = 200
/** Heap of a worker, unless said. */
const HEAP_LIMIT_BYTES = 512 * 1024 * 1024
export class QueryPool {
  readonly #options: PoolOptions
  readonly #slots: readonly WorkerSlot[]
  readonly #runs = new Map<string, Run>()
  readonly #queue = new RunQueue<Run>()
  readonly #use: SharedUse
  readonly #early = new EarlyLoans()
  #nextNumber = 1
  #nextToForget = 0
  #closed = false
  /** Cancels the timer that looks again for a run to move; null: there is none. */
  #cancelLook: (() => void) | null = null
  #isRestarting = false
  /** Cancels the timer that begins the threads, or all but the first. */
  #cancelBegin: () => void
  #hasBegun = false

  constructor(options: PoolOptions) {
    this.#options = options
    const { workerCount, workerFile, fileDirectory = null } = options
    const { heapLimitBytes = HEAP_LIMIT_BYTES } = options
    const threadCount = threadCountOf(workerCount)
    const limitBytes = options.memoryLimitBytes ?? Number.POSITIVE_INFINITY
    this.#use = SharedUse.of(threadCount, limitBytes)
    const use = this.#use
    const onLost = () => this.#restartLater()
    this.#slots = Array.from(
      { length: threadCount },
      (_, thread) =>
        new WorkerSlot({ fileDirectory, thread, heapLimitBytes, use, workerFile, onLost }),
    )
    this.#cancelBegin = options.after(BEGIN_AFTER_MS, () => this.#restart())
  }

  /** With threads that run already. */
  static async start(options: PoolOptions): Promise<QueryPool> {
    const pool = new QueryPool(options)
    pool.#hasBegun = true
    pool.#cancelBegin()
    await startSlots(pool.#slots)
    return pool
  }

  run(request: RunRequest): StartedRun {
    const { clock } = this.#options
    const number = this.#nextNumber++
    const [startMs, startMonotonicMs] = [clock.nowMs(), clock.monotonicMs()]
    const given = { request, number, startMs, startMonotonicMs }
    const { promise: result, resolve, reject } = Promise.withResolvers<RunResult>()
    const run = newRun({ ...given, resolve, reject })
    this.#accept(run)
    return { requestId: run.requestId, result }
  }

  /** @throws DbError UNAVAILABLE when a run of this user would be refused now */
  checkRoom(user: string): void {
    if (this.#closed) throw new DbError('UNAVAILABLE', 'The server is ending.')
    if (this.#queue.size >= QUEUED_RUNS_MAX) throw noRoom(null)
    if (this.#queue.countOf(user) >= QUEUED_RUNS_PER_USER_MAX) throw noRoom(user)
  }

  running(): readonly RunningQuery[] {
    const now = this.#options.clock.monotonicMs()
    return [...this.#runs.values()].map((run) => describeRun(run, now))
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

  /** One idle thread after the other lets go of the view of its last run. For a timer. */
  forgetNextView(): void {
    const slot = this.#slots[this.#nextToForget % this.#slots.length]
    this.#nextToForget += 1
    slot?.forgetView()
  }

  /** Heaps of the threads, in bytes; null: a thread is being started, or does not answer. */
  heaps(): Promise<readonly (SlotHeap | null)[]> {
    return Promise.all(this.#slots.map((slot) => slot.heap(this.#options.after)))
  }

  /** Ends every run and every thread. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelBegin()
    this.#cancelLook?.()
    for (const run of [...this.#runs.values()]) this.#stop(run, stopReason.aborted)
    await Promise.all(this.#slots.map((slot) => slot.stop()))
  }

  #accept(run: Run): void {
    try {
      this.checkRoom(run.user)
    } catch (error) {
      run.reject(error as DbError)
      return
    }
    this.#runs.set(run.requestId, run)
    const timeout = () => this.#stop(run, stopReason.timedOut)
    run.cancelTimers.push(this.#options.after(run.request.timeoutMs, timeout))
    this.#queue.add(run)
    this.#beginFirst()
    this.#serveQueue()
  }

  /** For the first run: what is sent to a thread that begins is read when it runs. */
  #beginFirst(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#cancelBegin()
    const first = this.#slots.slice(0, 1).filter(({ dead }) => dead)
    startSlots(first).catch(() => this.#restartLater())
    this.#cancelBegin = this.#options.after(OTHERS_AFTER_MS, () => this.#restart())
  }

  #serveQueue(): void {
    for (;;) {
      const slot = this.#idleSlot()
      if (slot === undefined) break
      const run = this.#queue.take(this.#busyRuns().length < this.#options.workerCount)
      if (run === undefined) break
      this.#begin(run, slot)
    }
    const mayBegin = this.#queue.size > 0 && this.#busyRuns().length < this.#options.workerCount
    if (this.#queue.hasFresh || mayBegin) this.#makeRoom()
    else this.#lend()
    this.#early.answer()
  }

  #idleSlot(): WorkerSlot | undefined {
    return this.#slots.find((candidate) => !candidate.busy && !candidate.dead)
  }

  #busyRuns(): readonly Run[] {
    return [...this.#runs.values()].filter(({ slot }) => slot !== null)
  }

  /** For a run that waits: helpers come back, or a long run goes back to the queue. */
  #makeRoom(): void {
    const busy = this.#busyRuns()
    const lenders = busy.flatMap(({ loans }) => (loans === null ? [] : [loans]))
    const coming = lenders.reduce((sum, { leavingCount }) => sum + leavingCount, 0)
    for (let wanted = this.#queue.size - coming; wanted > 0; wanted--) {
      if (!lenders.some((loans) => loans.recall())) break
    }
    const hasHelpers = lenders.some(({ count }) => count > 0)
    if (!hasHelpers && busy.length > this.#options.workerCount) this.#moveLongRun(busy)
  }

  /** Every worker has a run of its own. Looks again when the last of them is no longer short. */
  #moveLongRun(busy: readonly Run[]): void {
    const ends = ({ stopReason: reason, isMoving }: Run) => isMoving || reason !== stopReason.none
    if (busy.some(ends)) return
    const now = this.#options.clock.monotonicMs()
    const shortUntilMs = Math.max(...busy.map(({ begunMs }) => begunMs)) + SHORT_RUN_MS
    if (now >= shortUntilMs) this.#move(runToMove(busy))
    else {
      this.#cancelLook ??= this.#options.after(shortUntilMs - now, () => {
        this.#cancelLook = null
        if (!this.#closed) this.#serveQueue()
      })
    }
  }

  /** Nothing that a run does is seen before it has ended: it may begin anew. */
  #move(run: Run): void {
    run.isMoving = true
    this.#endSoon(run, stopReason.moved)
  }

  #queueAgain(run: Run): void {
    run.pinned?.release()
    run.pinned = null
    run.slot = null
    run.isMoving = false
    run.wasMoved = true
    this.#queue.add(run)
  }

  /** Idle workers help the runs that have the fewest helpers; one stays free for a short run. */
  #lend(): void {
    for (;;) {
      const busyCount = this.#slots.filter(({ busy }) => busy).length
      const slot = busyCount < this.#options.workerCount ? this.#idleSlot() : undefined
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
      run.begunMs = this.#options.clock.monotonicMs()
      run.queuedMs = run.begunMs - run.startMonotonicMs
      this.#options.onBegun?.(run.queuedMs)
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
    const threadsMax = Math.min(run.request.threadsMax ?? Infinity, this.#options.workerCount)
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
      this.#queue.remove(run)
      this.#settle(run, () => run.reject(stopErrorOf(run)))
    } else this.#endSoon(run, reason)
  }

  /** Asks the run's worker to stop, and ends its thread when it does not listen. */
  #endSoon(run: Run, reason: number): void {
    const slot = run.slot!
    const { begunMs } = run
    slot.control.stop(reason)
    const end = () => {
      if (run.slot !== slot || run.begunMs !== begunMs || !this.#runs.has(run.requestId)) return
      void run.loans?.stop()
      void slot.stop()
    }
    run.cancelTimers.push(this.#options.after(STOP_GRACE_MS, end))
  }

  #finish(run: Run, end: SlotEnd): void {
    const counters = run.slot!.control.counters()
    const { loans } = run
    if (loans !== null) this.#early.noteEnd(run.request.plan.id, loans)
    run.loans = null
    if (end.kind === 'lost') void loans?.stop()
    else if (loans !== null) this.#dismiss(loans)
    if (run.isMoving && run.stopReason === stopReason.none && end.kind !== 'done') {
      this.#queueAgain(run)
    } else this.#settle(run, () => this.#answer(run, end, counters))
    if (!this.#closed) this.#goOn()
  }

  /** What helpers still do is of no use: one that does not come back is replaced. */
  #dismiss(loans: Loans): void {
    loans.close()
    if (loans.count > 0) this.#options.after(HELPER_GRACE_MS, () => void loans.stop())
  }

  #answer(run: Run, end: SlotEnd, counters: RunCounters): void {
    if (end.kind === 'done') {
      const elapsedMs = this.#options.clock.monotonicMs() - run.startMonotonicMs
      const { kind: _, ...output } = end
      const { requestId, queuedMs } = run
      const release = this.#use.hold(end.bytes.byteLength)
      run.resolve({ requestId, ...output, counters, elapsedMs, queuedMs, release })
    } else if (end.kind !== 'left') run.reject(errorOf(run, end))
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
    this.#restart()
    this.#serveQueue()
  }

  /** Threads that have ended are replaced, and those that have not begun begin. */
  #restart(): void {
    const dead = this.#slots.filter((slot) => slot.dead && !slot.busy)
    if (dead.length === 0) return
    startSlots(dead).then(
      () => {
        if (!this.#closed) this.#serveQueue()
      },
      () => this.#restartLater(),
    )
  }

  /** A thread that ended without a run, or could not be started: not at once again. */
  #restartLater(): void {
    if (this.#closed || this.#isRestarting) return
    this.#isRestarting = true
    this.#options.after(RESTART_MS, () => {
      this.#isRestarting = false
      if (!this.#closed) this.#restart()
    })
  }
}

/** None at all: a server that runs no queries. */
function threadCountOf(workerCount: number): number {
  return workerCount === 0 ? 0 : workerCount + 1
}

/** One that was moved before has begun where it may stay; of the others the last one. */
function runToMove(busy: readonly Run[]): Run {
  const candidates = busy.filter(({ wasMoved }) => !wasMoved)
  assert(candidates.length > 0, 'the last run that began was not moved before')
  return candidates.reduce((last, run) => (run.begunMs >= last.begunMs ? run : last))
}

function sizeOf({ vertexTables, edgeTables }: GraphView): number {
  const adjacencies = edgeTables.flatMap((table) => table.adjacencies)
  const edges = adjacencies.reduce((sum, { liveCount }) => sum + liveCount, 0)
  return vertexTables.reduce((sum, { liveCount }) => sum + liveCount, edges)
}
