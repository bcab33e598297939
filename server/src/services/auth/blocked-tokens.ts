/** Tokens that are refused though their signature is good and they have not expired. */
import type { Clock } from '#kernel/clock.ts'
import type { DocumentStore } from './user-store.ts'

export interface BlockedToken {
  /** SHA-256 of the token, as base64. */
  readonly hash: string
  readonly expiresAtSeconds: number
}

const COLLECTION = 'blocked-tokens'
/** The whole list in one document, as servers with a limit of 50 wrote it. */
const OLD_LIST = ['auth', 'blocked-tokens'] as const

export class BlockedTokens {
  readonly #documents: DocumentStore
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #expiries = new Map<string, number>()

  private constructor(documents: DocumentStore, clock: Pick<Clock, 'nowMs'>) {
    this.#documents = documents
    this.#clock = clock
  }

  static async open(documents: DocumentStore, clock: Pick<Clock, 'nowMs'>): Promise<BlockedTokens> {
    const store = new BlockedTokens(documents, clock)
    const entries = await documents.listDocuments(COLLECTION)
    const old = await documents.getDocument(...OLD_LIST)
    const lists = [...entries.map(({ bytes }) => [parse<BlockedToken>(bytes)])]
    if (old !== null) lists.push(parse<BlockedToken[]>(old))
    for (const { hash, expiresAtSeconds } of lists.flat()) {
      store.#expiries.set(hash, expiresAtSeconds)
    }
    return store
  }

  has(hash: string): boolean {
    return this.#expiries.has(hash)
  }

  /** Durable when it returns; refused from the beginning. */
  async add(tokens: readonly BlockedToken[]): Promise<void> {
    for (const { hash, expiresAtSeconds } of tokens) this.#expiries.set(hash, expiresAtSeconds)
    await Promise.all(
      tokens.map((token) =>
        this.#documents.putDocument(
          COLLECTION,
          keyOf(token.hash),
          Buffer.from(JSON.stringify(token)),
        ),
      ),
    )
    await this.#forgetExpired()
  }

  async clear(): Promise<void> {
    const hashes = [...this.#expiries.keys()]
    this.#expiries.clear()
    await this.#documents.deleteDocument(...OLD_LIST)
    await Promise.all(hashes.map((hash) => this.#delete(hash)))
  }

  async #forgetExpired(): Promise<void> {
    const nowSeconds = this.#clock.nowMs() / 1000
    for (const [hash, expiresAtSeconds] of this.#expiries) {
      if (expiresAtSeconds > nowSeconds) continue
      this.#expiries.delete(hash)
      await this.#delete(hash)
    }
  }

  #delete(hash: string): Promise<void> {
    return this.#documents.deleteDocument(COLLECTION, keyOf(hash))
  }
}

function parse<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes).toString()) as T
}

/** As a name of a document may look. */
function keyOf(hash: string): string {
  return Buffer.from(hash, 'base64').toString('base64url')
}
