/**
 * One read of the graph. Short ones run at once over the present view; a long one stops every few
 * milliseconds for others, and from its first stop on holds a pinned version, so that it sees one
 * state from beginning to end.
 */
import type { Catalog } from '#catalog/types.ts'
import type { GraphView, PinnedView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { APPLY_SLICE_MS_MAX, QUERY_TIMEOUT_MS_DEFAULT } from '#kernel/limits.ts'
import { readTurns, type TurnTaker } from './read-turns.ts'

/** What reads need of the engine. */
export interface ReadEngine {
  readonly catalog: Catalog
  readonly earlyAnswered: Promise<void> | null
  view(): GraphView
  pin(onRevoke?: (() => void) | null): PinnedView
}

export interface ReadLimits {
  /** `timeout` parameter, in seconds; 0 or absent: the default. */
  readonly timeoutSeconds?: number | undefined
  /** `GSQL-TIMEOUT` header, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** The user: how many reads may wait is limited for each. */
  readonly owner?: string | undefined
  /** Raised when the client goes away. */
  readonly signal?: AbortSignal | undefined
  /** Called when the read takes its view: it may have waited for its turn. */
  readonly onBegin?: (() => void) | undefined
}

/** Rows between two looks at the clock. */
export const ROWS_PER_LOOK = 256

export class ReadScope implements TurnTaker {
  readonly view: GraphView
  readonly owner: string
  readonly #engine: ReadEngine
  readonly #clock: Clock
  readonly #startMs: number
  readonly #limitMs: number
  readonly #timeoutCode: string
  readonly #signal: AbortSignal | undefined
  #sliceStartMs: number
  #pinned: PinnedView | null = null
  #isRevoked = false

  constructor(engine: ReadEngine, clock: Clock, limits: ReadLimits = {}) {
    this.#engine = engine
    this.#clock = clock
    this.view = engine.view()
    limits.onBegin?.()
    this.#startMs = clock.monotonicMs()
    this.#sliceStartMs = this.#startMs
    const { timeoutMs = 0, timeoutSeconds = 0, signal, owner = '' } = limits
    this.owner = owner
    this.#signal = signal
    this.#limitMs = timeoutMs || timeoutSeconds * 1_000 || QUERY_TIMEOUT_MS_DEFAULT
    this.#timeoutCode = timeoutMs > 0 ? 'REST-3000' : timeoutSeconds > 0 ? 'REST-3001' : 'REST-3002'
  }

  /** Whether it is time for `pause`. Look every ROWS_PER_LOOK rows or so. */
  get isDue(): boolean {
    return this.#clock.monotonicMs() - this.#sliceStartMs >= APPLY_SLICE_MS_MAX
  }

  /** Whether it has timed out, or its client has gone. */
  get isOver(): boolean {
    return (
      this.#signal?.aborted === true || this.#clock.monotonicMs() - this.#startMs > this.#limitMs
    )
  }

  /**
   * Lets others run.
   * @throws DbError QUERY_TIMEOUT, QUERY_ABORTED when the client has gone, or UNAVAILABLE when the
   *   version was taken away
   */
  async pause(): Promise<void> {
    this.#pinned ??= this.#engine.pin(() => {
      this.#isRevoked = true
    })
    readTurns.spend(this.#clock.monotonicMs() - this.#sliceStartMs)
    await readTurns.next(this)
    if (this.#signal?.aborted) throw new DbError('QUERY_ABORTED', 'The client has gone away.')
    if (this.#isRevoked) {
      throw new DbError(
        'UNAVAILABLE',
        'The read was given up: too many writes changed what it was reading.',
      )
    }
    const now = this.#clock.monotonicMs()
    if (now - this.#startMs > this.#limitMs) throw this.#timedOut()
    this.#sliceStartMs = now
  }

  /** Lets go of the version; nothing of the view may be read afterwards. */
  close(): void {
    readTurns.end(this)
    readTurns.spend(this.#clock.monotonicMs() - this.#sliceStartMs)
    this.#pinned?.release()
    this.#pinned = null
  }

  #timedOut(): DbError {
    const seconds = this.#limitMs / 1_000
    return new DbError(
      'QUERY_TIMEOUT',
      `The query didn't finish because it exceeded the query timeout threshold (${seconds} seconds).`,
      { details: { contractCode: this.#timeoutCode } },
    )
  }
}

/**
 * A computation in slices: it yields where `isDue` says so and goes on when it is called again.
 * Not async on purpose: between two yields nothing else runs, not even what waits for a promise,
 * so the present view may be read without a pin until the first of them.
 */
export type Sliced<T> = Generator<undefined, T>

/** The answer of a read too short for slices. */
export interface AtOnce<T> {
  readonly answer: T
}

/** Runs `read` over the state after every write answered so far, and lets go of it. */
export async function withScope<T>(
  { engine, clock, limits }: ReadContext,
  read: (scope: ReadScope) => Sliced<T> | AtOnce<T>,
): Promise<T> {
  if (engine.earlyAnswered !== null) await engine.earlyAnswered
  const { owner = '' } = limits
  while (!readTurns.mayBegin(owner)) await readTurns.nextTurn(owner)
  const scope = new ReadScope(engine, clock, limits)
  try {
    const slices = read(scope)
    if ('answer' in slices) return slices.answer
    let slice = slices.next()
    while (!slice.done) {
      await scope.pause()
      slice = slices.next()
    }
    return slice.value
  } finally {
    scope.close()
  }
}

export interface ReadContext {
  readonly engine: ReadEngine
  readonly clock: Clock
  readonly limits: ReadLimits
}
