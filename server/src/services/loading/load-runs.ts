/**
 * The runs of loading jobs: those that wait, those under way, and those that ended. So many run at
 * once; the others wait for one of them to end. Runs over files are stored, so that a restart knows
 * them; runs over data that came with a request are not: their request is answered when they end.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  LOAD_RUN_KEPT_MS_MAX,
  LOAD_RUN_SAVE_EVERY_MS,
  LOAD_RUNS_KEPT_MAX,
  LOAD_RUNS_UNDER_WAY_MAX,
  LOAD_RUNS_WAITING_MAX,
} from '#kernel/limits.ts'
import { LoadRun } from './load-run.ts'
import type { LoadRunStore, StoredRequest } from './load-run-store.ts'

interface Waiting {
  readonly run: LoadRun
  readonly begin: () => void
}

export class LoadRuns {
  readonly #clock: Clock
  readonly #store: LoadRunStore
  readonly #runs = new Map<string, LoadRun>()
  /** Those that hold a file open, and rows of temporary tables. */
  readonly #underWay = new Set<LoadRun>()
  readonly #waiting: Waiting[] = []
  #isClosed = false

  constructor(clock: Clock, store: LoadRunStore) {
    this.#clock = clock
    this.#store = store
    for (const stored of store.stored) {
      this.#runs.set(stored.id, LoadRun.restored(stored, clock))
    }
  }

  /** @throws DbError UNAVAILABLE when as many wait as may */
  checkRoom(): void {
    if (this.#waiting.length < LOAD_RUNS_WAITING_MAX) return
    const text = `At most ${LOAD_RUNS_WAITING_MAX} loading jobs wait for others to end.`
    throw new DbError('UNAVAILABLE', text)
  }

  /** @param request of a run that is stored; null: of one that is not */
  async add(graph: string, job: string, request: StoredRequest | null): Promise<LoadRun> {
    const run = new LoadRun({ id: this.#freeId(graph, job), graph, job, request }, this.#clock)
    this.#runs.set(run.id, run)
    this.#forgetOldest()
    await this.save(run)
    return run
  }

  #freeId(graph: string, job: string): string {
    let atMs = Math.round(this.#clock.nowMs())
    const idAt = () => `${graph}.${job}.file.m1.${atMs}`
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
  }

  isSaveDue(run: LoadRun): boolean {
    return run.isStored && this.#clock.nowMs() - run.savedMs >= LOAD_RUN_SAVE_EVERY_MS
  }

  /** Resolves when the run may begin; at once for one that is aborted. */
  async begin(run: LoadRun): Promise<void> {
    if (this.#underWay.size >= LOAD_RUNS_UNDER_WAY_MAX && !run.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting.push({ run, begin: resolve })
        run.signal.addEventListener('abort', () => this.#leave(run), { once: true })
      })
    }
    this.#underWay.add(run)
  }

  #leave(run: LoadRun): void {
    const index = this.#waiting.findIndex((one) => one.run === run)
    const [left] = index < 0 ? [] : this.#waiting.splice(index, 1)
    left?.begin()
  }

  /** A run that waits takes its place. */
  end(run: LoadRun): void {
    this.#underWay.delete(run)
    const isRoom = this.#underWay.size < LOAD_RUNS_UNDER_WAY_MAX
    if (isRoom) this.#waiting.shift()?.begin()
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
    await Promise.allSettled(underWay.map(({ done }) => done))
  }
}
