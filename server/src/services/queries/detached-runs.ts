/**
 * Runs that nobody waits for (header `GSQL-ASYNC: true`): their answers are kept in memory until
 * newer ones push them out. A restart forgets them, as it ends the runs themselves.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { DETACHED_RUNS_KEPT_MAX } from '#kernel/limits.ts'
import type { RunAnswer, RunCall } from './run-call.ts'

/** What the start of a detached run answers beside its request id. */
export const SUBMITTED =
  'The query is successfully submitted. Please check query status using the request id.'

export interface DetachedRun {
  readonly requestId: string
  readonly graph: string
  readonly user: string
  readonly url: string
  readonly startMs: number
  readonly expirationMs: number
  elapsedMs: number
  status: 'running' | 'success' | 'timeout' | 'aborted'
  outcome: { readonly answer: RunAnswer } | { readonly error: unknown } | null
}

export class DetachedRuns {
  readonly #clock: Clock
  readonly #runs = new Map<string, DetachedRun>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns the request id by which the answer is asked for */
  start(
    graph: string,
    call: RunCall & { readonly timeoutMs: number },
    answer: Promise<RunAnswer>,
  ): string {
    const startMs = this.#clock.nowMs()
    const run: DetachedRun = {
      requestId: call.requestId,
      graph,
      user: call.user,
      url: call.url,
      startMs,
      expirationMs: startMs + call.timeoutMs,
      elapsedMs: 0,
      status: 'running',
      outcome: null,
    }
    this.#runs.set(run.requestId, run)
    this.#forgetOldest()
    answer.then(
      (found) => this.#settle(run, 'success', { answer: found }),
      (error: unknown) => this.#settle(run, statusOf(error), { error }),
    )
    return run.requestId
  }

  #settle(run: DetachedRun, status: DetachedRun['status'], outcome: DetachedRun['outcome']): void {
    run.status = status
    run.outcome = outcome
    run.elapsedMs = this.#clock.nowMs() - run.startMs
  }

  /** Running ones are never forgotten: the pool bounds them. */
  #forgetOldest(): void {
    for (const run of this.#runs.values()) {
      if (this.#runs.size <= DETACHED_RUNS_KEPT_MAX) return
      if (run.outcome !== null) this.#runs.delete(run.requestId)
    }
  }

  /** @param ids request ids, or `all` for every run of the graph */
  list(graph: string | null, ids: readonly string[]): { known: DetachedRun[]; unknown: string[] } {
    const now = this.#clock.nowMs()
    for (const run of this.#runs.values()) {
      if (run.outcome === null) run.elapsedMs = now - run.startMs
    }
    if (ids.length === 0 || ids.includes('all')) {
      const all = [...this.#runs.values()]
      return { known: all.filter((run) => graph === null || run.graph === graph), unknown: [] }
    }
    return {
      known: ids.flatMap((id) => this.#runs.get(id) ?? []),
      unknown: ids.filter((id) => !this.#runs.has(id)),
    }
  }

  /** @throws the error of a run that failed; REQUEST_NOT_FOUND while there is no answer */
  resultOf(requestId: string): RunAnswer {
    const outcome = this.#runs.get(requestId)?.outcome ?? null
    if (outcome === null) {
      throw new DbError('REQUEST_NOT_FOUND', `Unable to retrieve result for query ${requestId}`)
    }
    if ('error' in outcome) throw outcome.error
    return outcome.answer
  }
}

/** The contract has no word for a failure of its own: such a run is over, its answer the error. */
function statusOf(error: unknown): DetachedRun['status'] {
  if (isDbError(error, 'QUERY_TIMEOUT')) return 'timeout'
  return isDbError(error, 'QUERY_ABORTED') ? 'aborted' : 'success'
}
