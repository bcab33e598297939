/**
 * Bytes of request bodies that the server holds at once. A request reserves what it declares, or
 * what has arrived of a body without a length, before the bytes are read.
 */
import { DbError } from '#kernel/errors.ts'
import {
  BODIES_SIZE_BYTES_MIN,
  RETRY_AFTER_SECONDS,
  UNKNOWN_BODIES_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'

/** Share of the memory limit that bodies may take. */
const MEMORY_SHARE = 1 / 8

/** The largest permitted body always fits. */
export function bodyBudgetBytes(memoryLimitBytes: number): number {
  return Math.max(BODIES_SIZE_BYTES_MIN, Math.floor(memoryLimitBytes * MEMORY_SHARE))
}

export class BodyBudget {
  readonly #limitBytes: number
  readonly #usedByOwner = new Map<string, number>()
  #usedBytes = 0
  /** Callers without an identity have a small budget of their own. */
  #unknownBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Bytes that are reserved now. */
  get usedBytes(): number {
    return this.#usedBytes + this.#unknownBytes
  }

  /**
   * One user takes at most half of the budget, except for a single body that is larger than that.
   * @param owner the user; null: nobody is known
   * @throws DbError UNAVAILABLE with the seconds after which the client may retry
   */
  reserve(owner: string | null, bytes: number): void {
    if (owner === null) {
      if (this.#unknownBytes + bytes > UNKNOWN_BODIES_SIZE_BYTES_MAX) throw exhausted()
      this.#unknownBytes += bytes
      return
    }
    const own = this.#usedByOwner.get(owner) ?? 0
    const isAboveShare = own > 0 && own + bytes > this.#limitBytes / 2
    if (isAboveShare || this.#usedBytes + bytes > this.#limitBytes) throw exhausted()
    this.#usedBytes += bytes
    this.#usedByOwner.set(owner, own + bytes)
  }

  release(owner: string | null, bytes: number): void {
    if (owner === null) {
      this.#unknownBytes -= bytes
      return
    }
    this.#usedBytes -= bytes
    const left = (this.#usedByOwner.get(owner) ?? 0) - bytes
    if (left > 0) this.#usedByOwner.set(owner, left)
    else this.#usedByOwner.delete(owner)
  }
}

function exhausted(): DbError {
  const text = 'Too many request bodies are in flight; try again later.'
  return new DbError('UNAVAILABLE', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } })
}
