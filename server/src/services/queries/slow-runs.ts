/**
 * The log of slow runs: what they were given, how they ended, and the plan they followed. It is in
 * memory and holds the newest; a restart forgets it.
 */
import type { Clock } from '#kernel/clock.ts'
import { isDbError } from '#kernel/errors.ts'
import { SLOW_RUN_MS_MIN, SLOW_RUN_TEXT_CHARS_MAX, SLOW_RUNS_KEPT_MAX } from '#kernel/limits.ts'
import type { PlanStep } from '#query/explain/explain.ts'
import type { RunResult } from '#query/workers/runs.ts'
import type { ArgumentSource } from './arguments.ts'

export interface SlowRun {
  readonly requestId: string
  /** Of the client's trace; null: it has named none. */
  readonly traceId: string | null
  readonly graph: string
  readonly query: string
  readonly user: string
  /** Of its request. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly startMs: number
  /** Waiting for a worker included. */
  readonly elapsedMs: number
  readonly outcome: 'done' | 'timeout' | 'aborted' | 'failed'
  /** Of what ended it early. */
  readonly message: string
  /** Null: it did not come to its end. */
  readonly counters: { readonly rows: number; readonly edges: number } | null
  readonly peakMemoryBytes: number | null
  /** As JSON; what was given in a URL as texts. */
  readonly parameters: string
  readonly text: string
  /** Empty until the plan is known, and where it cannot be told. */
  steps: readonly PlanStep[]
}

/** What is known of a run before it begins. */
export interface WatchedRun {
  readonly requestId: string
  readonly traceId: string | null
  readonly graph: string
  readonly query: string
  readonly user: string
  readonly url: string
  readonly text: string
  readonly source: ArgumentSource
  /** Called only when the run was slow. */
  plan(): Promise<readonly PlanStep[]>
}

export class SlowRuns {
  readonly #clock: Clock
  /** Oldest first. */
  readonly #runs: SlowRun[] = []
  #forgottenUntilMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Passes on what the run comes to, and notes it when it took long. */
  async watch(run: WatchedRun, result: Promise<RunResult>): Promise<RunResult> {
    const startMs = this.#clock.nowMs()
    const start = this.#clock.monotonicMs()
    const note = (ending: Pick<SlowRun, 'outcome' | 'message'>, done: RunResult | null) => {
      const elapsedMs = this.#clock.monotonicMs() - start
      if (elapsedMs >= SLOW_RUN_MS_MIN) this.#add(run, { startMs, elapsedMs, ...ending }, done)
    }
    try {
      const done = await result
      note({ outcome: 'done', message: '' }, done)
      return done
    } catch (error) {
      note(endingOf(error), null)
      throw error
    }
  }

  #add(
    { requestId, traceId, graph, query, user, url, text, source, plan }: WatchedRun,
    course: Pick<SlowRun, 'startMs' | 'elapsedMs' | 'outcome' | 'message'>,
    done: RunResult | null,
  ): void {
    const slow: SlowRun = {
      requestId,
      traceId,
      graph,
      query,
      user,
      url,
      ...course,
      counters: done === null ? null : { rows: done.counters.rows, edges: done.counters.edges },
      peakMemoryBytes: done?.peakMemoryBytes ?? null,
      parameters: parametersText(source),
      text: cut(text),
      steps: [],
    }
    this.#runs.push(slow)
    plan().then(
      (steps) => {
        slow.steps = steps
      },
      () => undefined,
    )
    if (this.#runs.length <= SLOW_RUNS_KEPT_MAX) return
    const { startMs, elapsedMs } = this.#runs.shift()!
    this.#forgottenUntilMs = Math.max(this.#forgottenUntilMs ?? 0, startMs + elapsedMs)
  }

  /** Epoch milliseconds; null: none was forgotten. */
  get forgottenUntilMs(): number | null {
    return this.#forgottenUntilMs
  }

  /** Newest first. @param graph null: of all graphs */
  list(graph: string | null): readonly SlowRun[] {
    const ofGraph = this.#runs.filter((run) => graph === null || run.graph === graph)
    return ofGraph.reverse()
  }

  find(requestId: string): SlowRun | undefined {
    return this.#runs.findLast((run) => run.requestId === requestId)
  }
}

function endingOf(error: unknown): Pick<SlowRun, 'outcome' | 'message'> {
  const message = error instanceof Error ? error.message : String(error)
  const code = isDbError(error) ? error.code : ''
  if (code === 'QUERY_TIMEOUT') return { outcome: 'timeout', message }
  return { outcome: code === 'QUERY_ABORTED' ? 'aborted' : 'failed', message }
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** As JSON, exact, cut where it is very long. */
export function parametersText({ url, body }: ArgumentSource): string {
  const exact = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? rawJSON(value.toString()) : value
  return cut(JSON.stringify({ ...url, ...body }, exact))
}

const cut = (text: string): string =>
  text.length <= SLOW_RUN_TEXT_CHARS_MAX ? text : `${text.slice(0, SLOW_RUN_TEXT_CHARS_MAX)}…`
