/** The runs of loading jobs: those under way, and the last ones that ended. A restart forgets them. */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { LoadRun } from './load-run.ts'

const RUNS_KEPT_MAX = 100
/** Each holds a file open, and rows of temporary tables. */
const RUNS_UNDER_WAY_MAX = 32

export class LoadRuns {
  readonly #clock: Clock
  readonly #runs = new Map<string, LoadRun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws DbError UNAVAILABLE when as many are under way as may be */
  checkRoom(): void {
    const underWay = [...this.#runs.values()].filter((run) => !run.hasEnded)
    if (underWay.length < RUNS_UNDER_WAY_MAX) return
    const text = `At most ${RUNS_UNDER_WAY_MAX} loading jobs run at once; one has to end first.`
    throw new DbError('UNAVAILABLE', text)
  }

  add(graph: string, job: string): LoadRun {
    const run = new LoadRun({ id: this.#freeId(graph, job), graph, job }, this.#clock)
    this.#runs.set(run.id, run)
    this.#forgetOldest()
    return run
  }

  #freeId(graph: string, job: string): string {
    let atMs = Math.round(this.#clock.nowMs())
    const idAt = () => `${graph}.${job}.file.m1.${atMs}`
    while (this.#runs.has(idAt())) atMs++
    return idAt()
  }

  #forgetOldest(): void {
    for (const run of this.#runs.values()) {
      if (this.#runs.size <= RUNS_KEPT_MAX) return
      if (run.hasEnded) this.#runs.delete(run.id)
    }
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
    await run.done.catch(() => undefined)
  }

  /** Ends every run, and waits until they have. */
  async close(): Promise<void> {
    const underWay = [...this.#runs.values()].filter((run) => !run.hasEnded)
    for (const run of underWay) run.abort()
    await Promise.allSettled(underWay.map(({ done }) => done))
  }
}
