/**
 * Where users have signed in: a right password from there is checked before those of a flood. Saved
 * with the last use of credentials, so that a restart amid a flood keeps nobody out.
 */
import type { Collection } from '#storage/documents.ts'

/** Of each instance: where its own callers come from. */
export const OWN_COLLECTION = 'auth'
const DOCUMENT = 'known-addresses'
const ADDRESSES_PER_USER_MAX = 32

export class KnownAddresses {
  /** By user, the latest last. */
  readonly #addresses = new Map<string, Set<string>>()
  #isSaved = true

  async load(documents: Collection): Promise<void> {
    const bytes = await documents.get(DOCUMENT)
    if (bytes === null) return
    const stored = JSON.parse(Buffer.from(bytes).toString()) as [string, string[]][]
    for (const [user, addresses] of stored) this.#addresses.set(user, new Set(addresses))
  }

  has(user: string, address: string): boolean {
    return this.#addresses.get(user)?.has(address) === true
  }

  note(user: string, address: string): void {
    const known = this.#addresses.get(user) ?? new Set<string>()
    this.#isSaved &&= known.has(address)
    known.delete(address)
    known.add(address)
    if (known.size > ADDRESSES_PER_USER_MAX) {
      const [oldest] = known
      if (oldest !== undefined) known.delete(oldest)
    }
    this.#addresses.set(user, known)
  }

  forget(user: string): void {
    if (this.#addresses.delete(user)) this.#isSaved = false
  }

  /** Only what is new costs a write. */
  async save(documents: Collection): Promise<void> {
    if (this.#isSaved) return
    this.#isSaved = true
    const entries = [...this.#addresses].map(([user, addresses]) => [user, [...addresses]])
    const bytes = Buffer.from(JSON.stringify(entries))
    await documents.put(DOCUMENT, bytes).catch((error: unknown) => {
      this.#isSaved = false
      throw error
    })
  }
}
