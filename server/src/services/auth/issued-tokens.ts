/**
 * Which tokens were made for clients, so that their owners can see and take back each of them. The
 * tokens themselves are not kept: an entry holds the id that stands inside of one.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { Turns } from './turns.ts'
import type { DocumentStore } from './user-store.ts'

export interface IssuedToken {
  readonly id: string
  readonly user: string
  /** Of the user: one of the same name who came later has none of these. */
  readonly generation: string
  /** The graph that it is limited to; null: none. */
  readonly graph: string | null
  readonly issuedAtSeconds: number
  readonly expiresAtSeconds: number
  readonly isRevoked: boolean
}

const COLLECTION = 'issued-tokens'
/** Of one user; beyond it the oldest that is not revoked is listed no more. */
const LISTED_PER_USER_MAX = 1_000

export class IssuedTokens {
  readonly #documents: DocumentStore
  readonly #clock: Clock
  readonly #tokens: Map<string, IssuedToken>
  readonly #turns = new Turns()

  private constructor(documents: DocumentStore, clock: Clock, tokens: Map<string, IssuedToken>) {
    this.#documents = documents
    this.#clock = clock
    this.#tokens = tokens
  }

  static async open(documents: DocumentStore, clock: Clock): Promise<IssuedTokens> {
    const stored = await documents.listDocuments(COLLECTION)
    const tokens = stored.map(
      ({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as IssuedToken,
    )
    const inOrder = tokens.sort((one, other) => one.issuedAtSeconds - other.issuedAtSeconds)
    return new IssuedTokens(documents, clock, new Map(inOrder.map((token) => [token.id, token])))
  }

  /** A store that takes no writes keeps nobody from getting a token: it is then listed until a restart. */
  async add(token: IssuedToken): Promise<void> {
    this.#tokens.set(token.id, token)
    await this.#turns
      .run(async () => {
        await this.#put(token)
        await this.#forgetExpired()
        await this.#forgetOldest(token.user)
      })
      .catch((error: unknown) => {
        if (!isDbError(error)) throw error
      })
  }

  /** Those that are still good or revoked, newest first. */
  of(user: string, generation: string): readonly IssuedToken[] {
    const nowSeconds = this.#clock.nowMs() / 1000
    return [...this.#tokens.values()]
      .filter((token) => token.user === user && token.generation === generation)
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

  async #forgetExpired(users: readonly string[] | null = null): Promise<number> {
    const nowSeconds = this.#clock.nowMs() / 1000
    const expired = [...this.#tokens.values()].filter(
      ({ user, expiresAtSeconds }) =>
        expiresAtSeconds <= nowSeconds && (users === null || users.includes(user)),
    )
    for (const { id } of expired) await this.#remove(id)
    return expired.length
  }

  async #forgetOldest(user: string): Promise<void> {
    const standing = [...this.#tokens.values()].filter(
      (token) => token.user === user && !token.isRevoked,
    )
    for (const { id } of standing.slice(0, -LISTED_PER_USER_MAX)) await this.#remove(id)
  }

  #put(token: IssuedToken): Promise<void> {
    return this.#documents.putDocument(COLLECTION, token.id, Buffer.from(JSON.stringify(token)))
  }

  async #remove(id: string): Promise<void> {
    await this.#documents.deleteDocument(COLLECTION, id)
    this.#tokens.delete(id)
  }
}
