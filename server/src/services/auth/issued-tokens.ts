/**
 * Which tokens were made for clients, so that their owners can see and take back each of them. The
 * tokens themselves are not kept: an entry holds the id that stands inside of one.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { TOKENS_LISTED_PER_USER_MAX } from '#kernel/limits.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { Turns } from './turns.ts'

export interface IssuedToken {
  readonly id: string
  readonly user: string
  /** Of the user: one of the same name who came later has none of these. */
  readonly generation: string
  /** The graph that it is limited to; null: none. */
  readonly graph: string | null
  /** How often all tokens of the user had been revoked before; absent: never. */
  readonly epoch?: number
  readonly issuedAtSeconds: number
  readonly expiresAtSeconds: number
  readonly isRevoked: boolean
}

const COLLECTION = 'issued-tokens'
/** Expired ones are looked for at most so often. */
const EXPIRY_CHECK_SECONDS = 60

export class IssuedTokens {
  readonly #documents: Collection
  readonly #clock: Clock
  readonly #onTaken: (id: string) => void
  readonly #tokens = new Map<string, IssuedToken>()
  /** Ids by user, in the order the tokens were made. */
  readonly #byUser = new Map<string, Set<string>>()
  #expiryCheckedSeconds = 0
  readonly #turns = new Turns()

  private constructor(documents: Documents, clock: Clock, onTaken: (id: string) => void) {
    this.#documents = documents.open(COLLECTION, (id, bytes) => this.#take(id, bytes))
    this.#clock = clock
    this.#onTaken = onTaken
  }

  /** @param onTaken told of each token that another instance has changed */
  static async open(
    documents: Documents,
    clock: Clock,
    onTaken: (id: string) => void = () => undefined,
  ): Promise<IssuedTokens> {
    const issued = new IssuedTokens(documents, clock, onTaken)
    const stored = await issued.#documents.list()
    const tokens = stored.map(
      ({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as IssuedToken,
    )
    const inOrder = tokens.sort((one, other) => one.issuedAtSeconds - other.issuedAtSeconds)
    for (const token of inOrder) issued.#keep(token)
    return issued
  }

  #take(id: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#forget(id)
    else this.#keep(JSON.parse(Buffer.from(bytes).toString()) as IssuedToken)
    this.#onTaken(id)
  }

  /**
   * A store that takes no writes keeps nobody from getting a token: it is then listed until a restart.
   * @throws DbError NOT_WRITER
   */
  async add(token: IssuedToken): Promise<void> {
    this.#keep(token)
    await this.#turns
      .run(async () => {
        await this.#put(token)
        await this.#forgetExpiredSometimes()
        await this.#forgetOldest(token)
      })
      .catch((error: unknown) => {
        if (!isDbError(error) || error.code === 'NOT_WRITER') throw error
      })
  }

  /** Those that are still good or revoked, newest first. */
  of(user: string, generation: string): readonly IssuedToken[] {
    const nowSeconds = this.#clock.nowMs() / 1000
    return [...(this.#byUser.get(user) ?? [])]
      .map((id) => this.require(id))
      .filter((token) => token.generation === generation)
      .filter(({ expiresAtSeconds }) => expiresAtSeconds > nowSeconds)
      .reverse()
  }

  /** @throws DbError REQUEST_NOT_FOUND */
  require(id: string): IssuedToken {
    const token = this.#tokens.get(id)
    if (token !== undefined) return token
    throw new DbError('REQUEST_NOT_FOUND', `There is no token with the id '${id}'.`)
  }

  has(id: string): boolean {
    return this.#tokens.has(id)
  }

  isRevoked(id: string): boolean {
    return this.#tokens.get(id)?.isRevoked ?? false
  }

  /** Those of a user that are refused only because they were revoked one by one. */
  revokedCount(user: string, epoch: number): number {
    const nowSeconds = this.#clock.nowMs() / 1000
    let count = 0
    for (const id of this.#byUser.get(user) ?? []) {
      const token = this.#tokens.get(id)
      if (token?.isRevoked !== true || (token.epoch ?? 0) < epoch) continue
      if (token.expiresAtSeconds > nowSeconds) count++
    }
    return count
  }

  /** Durable before it counts as done. @throws DbError REQUEST_NOT_FOUND */
  async revoke(id: string): Promise<void> {
    const revoked = { ...this.require(id), isRevoked: true }
    // Refused from now on, also while the disk is slow or full.
    this.#tokens.set(id, revoked)
    await this.#turns.run(() => this.#put(revoked))
  }

  /** @param users null: of all. @returns how many were forgotten */
  dropExpired(users: readonly string[] | null): Promise<number> {
    return this.#turns.run(() => this.#forgetExpired(users))
  }

  async #forgetExpiredSometimes(): Promise<void> {
    const nowSeconds = this.#clock.nowMs() / 1000
    if (nowSeconds - this.#expiryCheckedSeconds < EXPIRY_CHECK_SECONDS) return
    this.#expiryCheckedSeconds = nowSeconds
    await this.#forgetExpired()
  }

  async #forgetExpired(users: readonly string[] | null = null): Promise<number> {
    const nowSeconds = this.#clock.nowMs() / 1000
    const expired = [...this.#tokens.values()].filter(
      ({ user, expiresAtSeconds }) =>
        expiresAtSeconds <= nowSeconds && (users === null || users.includes(user)),
    )
    for (const { id } of expired) await this.#remove(id)
    return expired.length
  }

  /** Beyond the limit the oldest is listed no more that is not refused because of its entry alone. */
  async #forgetOldest({ user, epoch = 0 }: IssuedToken): Promise<void> {
    const ids = this.#byUser.get(user) ?? new Set<string>()
    while (ids.size > TOKENS_LISTED_PER_USER_MAX) {
      const [oldest] = ids.values().filter((id) => {
        const token = this.require(id)
        return !token.isRevoked || (token.epoch ?? 0) < epoch
      })
      if (oldest === undefined) return
      await this.#remove(oldest)
    }
  }

  #keep(token: IssuedToken): void {
    this.#tokens.set(token.id, token)
    const ids = this.#byUser.get(token.user) ?? new Set<string>()
    ids.add(token.id)
    this.#byUser.set(token.user, ids)
  }

  #put(token: IssuedToken): Promise<void> {
    return this.#documents.put(token.id, Buffer.from(JSON.stringify(token)))
  }

  async #remove(id: string): Promise<void> {
    await this.#documents.delete(id)
    this.#forget(id)
  }

  #forget(id: string): void {
    const user = this.#tokens.get(id)?.user ?? ''
    this.#tokens.delete(id)
    const ids = this.#byUser.get(user)
    ids?.delete(id)
    if (ids?.size === 0) this.#byUser.delete(user)
  }
}
