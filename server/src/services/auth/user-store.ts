/** Users and their secrets, kept whole in memory and written through to the store's documents. */
import { createHash, randomInt } from 'node:crypto'
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import { SUPERUSER } from './built-in-roles.ts'
import { PasswordQueue } from './password-queue.ts'
import { hashPassword, type PasswordHash } from './passwords.ts'
import { Turns } from './turns.ts'

/** What of the store the users need. */
export interface DocumentStore {
  putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void>
  getDocument(collection: string, key: string): Promise<Uint8Array | null>
  listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]>
  deleteDocument(collection: string, key: string): Promise<void>
}

export interface Secret {
  readonly alias: string
  /** Plain: the interface lists it, and clients log in with what they listed (decision 20). */
  readonly value: string
}

export interface User {
  readonly name: string
  readonly password: PasswordHash
  /** The password everyone knows: of the first user only. */
  readonly passwordIsDefault: boolean
  /** Counts password changes: sessions made before the last one end. */
  readonly passwordVersion: number
  /** Tells users apart that had one name after the other; absent: the first of that name. */
  readonly generation?: string
  /** Names of roles by graph, `1` for those granted globally. */
  readonly roles: Readonly<Record<string, readonly string[]>>
  readonly secrets: readonly Secret[]
}

/** A user as a server without roles stored it. */
interface StoredUser extends Omit<User, 'roles'> {
  readonly roles?: User['roles']
  readonly isSuperUser?: boolean
}

interface UserStoreOptions {
  /** Of new password hashes; absent: the usual one. */
  readonly cost?: number | undefined
  readonly queue?: PasswordQueue
}

export const FIRST_USER = 'tigergraph'
const FIRST_PASSWORD = 'tigergraph'
const COLLECTION = 'users'
const SECRET_SIZE_CHARS = 32
const SECRETS_PER_USER_MAX = 100

export class UserStore {
  readonly #documents: DocumentStore
  readonly #users: Map<string, User>
  readonly #cost: number | undefined
  readonly #queue: PasswordQueue
  readonly #turns = new Turns()
  /** Names of users by the hashes of their secrets, as of a version. */
  readonly #owners = new Map<string, string>()
  #ownersVersion = -1
  /** Counts changes, for what is derived from users. */
  version = 0

  private constructor(
    documents: DocumentStore,
    users: Map<string, User>,
    { cost, queue = new PasswordQueue() }: UserStoreOptions,
  ) {
    this.#cost = cost
    this.#queue = queue
    this.#documents = documents
    this.#users = users
  }

  /** Makes the first user in an empty store. */
  static async open(documents: DocumentStore, options: UserStoreOptions = {}): Promise<UserStore> {
    const stored = await documents.listDocuments(COLLECTION)
    const users = stored.map(({ bytes }) => withRoles(JSON.parse(Buffer.from(bytes).toString())))
    const store = new UserStore(documents, new Map(users.map((user) => [user.name, user])), options)
    if (users.length === 0) {
      await store.#put({
        name: FIRST_USER,
        password: await hashPassword(FIRST_PASSWORD, options.cost),
        passwordIsDefault: true,
        passwordVersion: 1,
        roles: { [GLOBAL_SCOPE]: [SUPERUSER] },
        secrets: [],
      })
    }
    return store
  }

  get passwordIsDefault(): boolean {
    return this.#users.get(FIRST_USER)?.passwordIsDefault ?? false
  }

  find(name: string): User | undefined {
    return this.#users.get(name)
  }

  list(): readonly User[] {
    return [...this.#users.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** @throws DbError INVALID_PARAMETER */
  require(name: string): User {
    const user = this.#users.get(name)
    if (user) return user
    throw new DbError('INVALID_PARAMETER', `The user ${name} does not exist.`)
  }

  /** @throws DbError NAME_TAKEN, INVALID_NAME */
  async create(name: string, password: string): Promise<void> {
    if (!/^[\w.@-]{1,256}$/.test(name) || name === '__proto__') {
      throw new DbError('INVALID_NAME', `'${name.slice(0, 60)}' is not a valid user name.`)
    }
    if (this.#users.has(name)) throw taken(name)
    const hash = await this.#hash(password)
    await this.#turns.run(async () => {
      if (this.#users.has(name)) throw taken(name)
      await this.#put({
        name,
        password: hash,
        passwordIsDefault: false,
        passwordVersion: 1,
        generation: randomText(8),
        roles: {},
        secrets: [],
      })
    })
  }

  async setPassword(name: string, password: string): Promise<void> {
    const hash = await this.#hash(password)
    await this.#change(name, (user) => ({
      ...user,
      password: hash,
      passwordIsDefault: name === FIRST_USER && password === FIRST_PASSWORD,
      passwordVersion: user.passwordVersion + 1,
    }))
  }

  #hash(password: string): Promise<PasswordHash> {
    return this.#queue.run(true, () => hashPassword(password, this.#cost))
  }

  /** @param changed names by scope before to names by scope after */
  async changeRoles(
    name: string,
    changed: (before: User['roles']) => User['roles'],
  ): Promise<void> {
    await this.#change(name, (user) => {
      const held = Object.entries(changed(user.roles)).filter(([, names]) => names.length > 0)
      return { ...user, roles: Object.fromEntries(held) }
    })
  }

  /** A user as another server had him; one of that name gives way, and so do his sessions. */
  async restore(user: User): Promise<void> {
    await this.#turns.run(() => {
      const before = this.#users.get(user.name)?.passwordVersion ?? 0
      const passwordVersion = Math.max(before, user.passwordVersion) + 1
      return this.#put({ ...user, passwordVersion })
    })
  }

  async drop(name: string): Promise<void> {
    this.require(name)
    if (name === FIRST_USER) {
      throw new DbError('FORBIDDEN', `The user ${FIRST_USER} cannot be dropped.`)
    }
    await this.#turns.run(async () => {
      await this.#documents.deleteDocument(COLLECTION, name)
      this.#users.delete(name)
      this.version++
    })
  }

  /** By its hash: how long the look-up takes tells nothing of secrets that are nearly the same. */
  ownerOfSecret(value: string): User | undefined {
    return this.ownerOfHash(secretHash(value))
  }

  ownerOfHash(hash: string): User | undefined {
    if (this.#ownersVersion !== this.version) this.#listOwners()
    const name = this.#owners.get(hash)
    return name === undefined ? undefined : this.#users.get(name)
  }

  #listOwners(): void {
    this.#owners.clear()
    for (const { name, secrets } of this.#users.values()) {
      for (const { value } of secrets) this.#owners.set(secretHash(value), name)
    }
    this.#ownersVersion = this.version
  }

  /** @throws DbError NAME_TAKEN for an alias in use */
  async addSecret(
    name: string,
    wanted: { readonly alias?: string | undefined; readonly value?: string | undefined },
  ): Promise<{ alias: string; value: string }> {
    const alias = wanted.alias || `AUTO_GENERATED_ALIAS_${randomText(7)}`
    const value = wanted.value || randomText(SECRET_SIZE_CHARS)
    await this.#change(name, (user) => this.#withSecret(user, { alias, value }))
    return { alias, value }
  }

  #withSecret(user: User, { alias, value }: Secret): User {
    if (user.secrets.some((secret) => secret.alias === alias)) {
      throw new DbError('NAME_TAKEN', `The secret with alias ${alias} already exists.`)
    }
    if (user.secrets.length >= SECRETS_PER_USER_MAX) {
      throw new DbError('INVALID_PARAMETER', `A user has at most ${SECRETS_PER_USER_MAX} secrets.`)
    }
    if (this.ownerOfSecret(value) !== undefined) {
      throw new DbError('NAME_TAKEN', 'A secret with this value already exists.')
    }
    return { ...user, secrets: [...user.secrets, { alias, value }] }
  }

  /** @throws DbError INVALID_PARAMETER when one of them is unknown; none is removed then */
  async dropSecrets(name: string, aliasesOrValues: readonly string[]): Promise<void> {
    await this.#change(name, (user) => withoutSecrets(user, aliasesOrValues))
  }

  async #change(name: string, changed: (before: User) => User): Promise<void> {
    await this.#turns.run(() => this.#put(changed(this.require(name))))
  }

  async #put(user: User): Promise<void> {
    await this.#documents.putDocument(COLLECTION, user.name, Buffer.from(JSON.stringify(user)))
    this.#users.set(user.name, user)
    this.version++
  }
}

function withoutSecrets(user: User, aliasesOrValues: readonly string[]): User {
  const isNamed = (secret: Secret, text: string) => secret.alias === text || secret.value === text
  for (const text of aliasesOrValues) {
    if (user.secrets.some((secret) => isNamed(secret, text))) continue
    throw new DbError('INVALID_PARAMETER', 'Failed to drop secrets: the secret does not exist.')
  }
  const secrets = user.secrets.filter(
    (secret) => !aliasesOrValues.some((text) => isNamed(secret, text)),
  )
  return { ...user, secrets }
}

function taken(name: string): DbError {
  return new DbError('NAME_TAKEN', `The user ${name} already exists.`)
}

/** Roles held in a scope, whose name may be that of anything that every object has. */
export function rolesIn(roles: User['roles'], scope: string): readonly string[] {
  return Object.hasOwn(roles, scope) ? roles[scope]! : []
}

export function isSuperUser(user: User): boolean {
  return user.roles[GLOBAL_SCOPE]?.includes(SUPERUSER) ?? false
}

/** Who had no role could do what a global designer can: an upgrade takes nothing away. */
function withRoles({ roles, isSuperUser: wasSuperUser, ...user }: StoredUser): User {
  const before = wasSuperUser === true ? SUPERUSER : 'globaldesigner'
  return { ...user, roles: roles ?? { [GLOBAL_SCOPE]: [before] } }
}

export function secretHash(value: string): string {
  return createHash('sha256').update(value).digest('base64')
}

/** How a secret is named where only its owner's name was asked for. */
export function masked(secret: string): string {
  return `${secret.slice(0, 3)}****${secret.slice(-3)}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
