/**
 * Tokens that are refused though their signature is good and they have not expired. They are known by
 * their ids: one signature can be written in several texts (docs/decisions/0095).
 */
import type { Clock } from '#kernel/clock.ts'
import type { Collection, Documents } from '#storage/documents.ts'

export interface BlockedToken {
  readonly id: string
  readonly user: string
  /** How often all tokens of the user had been revoked before. */
  readonly epoch: number
  readonly expiresAtSeconds: number
}

/** As servers before version 0.1.0 was released stored it. */
interface OldBlockedToken {
  /** SHA-256 of the text of the token, as base64. */
  readonly hash: string
  readonly expiresAtSeconds: number
}

const COLLECTION = 'blocked-tokens'
/** The whole list in one document, as servers with a limit of 50 wrote it. */
const OLD_COLLECTION = 'auth'
const OLD_LIST = 'blocked-tokens'
/** Expired ones are looked for at most so often. */
const EXPIRY_CHECK_SECONDS = 60

export class BlockedTokens {
  readonly #documents: Collection
  readonly #old: Collection
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #onTaken: (id: string) => void
  /** By id, or by the hash of an old one. */
  readonly #blocked = new Map<string, BlockedToken | OldBlockedToken>()
  #expiryCheckedSeconds = 0

  private constructor(
    documents: Documents,
    clock: Pick<Clock, 'nowMs'>,
    onTaken: (id: string) => void,
  ) {
    this.#documents = documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
    this.#old = documents.open(OLD_COLLECTION, (key, bytes) => {
      if (key === OLD_LIST && bytes === null) this.#forgetOld()
    })
    this.#clock = clock
    this.#onTaken = onTaken
  }

  /** @param onTaken told of each token that another instance has blocked, or blocks no more */
  static async open(
    documents: Documents,
    clock: Pick<Clock, 'nowMs'>,
    onTaken: (id: string) => void = () => undefined,
  ): Promise<BlockedTokens> {
    const store = new BlockedTokens(documents, clock, onTaken)
    const entries = await store.#documents.list()
    const lists = entries.map(({ bytes }) => [parse<BlockedToken | OldBlockedToken>(bytes)])
    const old = await store.#old.get(OLD_LIST)
    if (old !== null) lists.push(parse<OldBlockedToken[]>(old))
    for (const token of lists.flat()) store.#blocked.set(nameOf(token), token)
    return store
  }

  #take(key: string, bytes: Uint8Array | null): void {
    if (bytes === null) {
      this.#blocked.delete(key)
      this.#blocked.delete(Buffer.from(key, 'base64url').toString('base64'))
    } else {
      const token = parse<BlockedToken | OldBlockedToken>(bytes)
      this.#blocked.set(nameOf(token), token)
    }
    this.#onTaken(key)
  }

  /** Nobody writes the list of earlier servers any more. */
  #forgetOld(): void {
    for (const [name, token] of this.#blocked) if (!('id' in token)) this.#blocked.delete(name)
  }

  has(id: string): boolean {
    return this.#blocked.has(id)
  }

  /** @param hash SHA-256 of the text of a token, as base64 */
  hasHash(hash: string): boolean {
    return this.#blocked.has(hash)
  }

  /** Those of a user that have not expired and that no later revocation of all makes needless. */
  count(user: string, epoch: number): number {
    let count = 0
    const nowSeconds = this.#clock.nowMs() / 1000
    for (const token of this.#blocked.values()) {
      if (!('id' in token) || token.user !== user || token.epoch < epoch) continue
      if (token.expiresAtSeconds > nowSeconds) count++
    }
    return count
  }

  /** Durable when it returns; refused from the beginning. */
  async add(tokens: readonly BlockedToken[]): Promise<void> {
    for (const token of tokens) this.#blocked.set(token.id, token)
    await Promise.all(
      tokens.map((token) => this.#documents.put(token.id, Buffer.from(JSON.stringify(token)))),
    )
    await this.#forgetExpiredSometimes()
  }

  async clear(): Promise<void> {
    const tokens = [...this.#blocked.values()]
    this.#blocked.clear()
    await this.#old.delete(OLD_LIST)
    await Promise.all(tokens.map((token) => this.#delete(token)))
  }

  /** All tokens of the user have been revoked: those of earlier epochs need no entry. */
  async forgetBefore(user: string, epoch: number): Promise<void> {
    for (const token of [...this.#blocked.values()]) {
      if ('id' in token && token.user === user && token.epoch < epoch) await this.#forget(token)
    }
  }

  async #forgetExpiredSometimes(): Promise<void> {
    const nowSeconds = this.#clock.nowMs() / 1000
    if (nowSeconds - this.#expiryCheckedSeconds < EXPIRY_CHECK_SECONDS) return
    this.#expiryCheckedSeconds = nowSeconds
    for (const token of [...this.#blocked.values()]) {
      if (token.expiresAtSeconds <= nowSeconds) await this.#forget(token)
    }
  }

  async #forget(token: BlockedToken | OldBlockedToken): Promise<void> {
    this.#blocked.delete(nameOf(token))
    await this.#delete(token)
  }

  #delete(token: BlockedToken | OldBlockedToken): Promise<void> {
    return this.#documents.delete(keyOf(token))
  }
}

function parse<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes).toString()) as T
}

function nameOf(token: BlockedToken | OldBlockedToken): string {
  return 'id' in token ? token.id : token.hash
}

/** As a name of a document may look. */
function keyOf(token: BlockedToken | OldBlockedToken): string {
  return 'id' in token ? token.id : Buffer.from(token.hash, 'base64').toString('base64url')
}
