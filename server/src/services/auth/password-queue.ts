/**
 * Hashing of passwords, a few at once. A hash takes some 60 ms of a core and one of the four threads
 * that files and compression use, too: without a bound, wrong logins would take all of them.
 *
 * Callers who have signed in where they come from, and changes of passwords, go first. The others
 * wait in a short queue, and are refused when it is full. Changes of one user's password take a few
 * places of the first queue at most: a user could change his own again and again.
 */
import { availableParallelism } from 'node:os'
import { DbError } from '#kernel/errors.ts'
import {
  HASH_QUEUE_LENGTH_MAX,
  KNOWN_HASH_QUEUE_LENGTH_MAX,
  PASSWORD_CHANGES_PER_USER_MAX,
} from '#kernel/limits.ts'

/** One on a small machine: the event loop needs a core, too. */
const RUNNING_MAX = availableParallelism() >= 4 ? 2 : 1

interface Waiting {
  start(): void
}

export class PasswordQueue {
  readonly #runningMax: number
  readonly #known: Waiting[] = []
  readonly #others: Waiting[] = []
  /** Changes that wait or run, by the user whose password they change. */
  readonly #changes = new Map<string, number>()
  #running = 0

  constructor(runningMax: number = RUNNING_MAX) {
    this.#runningMax = runningMax
  }

  /** @throws DbError TOO_MANY_REQUESTS when too many wait */
  run<T>(isKnown: boolean, hash: () => Promise<T>): Promise<T> {
    const queue = isKnown ? this.#known : this.#others
    const lengthMax = isKnown ? KNOWN_HASH_QUEUE_LENGTH_MAX : HASH_QUEUE_LENGTH_MAX
    if (this.#running >= this.#runningMax && queue.length >= lengthMax) {
      throw tooManyRequests('Too many logins at once; try again in a second.', 1_000)
    }
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        this.#running++
        hash()
          .then(resolve, reject)
          .finally(() => {
            this.#running--
            this.#next()
          })
      }
      queue.push({ start })
      this.#next()
    })
  }

  /** For a new password of a user. @throws DbError TOO_MANY_REQUESTS when too many wait */
  async runChange<T>(user: string, hash: () => Promise<T>): Promise<T> {
    const count = this.#changes.get(user) ?? 0
    if (count >= PASSWORD_CHANGES_PER_USER_MAX) {
      throw tooManyRequests(
        'Too many changes of one password at once; try again in a second.',
        1_000,
      )
    }
    this.#changes.set(user, count + 1)
    try {
      return await this.run(true, hash)
    } finally {
      const left = this.#changes.get(user)! - 1
      if (left > 0) this.#changes.set(user, left)
      else this.#changes.delete(user)
    }
  }

  #next(): void {
    if (this.#running >= this.#runningMax) return
    const waiting = this.#known.shift() ?? this.#others.shift()
    waiting?.start()
  }
}

/** @param user whom the audit log names; null: nobody */
export function tooManyRequests(text: string, waitMs: number, user: string | null = null): DbError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const details = { retryAfterSeconds, ...(user !== null && { user }) }
  return new DbError('TOO_MANY_REQUESTS', text, { details })
}
