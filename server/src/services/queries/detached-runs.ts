/**
 * Runs that nobody waits for (header `GSQL-ASYNC: true`): their answers are kept in memory for an
 * hour, as far as there is room; the oldest ones of the user with too many go first. A restart
 * forgets them, as it ends the runs themselves.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import {
  DETACHED_RESULT_AGE_MS_MAX,
  DETACHED_RESULTS_SIZE_BYTES_DEFAULT,
  DETACHED_RUNS_KEPT_MAX,
  DETACHED_RUNS_KEPT_PER_USER_MAX,
} from '#kernel/limits.ts'
import type { RunAnswer, RunCall } from './run-call.ts'
import { StoredAnswer } from './stored-answer.ts'

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
  outcome: { readonly answer: StoredAnswer } | { readonly error: unknown } | null
}

/** What ended runs hold. */
interface Held {
  count: number
  bytes: number
}

export class DetachedRuns {
  readonly #clock: Clock
  /** In the order in which they were started. */
  readonly #runs = new Map<string, DetachedRun>()
  readonly #sizeBytesMax: number
  readonly #all: Held = { count: 0, bytes: 0 }
  readonly #byUser = new Map<string, Held>()

  constructor(clock: Clock, sizeBytesMax = DETACHED_RESULTS_SIZE_BYTES_DEFAULT) {
    this.#clock = clock
    this.#sizeBytesMax = sizeBytesMax
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
    this.#forgetExpired()
    answer.then(
      (found) => this.#settle(run, 'success', this.#kept(found)),
      (error: unknown) => this.#settle(run, statusOf(error), { error }),
    )
    return run.requestId
  }

  /** An answer that no user may have kept is an error instead. */
  #kept(answer: RunAnswer): NonNullable<DetachedRun['outcome']> {
    if (answer.json.byteLength <= this.#sizeBytesMax / 2)
      return { answer: new StoredAnswer(answer) }
    answer.release()
    const size = Math.ceil(answer.json.byteLength / 2 ** 20)
    const text = `The answer of the query has ${size} MB: the server keeps no answer of this size.`
    return { error: new DbError('RESPONSE_TOO_LARGE', text, { details: { results: [] } }) }
  }

  #settle(
    run: DetachedRun,
    status: DetachedRun['status'],
    outcome: NonNullable<DetachedRun['outcome']>,
  ): void {
    run.status = status
    run.outcome = outcome
    run.elapsedMs = this.#clock.nowMs() - run.startMs
    this.#hold(run, 1)
    this.#forgetOldest(run.user)
  }

  #hold(run: DetachedRun, sign: 1 | -1): void {
    const own = this.#byUser.get(run.user) ?? { count: 0, bytes: 0 }
    this.#byUser.set(run.user, own)
    for (const held of [own, this.#all]) {
      held.count += sign
      held.bytes += sign * bytesOf(run)
    }
    if (own.count === 0) this.#byUser.delete(run.user)
  }

  /** Running ones are never forgotten: the pool bounds them. */
  #forgetOldest(user: string): void {
    this.#forgetExpired()
    const own = this.#byUser.get(user)
    const ofUser = { countMax: DETACHED_RUNS_KEPT_PER_USER_MAX, bytesMax: this.#sizeBytesMax / 2 }
    const ofAll = { countMax: DETACHED_RUNS_KEPT_MAX, bytesMax: this.#sizeBytesMax }
    const exceeds = (held: Held | undefined, max: typeof ofUser): boolean =>
      held !== undefined && (held.count > max.countMax || held.bytes > max.bytesMax)
    for (const run of this.#runs.values()) {
      const isOwnTurn = run.user === user && exceeds(own, ofUser)
      if (run.outcome !== null && (isOwnTurn || exceeds(this.#all, ofAll))) this.#forget(run)
    }
  }

  #forgetExpired(): void {
    const now = this.#clock.nowMs()
    for (const run of this.#runs.values()) {
      const isOver = run.outcome !== null
      if (isOver && now - run.startMs - run.elapsedMs >= DETACHED_RESULT_AGE_MS_MAX) {
        this.#forget(run)
      }
    }
  }

  #forget(run: DetachedRun): void {
    this.#runs.delete(run.requestId)
    this.#hold(run, -1)
    if (run.outcome !== null && 'answer' in run.outcome) run.outcome.answer.release()
  }

  /** @param ids request ids, or `all` for every run of the graph */
  list(graph: string | null, ids: readonly string[]): { known: DetachedRun[]; unknown: string[] } {
    this.#forgetExpired()
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
    this.#forgetExpired()
    const outcome = this.#runs.get(requestId)?.outcome ?? null
    if (outcome === null) {
      throw new DbError('REQUEST_NOT_FOUND', `Unable to retrieve result for query ${requestId}`)
    }
    if ('error' in outcome) throw outcome.error
    return outcome.answer
  }
}

function bytesOf({ outcome }: DetachedRun): number {
  return outcome !== null && 'answer' in outcome ? outcome.answer.sizeBytes : 0
}

/** The contract has no word for a failure of its own: such a run is over, its answer the error. */
function statusOf(error: unknown): DetachedRun['status'] {
  if (isDbError(error, 'QUERY_TIMEOUT')) return 'timeout'
  return isDbError(error, 'QUERY_ABORTED') ? 'aborted' : 'success'
}
