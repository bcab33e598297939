/**
 * The runs of loading jobs: those that wait, those under way, and those that ended. So many run at
 * once; the others wait for a place. Users take turns: who has fewest places gets the next one, and a
 * long run of somebody else gives its place up for a while. A paused run has no place. Runs over files are stored, so that a restart knows
 * them; runs over data that came with a request are not: their request is answered when they end.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  LOAD_RUN_KEPT_MS_MAX,
  LOAD_RUNS_KEPT_MAX,
  LOAD_RUNS_UNDER_WAY_MAX,
  LOAD_RUNS_WAITING_MAX,
} from '#kernel/limits.ts'
import type { AppliedPosition } from './load-protocol.ts'
import { LoadRun } from './load-run.ts'
import type { LoadRunStore, StoredLoadRun, StoredRequest } from './load-run-store.ts'

interface Waiting {
  readonly run: LoadRun
  readonly begin: () => void
}

/** How long a run goes on before it gives its place up for another user's. */
const TURN_MS_MIN = 2_000
/** A run that has to read up to its place again goes on so many times longer than that takes. */
const TURN_PER_SKIP = 4
/** How long runs have to come to the end of a line when the server stops. */
const CLOSE_MS_MAX = 1_500

/** How far runs are, by what is in the graph. */
export interface RunPositions {
  readonly runs: readonly string[]
  of(run: string): ReadonlyMap<number, AppliedPosition>
  forget(run: string): void
}

export interface LoadRunsOptions {
  readonly clock: Clock
  readonly runs: LoadRunStore
  readonly positions: RunPositions
  /** Of this instance among those that share the store, from 1; a server alone has 1. */
  ordinal(): number
  /** Calls back once after so many milliseconds; returns what cancels that. */
  after(ms: number, call: () => void): () => void
}

export class LoadRuns {
  readonly #clock: Clock
  readonly #store: LoadRunStore
  readonly #runs = new Map<string, LoadRun>()
  /** Those that have a thread. */
  readonly #underWay = new Set<LoadRun>()
  readonly #positions: RunPositions
  readonly #ordinal: () => number
  readonly #after: (ms: number, call: () => void) => () => void
  /** Number of the last place that each user got; the smallest goes first. */
  readonly #served = new Map<string | null, number>()
  #servedCount = 0
  readonly #waiting: Waiting[] = []
  #isClosed = false

  constructor({ clock, runs: store, positions, ordinal, after }: LoadRunsOptions) {
    this.#clock = clock
    this.#store = store
    this.#positions = positions
    this.#ordinal = ordinal
    this.#after = after
    for (const stored of store.stored) {
      const run = LoadRun.restored(stored, clock, positions.of(stored.id))
      this.#runs.set(stored.id, run)
    }
    for (const id of positions.runs) {
      if (this.#runs.get(id)?.state !== 'INTERRUPTED') positions.forget(id)
    }
    store.watch((id, stored) => this.#take(id, stored))
    void store.asWriter(async () => this.#findInterrupted())
  }

  /** What another instance has written of a run. One that is under way here learns of it by itself. */
  #take(id: string, stored: StoredLoadRun | null): void {
    const isOver = stored === null || stored.endMs !== null
    if (this.#runs.get(id)?.hasEnded === false) return
    if (stored === null) this.#runs.delete(id)
    else this.#runs.set(id, LoadRun.restored(stored, this.#clock, this.#positions.of(id)))
    if (isOver) this.#positions.forget(id)
  }

  /** As the writer: what an earlier one has interrupted goes on behind what is in the graph by now. */
  #findInterrupted(): void {
    for (const run of this.#runs.values()) {
      const stored = run.state === 'INTERRUPTED' ? run.record() : null
      if (stored === null) continue
      const applied = this.#positions.of(run.id)
      this.#runs.set(run.id, LoadRun.restored(stored, this.#clock, applied))
    }
  }

  /** @throws DbError UNAVAILABLE when as many wait as may */
  checkRoom(): void {
    if (this.#waiting.length < LOAD_RUNS_WAITING_MAX) return
    const text = `At most ${LOAD_RUNS_WAITING_MAX} loading jobs wait for others to end.`
    throw new DbError('UNAVAILABLE', text)
  }

  /** @param request of a run that is stored; null: of one that is not */
  async add(
    { graph, job, user }: { graph: string; job: string; user: string | null },
    request: StoredRequest | null,
  ): Promise<LoadRun> {
    const id = this.#freeId(graph, job)
    const run = new LoadRun({ id, graph, job, request, user }, this.#clock)
    this.#runs.set(run.id, run)
    this.#forgetOldest()
    await this.save(run)
    return run
  }

  /** With the number of the instance, so that no two give out the same one, whatever their clocks say. */
  #freeId(graph: string, job: string): string {
    let atMs = Math.round(this.#clock.nowMs())
    const idAt = () => `${graph}.${job}.file.m${this.#ordinal()}.${atMs}`
    while (this.#runs.has(idAt())) atMs++
    return idAt()
  }

  /** By number and by age. */
  #forgetOldest(): void {
    const oldestMs = this.#clock.nowMs() - LOAD_RUN_KEPT_MS_MAX
    for (const run of this.#runs.values()) {
      const isOld = (run.endMs ?? run.startMs) < oldestMs
      if (this.#runs.size <= LOAD_RUNS_KEPT_MAX && !isOld) return
      if (!run.hasEnded) continue
      this.#runs.delete(run.id)
      // A record that cannot be deleted is found, and forgotten, after the next start.
      if (run.isStored) this.#store.delete(run.id).catch(() => undefined)
    }
  }

  /** Writes down what of a run is in the graph. */
  async save(run: LoadRun): Promise<void> {
    const record = run.record()
    if (record !== null) await this.#store.put(record)
    if (run.hasEnded && run.state !== 'INTERRUPTED') this.#positions.forget(run.id)
  }

  /** One that no list shows. */
  unlisted(graph: string, user: string | null): LoadRun {
    return new LoadRun({ id: '', graph, job: '', request: null, user }, this.#clock)
  }

  /** Resolves when the run has a place, or is not to have one: it is paused or aborted. */
  async begin(run: LoadRun): Promise<void> {
    if (run.signal.aborted || run.paused !== null) return
    if (this.#underWay.size >= LOAD_RUNS_UNDER_WAY_MAX) {
      const leave = () => this.#leave(run)
      await new Promise<void>((resolve) => {
        this.#waiting.push({ run, begin: resolve })
        run.signal.addEventListener('abort', leave, { once: true })
        run.onPause = leave
      })
      run.signal.removeEventListener('abort', leave)
      run.onPause = null
      if (run.signal.aborted || run.paused !== null) this.#fill()
    } else this.#serve(run)
  }

  #serve(run: LoadRun): void {
    this.#underWay.add(run)
    this.#servedCount += 1
    this.#served.set(run.user, this.#servedCount)
  }

  #leave(run: LoadRun): void {
    const index = this.#waiting.findIndex((one) => one.run === run)
    const [left] = index < 0 ? [] : this.#waiting.splice(index, 1)
    left?.begin()
  }

  /** A run that waits takes its place. */
  end(run: LoadRun): void {
    this.#underWay.delete(run)
    this.#fill()
  }

  #fill(): void {
    while (this.#waiting.length > 0 && this.#underWay.size < LOAD_RUNS_UNDER_WAY_MAX) {
      const next = this.#takeNext()
      this.#serve(next.run)
      next.begin()
    }
    if (this.#waiting.length === 0 && this.#underWay.size === 0) this.#served.clear()
  }

  /** Of the user with the fewest places, or else the one served longest ago, the oldest. */
  #takeNext(): Waiting {
    const servedOf = ({ run }: Waiting) => this.#served.get(run.user) ?? 0
    const [next] = this.#waiting.toSorted(
      (one, other) =>
        this.#placesOf(one.run.user) - this.#placesOf(other.run.user) ||
        servedOf(one) - servedOf(other),
    )
    this.#waiting.splice(this.#waiting.indexOf(next!), 1)
    return next!
  }

  #placesOf(user: string | null): number {
    let count = 0
    for (const run of this.#underWay) if (run.user === user) count += 1
    return count
  }

  /** Called now and then: a run that has had its turn gives its place to a user who has fewer. */
  takeTurns(): void {
    const fewest = Math.min(...this.#waiting.map(({ run }) => this.#placesOf(run.user)))
    const [longest] = [...this.#underWay]
      .filter((run) => run.isDivisible && this.#placesOf(run.user) > fewest)
      .filter((run) => (run.stretchMs ?? 0) >= TURN_MS_MIN + TURN_PER_SKIP * run.skipMs)
      .toSorted((one, other) => (other.stretchMs ?? 0) - (one.stretchMs ?? 0))
    longest?.yieldPlace()
  }

  /** Newest first. */
  of(graph: string): LoadRun[] {
    return [...this.#runs.values()].filter((run) => run.graph === graph).reverse()
  }

  /** @param graph null: any. @throws DbError REQUEST_NOT_FOUND, for a run of another graph, too */
  require(id: string, graph: string | null): LoadRun {
    const run = this.#runs.get(id)
    if (run !== undefined && (graph === null || run.graph === graph)) return run
    throw new DbError('REQUEST_NOT_FOUND', `The loading job id '${id}' does not exist.`)
  }

  /** Ends a run, and waits until it has. @throws DbError INVALID_PARAMETER when it has before */
  async abort(run: LoadRun): Promise<void> {
    run.abort()
    if (run.hasEnded) await this.save(run)
    await run.done.catch(() => undefined)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Interrupts every run, and waits until they have stopped. */
  async close(): Promise<void> {
    this.#isClosed = true
    const underWay = [...this.#runs.values()].filter((run) => !run.hasEnded)
    for (const run of underWay) run.interrupt()
    const cancel = this.#after(CLOSE_MS_MAX, () => {
      for (const run of underWay) run.cut()
    })
    await Promise.allSettled(underWay.map(({ done }) => done))
    cancel()
  }
}
