/**
 * Installations that a client asked for with `async=true`: it polls until one is finished (contract
 * 2.13). They take no noticeable time, so that the first look finds the end. Kept in memory.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'

export interface Installation {
  readonly id: string
  readonly graph: string
  readonly names: readonly string[]
  readonly startMs: number
  endMs: number | null
  /** Why it failed; null: it did not. */
  failure: string | null
}

const KEPT_MAX = 100

export class Installations {
  readonly #clock: Clock
  readonly #kept = new Map<string, Installation>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param asked under the id of the request that asked for it: no other instance has the same */
  start(
    asked: Pick<Installation, 'id' | 'graph' | 'names'>,
    work: () => Promise<unknown>,
  ): Installation {
    const startMs = this.#clock.nowMs()
    const { id } = asked
    const one: Installation = { ...asked, startMs, endMs: null, failure: null }
    this.#kept.set(id, one)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    const end = (failure: string | null) => {
      Object.assign(one, { failure, endMs: this.#clock.nowMs() })
    }
    work().then(
      () => end(null),
      (error: unknown) => end(isDbError(error) ? error.message : 'Internal error.'),
    )
    return one
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(id: string): Installation {
    const found = this.#kept.get(id)
    if (found !== undefined) return found
    throw new DbError('REQUEST_NOT_FOUND', `No installation has the request id '${id}'.`)
  }
}
