/**
 * When tokens and secrets were last used, by each instance for itself. Kept in memory, saved by a timer and at the end: a request
 * costs no write, and a crash forgets the last minute.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Collection, Documents } from '#storage/documents.ts'

const COLLECTION = 'auth'
const DOCUMENT = 'credential-use'

export class CredentialUse {
  readonly #documents: Collection
  readonly #clock: Pick<Clock, 'nowMs'>
  /** By the id of a token, or the hash of a secret. */
  readonly #lastMs: Map<string, number>
  #isSaved = true

  private constructor(
    documents: Collection,
    clock: Pick<Clock, 'nowMs'>,
    lastMs: Map<string, number>,
  ) {
    this.#documents = documents
    this.#clock = clock
    this.#lastMs = lastMs
  }

  static async open(documents: Documents, clock: Pick<Clock, 'nowMs'>): Promise<CredentialUse> {
    const own = documents.openOwn(COLLECTION)
    const bytes = await own.get(DOCUMENT)
    const stored = bytes === null ? {} : (JSON.parse(Buffer.from(bytes).toString()) as object)
    return new CredentialUse(own, clock, new Map(Object.entries(stored)))
  }

  note(key: string): void {
    this.#lastMs.set(key, this.#clock.nowMs())
    this.#isSaved = false
  }

  /** Epoch milliseconds; null: never, or not since this is kept. */
  lastMs(key: string): number | null {
    return this.#lastMs.get(key) ?? null
  }

  /** Forgets what is known no more, and writes the rest if there is anything new. */
  async save(isKnown: (key: string) => boolean): Promise<void> {
    if (this.#isSaved) return
    for (const key of this.#lastMs.keys()) if (!isKnown(key)) this.#lastMs.delete(key)
    this.#isSaved = true
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(this.#lastMs)))
    await this.#documents.put(DOCUMENT, bytes).catch((error: unknown) => {
      this.#isSaved = false
      throw error
    })
  }
}
