/** Roles of one's own, kept whole in memory and written through to the store's documents. */
import type { TypeRenames } from '#catalog/types.ts'
import { GLOBAL_SCOPE, type GrantedPrivilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { Collection, Documents } from '#storage/documents.ts'
import { globalRoles, localRoles } from './built-in-roles.ts'
import { renamedPrivileges } from './renamed-privileges.ts'

export interface ScopePrivileges {
  readonly privileges: readonly GrantedPrivilege[]
  /** By the name of a vertex or edge type. */
  readonly childPermissions?: Readonly<
    Record<string, { readonly privileges: readonly GrantedPrivilege[] }>
  >
}

export interface Role {
  readonly name: string
  /** The graph of a local role; null: a global one. */
  readonly graph: string | null
  /** By graph, `1` for everything; the graph alone for a local role. */
  readonly privileges: Readonly<Record<string, ScopePrivileges>>
  /** The version of the catalogue whose renames it follows, since it had to the last time. */
  readonly followed?: number
}

const COLLECTION = 'roles'
/** How far all roles have followed; one document. */
const FOLLOWED_COLLECTION = 'role-renames'
const FOLLOWED_KEY = 'followed'
const ROLES_MAX = 1_000

export class RoleStore {
  readonly #documents: Collection
  readonly #markers: Collection
  readonly #roles = new Map<string, Role>()
  /** Counts changes, for what is derived from roles. */
  version = 0
  /** The version of the catalogue whose renames all roles follow. */
  #followed = 0

  private constructor(documents: Documents) {
    this.#documents = documents.open(COLLECTION, (name, bytes) => this.#take(name, bytes))
    this.#markers = documents.open(FOLLOWED_COLLECTION, (_key, bytes) => this.#takeMarker(bytes))
  }

  static async open(documents: Documents): Promise<RoleStore> {
    const store = new RoleStore(documents)
    for (const { key, bytes } of await store.#documents.list()) store.#take(key, bytes)
    for (const { bytes } of await store.#markers.list()) store.#takeMarker(bytes)
    return store
  }

  #take(name: string, bytes: Uint8Array | null): void {
    if (bytes === null) this.#roles.delete(name)
    else this.#roles.set(name, JSON.parse(Buffer.from(bytes).toString()) as Role)
    this.version++
  }

  #takeMarker(bytes: Uint8Array | null): void {
    this.#followed = bytes === null ? 0 : Number(Buffer.from(bytes).toString())
  }

  find(name: string): Role | undefined {
    return this.#roles.get(name)
  }

  list(): readonly Role[] {
    return [...this.#roles.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** @throws DbError INVALID_PARAMETER for a built-in role, too: those cannot be changed */
  require(name: string): Role {
    const role = this.#roles.get(name)
    if (role) return role
    const isBuiltIn = globalRoles.has(name) || localRoles.has(name)
    const text = isBuiltIn
      ? `The built-in role ${name} cannot be changed.`
      : `The role ${name} does not exist.`
    throw new DbError('INVALID_PARAMETER', text)
  }

  /** All or none. @throws DbError NAME_TAKEN, INVALID_NAME */
  async create(names: readonly string[], graph: string | null): Promise<void> {
    for (const name of names) this.#checkNew(name)
    if (this.#roles.size + names.length > ROLES_MAX) {
      throw new DbError('INVALID_PARAMETER', `There are at most ${ROLES_MAX} roles.`)
    }
    for (const name of names) await this.put({ name, graph, privileges: {} })
  }

  #checkNew(name: string): void {
    if (!/^[A-Za-z_]\w{0,255}$/.test(name) || name === '__proto__') {
      throw new DbError('INVALID_NAME', `'${name.slice(0, 60)}' is not a valid role name.`)
    }
    if (this.#roles.has(name) || globalRoles.has(name) || localRoles.has(name)) {
      throw new DbError('NAME_TAKEN', `The role ${name} already exists.`)
    }
  }

  async put(role: Role): Promise<void> {
    await this.#documents.put(role.name, Buffer.from(JSON.stringify(role)))
    this.#roles.set(role.name, role)
    this.version++
  }

  /**
   * Renames types in all roles that name them. Interrupted, it goes on where it was: a role that has
   * followed says so, since the names of two types may have been swapped.
   */
  async follow({ version, types }: TypeRenames): Promise<void> {
    if (this.#followed >= version) return
    for (const role of this.list()) {
      if ((role.followed ?? 0) >= version) continue
      const privileges = renamedPrivileges(role.privileges, types)
      if (privileges !== role.privileges) await this.put({ ...role, privileges, followed: version })
    }
    const bytes = Buffer.from(String(version))
    await this.#markers.put(FOLLOWED_KEY, bytes)
    this.#followed = version
  }

  async drop(name: string): Promise<void> {
    await this.#documents.delete(name)
    this.#roles.delete(name)
    this.version++
  }

  /** A dropped graph takes its roles and every privilege on it along: a new one starts bare. */
  async forgetGraph(graph: string): Promise<void> {
    const local = this.list().filter((role) => role.graph === graph)
    for (const { name } of local) await this.drop(name)
    for (const role of this.list()) {
      if (!Object.hasOwn(role.privileges, graph)) continue
      const { [graph]: _, ...privileges } = role.privileges
      await this.put({ ...role, privileges })
    }
  }
}

/** Each privilege of a role with its scope and type, null where it has none. */
export function* grantsOf({ privileges }: Role): Generator<{
  readonly privilege: GrantedPrivilege
  readonly graph: string | null
  readonly type: string | null
}> {
  for (const [scope, { privileges: whole, childPermissions = {} }] of Object.entries(privileges)) {
    const graph = scope === GLOBAL_SCOPE ? null : scope
    for (const privilege of whole) yield { privilege, graph, type: null }
    for (const [type, { privileges: limited }] of Object.entries(childPermissions)) {
      for (const privilege of limited) yield { privilege, graph, type }
    }
  }
}
