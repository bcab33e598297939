/** The rights of every user, kept until a user or a role changes. */
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import { globalRoles, localRoles, SUPERUSER } from './built-in-roles.ts'
import { Rights } from './rights.ts'
import { grantsOf, type RoleStore } from './role-store.ts'
import type { User, UserStore } from './user-store.ts'

export class RightsBook {
  readonly #users: UserStore
  readonly #roles: RoleStore
  readonly #known = new Map<string, Rights>()
  #version = -1

  constructor(users: UserStore, roles: RoleStore) {
    this.#users = users
    this.#roles = roles
  }

  of(user: User): Rights {
    // Both only grow.
    const version = this.#users.version + this.#roles.version
    if (version !== this.#version) this.#known.clear()
    this.#version = version
    const known = this.#known.get(user.name)
    if (known !== undefined) return known
    const rights = sumOf(user, this.#roles)
    this.#known.set(user.name, rights)
    return rights
  }
}

function sumOf(user: User, roles: RoleStore): Rights {
  const isSuperUser = user.roles[GLOBAL_SCOPE]?.includes(SUPERUSER) ?? false
  const rights = new Rights(isSuperUser)
  for (const [scope, names] of Object.entries(user.roles)) {
    const graph = scope === GLOBAL_SCOPE ? null : scope
    for (const name of names) addRole(rights, { name, graph, roles })
  }
  return rights
}

export interface HeldRole {
  readonly name: string
  /** Where it is granted; null: globally. */
  readonly graph: string | null
  readonly roles: RoleStore
}

/** A role held on a graph gives nothing elsewhere, whatever the role itself says. */
export function addRole(rights: Rights, { name, graph, roles }: HeldRole): void {
  rights.hold(name, graph)
  const builtIn = (graph === null ? globalRoles : localRoles).get(name) ?? []
  for (const privilege of builtIn) rights.add(privilege, graph, null)
  const role = roles.find(name)
  if (role === undefined) return
  for (const grant of grantsOf(role)) {
    if (graph === null || grant.graph === graph)
      rights.add(grant.privilege, grant.graph, grant.type)
  }
}
