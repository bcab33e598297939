/**
 * Slows down guessing (contract 1.9): after five failures in a row a user waits 10 seconds, and
 * twice as long after every further one. Attempts under way count as failures until they end, so
 * that many at once are no more guesses than one after the other. Kept in memory: a restart forgives.
 */
import type { Clock } from '#kernel/clock.ts'

const FREE_FAILURES = 5
const FIRST_WAIT_MS = 10_000
const WAIT_MS_MAX = 3_600_000
/** Names that fail are chosen by the caller: their number is limited. */
const USERS_MAX = 10_000

interface Failures {
  count: number
  nextAttemptMs: number
}

export class LoginLimit {
  readonly #clock: Clock
  readonly #failures = new Map<string, Failures>()
  /** How many attempts are under way; absent: none. */
  readonly #underWay = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns milliseconds until the user may try again; 0 when now */
  waitMs(user: string): number {
    const failures = this.#failures.get(user)
    return failures ? Math.max(0, failures.nextAttemptMs - this.#clock.nowMs()) : 0
  }

  /** @returns whether an attempt may begin beside those under way; it has to `end` then */
  begin(user: string): boolean {
    const underWay = this.#underWay.get(user) ?? 0
    if (underWay > 0 && this.failureCount(user) + underWay >= FREE_FAILURES) return false
    this.#underWay.set(user, underWay + 1)
    return true
  }

  end(user: string): void {
    const left = (this.#underWay.get(user) ?? 1) - 1
    if (left === 0) this.#underWay.delete(user)
    else this.#underWay.set(user, left)
  }

  failureCount(user: string): number {
    return this.#failures.get(user)?.count ?? 0
  }

  fail(user: string): void {
    const failures = this.#failures.get(user) ?? { count: 0, nextAttemptMs: 0 }
    failures.count++
    if (failures.count >= FREE_FAILURES) {
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (failures.count - FREE_FAILURES), WAIT_MS_MAX)
      failures.nextAttemptMs = this.#clock.nowMs() + waitMs
    }
    this.#failures.delete(user)
    this.#failures.set(user, failures)
    if (this.#failures.size > USERS_MAX) this.#forgetOldest()
  }

  succeed(user: string): void {
    this.#failures.delete(user)
  }

  #forgetOldest(): void {
    const [oldest] = this.#failures.keys()
    if (oldest !== undefined) this.#failures.delete(oldest)
  }
}
