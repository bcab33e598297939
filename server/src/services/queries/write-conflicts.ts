/**
 * Runs a query that changes the graph until its commit finds what the query read of the elements it
 * changes as it was read (docs/decisions/0122-writes-of-queries.md). The first attempt is optimistic;
 * runs of a graph that met a conflict take turns, so that of many clients that change one element
 * one is always ahead.
 */
import type { MutationOutcome } from '#graph/mutate/outcome.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { RunningQuery, RunResult } from '#query/workers/runs.ts'
import { keyOption, type RequestKey } from '../instances/request-key.ts'

/** A run that loses so often meets writers that never rest; its client may try again. */
export const ATTEMPTS_MAX = 100

const RETRY_AFTER_SECONDS = 1

export interface ConflictOptions {
  readonly clock: Clock
  /** Makes durable and visible what a query changes, or says that it is in conflict. */
  commit(
    frame: Uint8Array,
    options: { readonly key?: string },
  ): Promise<Pick<MutationOutcome, 'isInConflict'>>
}

export interface RepeatableRun {
  readonly requestId: string
  readonly name: string
  readonly graph: string
  readonly url: string
  /** Of all attempts together. */
  readonly timeoutMs: number
  /** Under which its change is made once. */
  readonly key?: RequestKey | undefined
  /** One attempt, to its answer. */
  start(timeoutMs: number): Promise<RunResult>
}

interface Turn {
  readonly listed: RunningQuery
  readonly startMonotonicMs: number
  readonly enter: () => void
  readonly abort: () => void
}

export class WriteConflicts {
  readonly #options: ConflictOptions
  /** By graph: who repeats a run now, and who waits for that, in order. */
  readonly #turns = new Map<string, Turn[]>()

  constructor(options: ConflictOptions) {
    this.#options = options
  }

  /** @throws DbError WRITE_CONFLICT after too many attempts, and what `start` and `commit` throw */
  async run(given: RepeatableRun): Promise<RunResult> {
    const { clock } = this.#options
    const startMs = clock.monotonicMs()
    let turn: Turn | null = null
    try {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const leftMs = given.timeoutMs - (clock.monotonicMs() - startMs)
        if (attempt > 1 && leftMs < 1) break
        const done = await started(given, attempt === 1 ? null : leftMs)
        if (await this.#isCommitted(done, given.key)) return done
        turn ??= await this.#turn(given, startMs)
      }
    } finally {
      if (turn !== null) this.#leave(given.graph, turn)
    }
    throw conflict(given.name)
  }

  /** Runs that wait to be repeated. */
  waiting(): readonly RunningQuery[] {
    const nowMs = this.#options.clock.monotonicMs()
    return [...this.#turns.values()].flatMap((queue) =>
      queue.slice(1).map(({ listed, startMonotonicMs }) => ({
        ...listed,
        elapsedMs: nowMs - startMonotonicMs,
      })),
    )
  }

  /** @returns whether such a run waited; it ends with QUERY_ABORTED */
  abort(requestId: string): boolean {
    for (const [graph, queue] of this.#turns) {
      const turn = queue.slice(1).find(({ listed }) => listed.requestId === requestId)
      if (turn === undefined) continue
      this.#leave(graph, turn)
      turn.abort()
      return true
    }
    return false
  }

  async #isCommitted(done: RunResult, key: RequestKey | undefined): Promise<boolean> {
    if (done.changes === null) return true
    try {
      const { isInConflict } = await this.#options.commit(done.changes, keyOption(key))
      if (isInConflict) done.release()
      return !isInConflict
    } catch (error) {
      done.release()
      throw error
    }
  }

  /** Waits until the runs of the graph that met a conflict before have ended. */
  #turn(given: RepeatableRun, startMonotonicMs: number): Promise<Turn> {
    const { clock } = this.#options
    const { requestId, name, graph, url, timeoutMs } = given
    const startMs = clock.nowMs() - (clock.monotonicMs() - startMonotonicMs)
    const times = { startMs, expirationMs: startMs + timeoutMs, elapsedMs: 0 }
    const counters = { rows: 0, edges: 0, line: 0 }
    const listed = {
      requestId,
      name,
      graph,
      url,
      ...times,
      counters,
      memoryBytes: 0,
      waiting: true,
    }
    return new Promise((resolve, reject) => {
      const expire = () => {
        this.#leave(graph, turn)
        reject(conflict(name))
      }
      const timer = setTimeout(expire, Math.max(0, times.expirationMs - clock.nowMs()))
      const turn: Turn = {
        listed,
        startMonotonicMs,
        enter: () => {
          clearTimeout(timer)
          resolve(turn)
        },
        abort: () => {
          clearTimeout(timer)
          reject(aborted())
        },
      }
      const queue = this.#turns.get(graph) ?? []
      this.#turns.set(graph, queue)
      queue.push(turn)
      if (queue[0] === turn) turn.enter()
    })
  }

  #leave(graph: string, turn: Turn): void {
    const queue = this.#turns.get(graph)
    const at = queue?.indexOf(turn) ?? -1
    if (queue === undefined || at < 0) return
    queue.splice(at, 1)
    if (queue.length === 0) this.#turns.delete(graph)
    else if (at === 0) queue[0]!.enter()
  }
}

/** @param leftMs of a repeated attempt; null: it is the first. The time of the others was lost to conflicts. */
async function started(given: RepeatableRun, leftMs: number | null): Promise<RunResult> {
  try {
    return await given.start(leftMs ?? given.timeoutMs)
  } catch (error) {
    if (leftMs !== null && isDbError(error, 'QUERY_TIMEOUT')) throw conflict(given.name)
    throw error
  }
}

function conflict(query: string): DbError {
  const text = `The changes of the query ${query} were not applied: others changed what it had read, at each attempt.`
  return new DbError(
    'WRITE_CONFLICT',
    `${text} Nothing was written; the request can be sent again.`,
    {
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
    },
  )
}

function aborted(): DbError {
  return new DbError('QUERY_ABORTED', 'The query was aborted by the user.', {
    details: { code: 'REST-12002' },
  })
}
