/** Secrets of users, in memory and one document each: making one costs the same however many there are. */
import { DbError } from '#kernel/errors.ts'
import { SECRETS_PER_USER_MAX } from '#kernel/limits.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { secretHash } from './secret-hash.ts'

export interface Secret {
  readonly alias: string
  /** Plain: the interface lists it, and clients log in with what they listed (decision 20). */
  readonly value: string
}

/** As it is stored; the key of its document is its hash. */
interface StoredSecret extends Secret {
  readonly user: string
  /** Of the user: a later one of the same name does not have it. */
  readonly generation: string
  /** Ascending as they were made. */
  readonly number: number
  readonly createdMs: number
}

export interface SecretOwner {
  readonly name: string
  readonly generation?: string | undefined
}

const COLLECTION = 'secrets'
export const GENERATED_ALIAS = 'AUTO_GENERATED_ALIAS_'
/** Deleted at once, when a user with many is dropped. */
const DELETE_BATCH = 64

interface SecretStoreOptions {
  readonly documents: Documents
  nowMs(): number
  /** When a secret was last used, by its hash; null: never. */
  lastUsedMs(hash: string): number | null
}

export class SecretStore {
  readonly #options: SecretStoreOptions
  readonly #documents: Collection
  /** By user and alias, in the order they were made. */
  readonly #byUser = new Map<string, Map<string, StoredSecret>>()
  readonly #byHash = new Map<string, StoredSecret>()
  /** Not in documents of their own yet. */
  readonly #adopted = new Set<StoredSecret>()
  #lastNumber = 0

  private constructor(options: SecretStoreOptions) {
    this.#options = options
    this.#documents = options.documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
  }

  static async open(options: SecretStoreOptions): Promise<SecretStore> {
    const store = new SecretStore(options)
    const documents = await store.#documents.list()
    const secrets = documents.map(
      ({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as StoredSecret,
    )
    for (const secret of secrets.sort((one, other) => one.number - other.number)) store.#add(secret)
    return store
  }

  #take(key: string, bytes: Uint8Array | null): void {
    const secret = bytes && (JSON.parse(Buffer.from(bytes).toString()) as StoredSecret)
    const known = this.#byHash.get(Buffer.from(key, 'base64url').toString('base64'))
    if (known !== undefined) {
      const isSame = secret?.user === known.user && secret.number === known.number
      // One that is known keeps its place in the order.
      if (isSame && !this.#adopted.has(known)) return
      this.#forget(known)
    }
    if (secret !== null) this.#add(secret)
  }

  /** In the order they were made. */
  of(user: SecretOwner): readonly Secret[] {
    return this.#ofUser(user).map(({ alias, value }) => ({ alias, value }))
  }

  find(user: SecretOwner, alias: string): Secret | undefined {
    const found = this.#byUser.get(user.name)?.get(alias)
    if (found === undefined || found.generation !== (user.generation ?? '')) return undefined
    return { alias, value: found.value }
  }

  /** Whom the secret of a hash belongs to. How long the look-up takes says nothing about secrets. */
  ownerOfHash(hash: string): SecretOwner | undefined {
    const secret = this.#byHash.get(hash)
    return secret === undefined ? undefined : { name: secret.user, generation: secret.generation }
  }

  /** @throws DbError NAME_TAKEN, or INVALID_PARAMETER when the user has as many as possible */
  async add(user: SecretOwner, { alias, value }: Secret): Promise<void> {
    const hash = secretHash(value)
    if (this.#byHash.has(hash)) {
      throw new DbError('NAME_TAKEN', 'A secret with this value already exists.')
    }
    const own = this.#ofUser(user)
    if (this.find(user, alias) !== undefined) {
      throw new DbError('NAME_TAKEN', `The secret with alias ${alias} already exists.`)
    }
    const displaced = own.length < SECRETS_PER_USER_MAX ? null : this.#leastUsed(own)
    await this.#put({ ...this.#numbered(user), alias, value })
    if (displaced !== null) await this.#remove(displaced)
  }

  /** Those of a data directory from before secrets had documents; `saveAdopted` makes them. */
  adopt(user: SecretOwner, secrets: readonly Secret[]): void {
    for (const { alias, value } of secrets) {
      if (this.#byHash.has(secretHash(value))) continue
      const secret = { ...this.#numbered(user), alias, value }
      this.#add(secret)
      this.#adopted.add(secret)
    }
  }

  async saveAdopted(name: string): Promise<void> {
    for (const secret of this.#adopted) {
      if (secret.user !== name) continue
      await this.#put(secret)
      this.#adopted.delete(secret)
    }
  }

  /** Those of an import. */
  async restore(user: SecretOwner, secrets: readonly Secret[]): Promise<void> {
    for (const { alias, value } of secrets) {
      const known = this.#byHash.get(secretHash(value))
      if (known === undefined) await this.#put({ ...this.#numbered(user), alias, value })
    }
  }

  /** @throws DbError INVALID_PARAMETER when one of them is unknown; none is removed then */
  async drop(user: SecretOwner, aliasesOrValues: readonly string[]): Promise<void> {
    const named = new Set(aliasesOrValues)
    const own = this.#ofUser(user)
    const dropped = own.filter(({ alias, value }) => named.has(alias) || named.has(value))
    const found = new Set(dropped.flatMap(({ alias, value }) => [alias, value]))
    if (aliasesOrValues.some((text) => !found.has(text))) {
      throw new DbError('INVALID_PARAMETER', 'Failed to drop secrets: the secret does not exist.')
    }
    await this.#removeAll(dropped)
  }

  /** All of that name: of a user who is dropped or replaced. */
  async dropAll(name: string): Promise<void> {
    await this.#removeAll([...(this.#byUser.get(name)?.values() ?? [])])
  }

  #ofUser({ name, generation = '' }: SecretOwner): readonly StoredSecret[] {
    const all = this.#byUser.get(name)
    return all === undefined ? [] : [...all.values()].filter((one) => one.generation === generation)
  }

  #numbered({ name, generation = '' }: SecretOwner): Omit<StoredSecret, keyof Secret> {
    const number = ++this.#lastNumber
    return { user: name, generation, number, createdMs: this.#options.nowMs() }
  }

  /**
   * What gives way to a new one: clients that make a secret each time they connect never drop any.
   * @throws DbError INVALID_PARAMETER when all were named by their user
   */
  #leastUsed(secrets: readonly StoredSecret[]): StoredSecret {
    const usedMs = ({ value, createdMs }: StoredSecret) =>
      Math.max(createdMs, this.#options.lastUsedMs(secretHash(value)) ?? 0)
    let found: StoredSecret | null = null
    for (const secret of secrets) {
      if (!secret.alias.startsWith(GENERATED_ALIAS)) continue
      if (found === null || usedMs(secret) < usedMs(found)) found = secret
    }
    if (found !== null) return found
    throw new DbError('INVALID_PARAMETER', `A user has at most ${SECRETS_PER_USER_MAX} secrets.`)
  }

  #add(secret: StoredSecret): void {
    const own = this.#byUser.get(secret.user) ?? new Map<string, StoredSecret>()
    this.#byUser.set(secret.user, own)
    const before = own.get(secret.alias)
    if (before !== undefined) this.#byHash.delete(secretHash(before.value))
    own.set(secret.alias, secret)
    this.#byHash.set(secretHash(secret.value), secret)
    this.#lastNumber = Math.max(this.#lastNumber, secret.number)
  }

  async #put(secret: StoredSecret): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(secret))
    await this.#documents.put(keyOf(secret), bytes)
    this.#add(secret)
  }

  async #remove(secret: StoredSecret): Promise<void> {
    // Refused from now on, also while the disk is slow.
    this.#forget(secret)
    await this.#documents.delete(keyOf(secret))
  }

  #forget(secret: StoredSecret): void {
    this.#adopted.delete(secret)
    this.#byHash.delete(secretHash(secret.value))
    const own = this.#byUser.get(secret.user)
    if (own?.get(secret.alias) === secret) own.delete(secret.alias)
    if (own?.size === 0) this.#byUser.delete(secret.user)
  }

  async #removeAll(secrets: readonly StoredSecret[]): Promise<void> {
    for (let from = 0; from < secrets.length; from += DELETE_BATCH) {
      const batch = secrets.slice(from, from + DELETE_BATCH)
      await Promise.all(batch.map((secret) => this.#remove(secret)))
    }
  }
}

/** As a name of a document may look. */
function keyOf({ value }: Secret): string {
  return Buffer.from(secretHash(value), 'base64').toString('base64url')
}
