/** Users, whole in memory and written through to the store's documents. */
import { randomInt } from 'node:crypto'
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { SUPERUSER } from './built-in-roles.ts'
import { PasswordQueue } from './password-queue.ts'
import { hashPassword, type PasswordHash } from './passwords.ts'
import { GENERATED_ALIAS, type Secret, SecretStore } from './secret-store.ts'
import { Turns } from './turns.ts'

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
  /** Counts how often all tokens of the user were revoked: older ones are refused. */
  readonly tokenEpoch?: number
}

/** As an export holds it. */
export interface UserWithSecrets extends User {
  readonly secrets: readonly Secret[]
}

/** A user as a server without roles, or without documents for secrets, stored it. */
interface StoredUser extends Omit<User, 'roles'> {
  readonly roles?: User['roles']
  readonly isSuperUser?: boolean
  readonly secrets?: readonly Secret[]
}

interface UserStoreOptions {
  /** Of new password hashes; absent: the usual one. */
  readonly cost?: number | undefined
  /** Of the first user, who has the initial one otherwise; absent or null: not given. */
  readonly firstPassword?: string | null | undefined
  readonly queue?: PasswordQueue
  nowMs?(): number
  /** When a secret was last used, by its hash; null: never. */
  lastUsedMs?(hash: string): number | null
}

export const FIRST_USER = 'tigergraph'
export const FIRST_PASSWORD = 'tigergraph'
const COLLECTION = 'users'
const SECRET_SIZE_CHARS = 32

export class UserStore {
  readonly #documents: Collection
  readonly #users = new Map<string, User>()
  readonly #first = Promise.withResolvers<void>()
  readonly #cost: number | undefined
  readonly #queue: PasswordQueue
  readonly #turns = new Turns()
  readonly #secrets: SecretStore
  /** Users whose documents still hold the secrets that an earlier server left there. */
  readonly #unmoved = new Set<string>()
  /** Counts changes, for what is derived from users. */
  version = 0

  private constructor(
    documents: Documents,
    secrets: SecretStore,
    { cost, queue = new PasswordQueue() }: UserStoreOptions,
  ) {
    this.#cost = cost
    this.#queue = queue
    this.#documents = documents.open(COLLECTION, (key, bytes) => this.#take(key, bytes))
    this.#secrets = secrets
  }

  /** As the writer, makes the first user in an empty store. */
  static async open(documents: Documents, options: UserStoreOptions = {}): Promise<UserStore> {
    const { nowMs = () => Date.now(), lastUsedMs = () => null } = options
    const secrets = await SecretStore.open({ documents, nowMs, lastUsedMs })
    const store = new UserStore(documents, secrets, options)
    for (const { key, bytes } of await store.#documents.list()) store.#take(key, bytes)
    await documents.asWriter(async () => {
      await store.#moveSecrets()
      await store.#makeFirst(options)
    })
    return store
  }

  #take(name: string, bytes: Uint8Array | null): void {
    this.version++
    if (bytes === null) {
      this.#users.delete(name)
      this.#unmoved.delete(name)
      return
    }
    const stored = JSON.parse(Buffer.from(bytes).toString()) as StoredUser
    const user = withRoles(stored)
    if (stored.secrets === undefined) this.#unmoved.delete(name)
    else {
      this.#unmoved.add(name)
      this.#secrets.adopt(user, stored.secrets)
    }
    this.#keep(withKnownHash(user, this.#users.get(name)))
  }

  #keep(user: User): void {
    this.#users.set(user.name, user)
    this.#first.resolve()
  }

  /** Resolves when there is a user: the writer makes the first. */
  get first(): Promise<void> {
    return this.#first.promise
  }

  /**
   * Gives each secret a document of its own. A store that takes no writes keeps nobody from
   * starting: the secrets are then moved before their user is next written.
   */
  async #moveSecrets(): Promise<void> {
    for (const name of [...this.#unmoved]) {
      await this.#put(this.require(name)).catch((error: unknown) => {
        if (!isDbError(error)) throw error
      })
    }
  }

  /** With the password that is given, or until then with the one that everyone knows. */
  async #makeFirst({ cost, firstPassword: given = null }: UserStoreOptions): Promise<void> {
    if (this.#users.size === 0) {
      await this.#put({
        name: FIRST_USER,
        password: await hashPassword(given ?? FIRST_PASSWORD, cost),
        passwordIsDefault: given === null,
        passwordVersion: 1,
        roles: { [GLOBAL_SCOPE]: [SUPERUSER] },
      })
    } else if (given !== null && this.passwordIsDefault) await this.setPassword(FIRST_USER, given)
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
    const hash = await this.#hash(name, password)
    await this.#turns.run(async () => {
      if (this.#users.has(name)) throw taken(name)
      await this.#put({
        name,
        password: hash,
        passwordIsDefault: false,
        passwordVersion: 1,
        generation: randomText(8),
        roles: {},
      })
    })
  }

  /** @param revokeTokens refuses every token that was made for the user so far, too */
  async setPassword(name: string, password: string, revokeTokens = false): Promise<void> {
    const hash = await this.#hash(name, password)
    await this.#change(name, (user) => ({
      ...user,
      password: hash,
      passwordIsDefault: name === FIRST_USER && password === FIRST_PASSWORD,
      passwordVersion: user.passwordVersion + 1,
      ...(revokeTokens && { tokenEpoch: (user.tokenEpoch ?? 0) + 1 }),
    }))
  }

  #hash(name: string, password: string): Promise<PasswordHash> {
    return this.#queue.runChange(name, () => hashPassword(password, this.#cost))
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

  /** Users as an export holds them. */
  listWithSecrets(): readonly UserWithSecrets[] {
    return this.list().map((user) => ({ ...user, secrets: this.secretsOf(user) }))
  }

  /** A user as another server had him; one of that name gives way, and so do his sessions. */
  async restore({ secrets, ...user }: UserWithSecrets): Promise<void> {
    await this.#turns.run(async () => {
      const before = this.#users.get(user.name)
      const passwordVersion = Math.max(before?.passwordVersion ?? 0, user.passwordVersion) + 1
      // Tokens that were revoked here stay so.
      const epoch = before?.tokenEpoch ?? 0
      await this.#secrets.dropAll(user.name)
      await this.#put({ ...user, passwordVersion, ...(epoch > 0 && { tokenEpoch: epoch }) })
      await this.#secrets.restore(user, secrets)
    })
  }

  /** Refuses every token that was made for the user so far. */
  async revokeTokens(name: string): Promise<void> {
    await this.#change(name, (user) => ({ ...user, tokenEpoch: (user.tokenEpoch ?? 0) + 1 }))
  }

  async drop(name: string): Promise<void> {
    this.require(name)
    if (name === FIRST_USER) {
      throw new DbError('FORBIDDEN', `The user ${FIRST_USER} cannot be dropped.`)
    }
    await this.#turns.run(async () => {
      await this.#documents.delete(name)
      this.#users.delete(name)
      this.#unmoved.delete(name)
      this.version++
      await this.#secrets.dropAll(name)
    })
  }

  ownerOfHash(hash: string): User | undefined {
    const owner = this.#secrets.ownerOfHash(hash)
    const user = owner === undefined ? undefined : this.#users.get(owner.name)
    return user !== undefined && (user.generation ?? '') === owner?.generation ? user : undefined
  }

  /** In the order they were made. */
  secretsOf(user: User): readonly Secret[] {
    return this.#secrets.of(user)
  }

  findSecret(user: User, alias: string): Secret | undefined {
    return this.#secrets.find(user, alias)
  }

  /** @throws DbError NAME_TAKEN for an alias in use */
  async addSecret(
    name: string,
    wanted: { readonly alias?: string | undefined; readonly value?: string | undefined },
  ): Promise<{ alias: string; value: string }> {
    const alias = wanted.alias || `${GENERATED_ALIAS}${randomText(7)}`
    const value = wanted.value || randomText(SECRET_SIZE_CHARS)
    await this.#turns.run(() => this.#secrets.add(this.require(name), { alias, value }))
    return { alias, value }
  }

  /** @throws DbError INVALID_PARAMETER when one of them is unknown; none is removed then */
  async dropSecrets(name: string, aliasesOrValues: readonly string[]): Promise<void> {
    await this.#turns.run(async () => {
      const user = this.require(name)
      await this.#secrets.drop(user, aliasesOrValues)
      if (this.#unmoved.has(name)) await this.#put(user)
    })
  }

  async #change(name: string, changed: (before: User) => User): Promise<void> {
    await this.#turns.run(() => this.#put(changed(this.require(name))))
  }

  async #put(user: User): Promise<void> {
    await this.#secrets.saveAdopted(user.name)
    await this.#documents.put(user.name, Buffer.from(JSON.stringify(user)))
    this.#unmoved.delete(user.name)
    this.#keep(user)
    this.version++
  }
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
function withRoles(stored: StoredUser): User {
  const { roles, isSuperUser: wasSuperUser, secrets: _moved, ...user } = stored
  const before = wasSuperUser === true ? SUPERUSER : 'globaldesigner'
  return { ...user, roles: roles ?? { [GLOBAL_SCOPE]: [before] } }
}

/** Passwords that were verified are believed while their hash is the same object. */
function withKnownHash(user: User, before: User | undefined): User {
  const isSame = JSON.stringify(user.password) === JSON.stringify(before?.password)
  return isSame && before !== undefined ? { ...user, password: before.password } : user
}

/** How a secret is named where only its owner's name was asked for. */
export function masked(secret: string): string {
  return `${secret.slice(0, 3)}****${secret.slice(-3)}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
