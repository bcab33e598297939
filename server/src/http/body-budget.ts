/**
 * Bytes of request bodies that the server holds at once. A request reserves what it declares, or
 * what has arrived of a body without a length, before the bytes are read.
 */
import { DbError } from '#kernel/errors.ts'
import {
  BODIES_SIZE_BYTES_MIN,
  RETRY_AFTER_SECONDS,
  SMALL_BODIES_SIZE_BYTES_MAX,
  UNKNOWN_BODIES_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'

/** Share of the memory limit that bodies may take. */
const MEMORY_SHARE = 1 / 8

/** The largest permitted body always fits. */
export function bodyBudgetBytes(memoryLimitBytes: number): number {
  return Math.max(BODIES_SIZE_BYTES_MIN, Math.floor(memoryLimitBytes * MEMORY_SHARE))
}

/** Who sends a body. */
export interface BodyOwner {
  /** Null: nobody is known. */
  readonly user: string | null
  /** Where the request comes from; callers who are not known are told apart by it. */
  readonly address: string
  /** The body has a declared length, and a short one. */
  readonly isSmall: boolean
}

/** One owner takes at most half of a pool, except for a single body that is larger than that. */
class Pool {
  readonly limitBytes: number
  readonly #usedByOwner = new Map<string, number>()
  usedBytes = 0

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  /** @param heldBytes what the same body has reserved before */
  reserve(owner: string, bytes: number, heldBytes: number): void {
    const own = this.#usedByOwner.get(owner) ?? 0
    const isAboveShare = own > heldBytes && own + bytes > this.limitBytes / 2
    if (isAboveShare || this.usedBytes + bytes > this.limitBytes) throw exhausted()
    this.usedBytes += bytes
    this.#usedByOwner.set(owner, own + bytes)
  }

  release(owner: string, bytes: number): void {
    this.usedBytes -= bytes
    const left = (this.#usedByOwner.get(owner) ?? 0) - bytes
    if (left > 0) this.#usedByOwner.set(owner, left)
    else this.#usedByOwner.delete(owner)
  }
}

/**
 * Three pools: of known callers, of their small bodies, which large ones must not keep out, and of
 * callers who are not known.
 */
export class BodyBudget {
  readonly #known: Pool
  readonly #small = new Pool(SMALL_BODIES_SIZE_BYTES_MAX)
  readonly #unknown = new Pool(UNKNOWN_BODIES_SIZE_BYTES_MAX)

  constructor(limitBytes: number) {
    this.#known = new Pool(limitBytes)
  }

  /** Bytes that are reserved now. */
  get usedBytes(): number {
    return this.#known.usedBytes + this.#small.usedBytes + this.#unknown.usedBytes
  }

  /** What one body of the owner may take when there is no other. */
  limitOf(owner: BodyOwner): number {
    return this.#poolOf(owner).limitBytes
  }

  /**
   * @param heldBytes what the same body has reserved before
   * @throws DbError UNAVAILABLE with the seconds after which the client may retry
   */
  reserve(owner: BodyOwner, bytes: number, heldBytes = 0): void {
    this.#poolOf(owner).reserve(owner.user ?? owner.address, bytes, heldBytes)
  }

  release(owner: BodyOwner, bytes: number): void {
    this.#poolOf(owner).release(owner.user ?? owner.address, bytes)
  }

  #poolOf({ user, isSmall }: BodyOwner): Pool {
    if (user === null) return this.#unknown
    return isSmall ? this.#small : this.#known
  }
}

function exhausted(): DbError {
  const text = 'Too many request bodies are in flight; try again later.'
  return new DbError('UNAVAILABLE', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } })
}
