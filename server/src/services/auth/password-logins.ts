/** Logins by password: checked by a hash, and believed for a while without one. */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { type Attempt, addressGroup, type LoginLimit } from './login-limit.ts'
import { type PasswordQueue, tooManyRequests } from './password-queue.ts'
import { type PasswordHash, unfittingHash, type verifyPassword } from './passwords.ts'
import type { User, UserStore } from './user-store.ts'

/**
 * How long a verified password is believed without hashing it again. An entry ends with the hash
 * that it was verified against, so a changed password takes effect at once.
 */
const REMEMBER_PASSWORD_MS = 3_600_000
const REMEMBERED_MAX = 10_000

interface Verified {
  readonly user: string
  readonly untilMs: number
  readonly password: PasswordHash
}

interface PasswordLoginsOptions {
  readonly users: UserStore
  readonly limit: LoginLimit
  readonly queue: PasswordQueue
  readonly clock: Pick<Clock, 'nowMs'>
  readonly verifyPassword: typeof verifyPassword
  readonly passwordCost?: number | undefined
}

export class PasswordLogins {
  readonly #options: PasswordLoginsOptions
  /** By keyed hashes of name and password. */
  readonly #verified = new Map<string, Verified>()
  readonly #cacheKey = randomBytes(32).toString('base64')
  readonly #running = new Map<string, Promise<User>>()
  readonly #lastLoginMs = new Map<string, number>()
  /** Costs as much as the hash of a user, and no password fits. */
  readonly #nobodys: PasswordHash

  constructor(options: PasswordLoginsOptions) {
    this.#options = options
    this.#nobodys = unfittingHash(options.passwordCost)
  }

  lastLoginMs(user: string): number | undefined {
    return this.#lastLoginMs.get(user)
  }

  /** The user of a name and password that were verified lately; null: they have to be hashed. */
  recall(name: string, password: string): User | null {
    const { users, clock } = this.#options
    const entry = this.#verified.get(this.#keyOf(name, password))
    const user = entry === undefined ? undefined : users.find(entry.user)
    if (entry === undefined || user === undefined) return null
    // The hash itself: a name that was dropped and taken again has another one.
    return entry.untilMs > clock.nowMs() && entry.password === user.password ? user : null
  }

  /** The first requests of a client come together: they share one hash. */
  logInOnce(name: string, password: string, address: string | undefined): Promise<User> {
    const key = `${addressGroup(address)} ${this.#keyOf(name, password)}`
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const login = this.logIn(name, password, address).finally(() => this.#running.delete(key))
    this.#running.set(key, login)
    return login
  }

  /** @throws DbError UNAUTHENTICATED, or TOO_MANY_REQUESTS while the caller has to wait */
  async logIn(name: string, password: string, address?: string): Promise<User> {
    const { users, limit, clock } = this.#options
    const exists = users.find(name) !== undefined
    const attempt = { name, address: addressGroup(address), exists }
    const waitMs = limit.begin(attempt)
    if (waitMs > 0) throw throttled(waitMs, exists ? name : null)
    const verified = await this.#verify(attempt, password)
    // What was taken from the user while the password was hashed is gone: roles, password, name.
    const user = users.find(name)
    if (verified === null || user?.password !== verified) {
      limit.fail(attempt)
      // A name that nobody has may be a password in the wrong field: it is not logged.
      const details = user === undefined ? {} : { user: name }
      const text = 'Authentication failed: wrong user name or password.'
      throw new DbError('UNAUTHENTICATED', text, { details })
    }
    limit.succeed(attempt)
    this.#lastLoginMs.set(name, clock.nowMs())
    this.#remember(this.#keyOf(name, password), user)
    return user
  }

  /**
   * Hashes for a name that nobody has, too: the time of a refusal does not tell who exists.
   * @returns the hash that the password fits; null: none does
   */
  async #verify(attempt: Attempt, password: string): Promise<PasswordHash | null> {
    const { users, limit, queue } = this.#options
    const expected = users.find(attempt.name)?.password
    try {
      const isRight = await queue.run(limit.isKnown(attempt), () =>
        this.#options.verifyPassword(password, expected ?? this.#nobodys),
      )
      return isRight && expected !== undefined ? expected : null
    } catch (error) {
      limit.abandon(attempt)
      throw error
    }
  }

  #keyOf(name: string, password: string): string {
    return hash('sha256', `${this.#cacheKey}${name}:${password}`, 'base64')
  }

  #remember(key: string, user: User): void {
    const untilMs = this.#options.clock.nowMs() + REMEMBER_PASSWORD_MS
    this.#verified.set(key, { user: user.name, untilMs, password: user.password })
    if (this.#verified.size <= REMEMBERED_MAX) return
    const [oldest] = this.#verified.keys()
    if (oldest !== undefined) this.#verified.delete(oldest)
  }
}

/** @param user whom the audit log names; null: nobody */
export function throttled(waitMs: number, user: string | null): DbError {
  const seconds = Math.ceil(waitMs / 1000)
  return tooManyRequests(`Too many failed logins; wait ${seconds} seconds.`, waitMs, user)
}
