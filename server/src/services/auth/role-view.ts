/** Roles and privileges as answers tell them: by scope, and by what gives them. */
import { GLOBAL_SCOPE, type GrantedPrivilege } from '#contract/privileges.ts'
import { allPrivileges, globalRoles, localRoles, privilegeType } from './built-in-roles.ts'
import { Rights } from './rights.ts'
import { addRole } from './rights-book.ts'
import type { RoleStore, ScopePrivileges } from './role-store.ts'
import type { User } from './user-store.ts'

/** What a role gives in a scope it is held in; `1` stands for global. */
export function privilegesOfRole(
  name: string,
  roles: RoleStore,
): Readonly<Record<string, ScopePrivileges>> {
  const builtIn = globalRoles.get(name) ?? localRoles.get(name)
  if (builtIn !== undefined) return { [GLOBAL_SCOPE]: { privileges: builtIn } }
  return roles.require(name).privileges
}

/** Every scope in which the user has a privilege, `1` always among them. */
export function privilegesByScope(user: User, roles: RoleStore): Record<string, ScopePrivileges> {
  const merged = new Map<string, Scope>([[GLOBAL_SCOPE, emptyScope()]])
  for (const { name, scope } of heldRoles(user)) {
    for (const [at, given] of Object.entries(privilegesOfRole(name, roles))) {
      if (scope === GLOBAL_SCOPE || at === scope || localRoles.has(name)) {
        merge(scopeOf(merged, scope === GLOBAL_SCOPE ? at : scope), given)
      }
    }
  }
  return Object.fromEntries([...merged].map(([scope, sets]) => [scope, jsonOf(sets)]))
}

interface Scope {
  readonly whole: Set<GrantedPrivilege>
  readonly types: Map<string, Set<GrantedPrivilege>>
}

function emptyScope(): Scope {
  return { whole: new Set(), types: new Map() }
}

function scopeOf(merged: Map<string, Scope>, name: string): Scope {
  const scope = merged.get(name) ?? emptyScope()
  merged.set(name, scope)
  return scope
}

function merge(scope: Scope, { privileges, childPermissions = {} }: ScopePrivileges): void {
  for (const privilege of privileges) scope.whole.add(privilege)
  for (const [type, limited] of Object.entries(childPermissions)) {
    const known = scope.types.get(type) ?? new Set()
    for (const privilege of limited.privileges) known.add(privilege)
    scope.types.set(type, known)
  }
}

function jsonOf({ whole, types }: Scope): ScopePrivileges {
  const children = [...types].map(([type, set]) => [type, { privileges: [...set] }] as const)
  return {
    privileges: allPrivileges.filter((privilege) => whole.has(privilege)),
    ...(children.length > 0 && { childPermissions: Object.fromEntries(children) }),
  }
}

export interface EffectivePrivilege {
  readonly privilege: string
  readonly privilegeType: string
  readonly granted: boolean
  readonly types: readonly string[]
  readonly through: readonly { readonly role: string; readonly scope: string }[]
}

/** Each privilege of the server: whether the user has it on the graph, and by which roles. */
export function effectivePrivileges(
  user: User,
  graph: string | null,
  { rights, roles }: { readonly rights: Rights; readonly roles: RoleStore },
): EffectivePrivilege[] {
  const held = heldRoles(user).map(({ name, scope }) => {
    const alone = new Rights(false)
    addRole(alone, { name, graph: scope === GLOBAL_SCOPE ? null : scope, roles })
    return { role: name, scope, alone }
  })
  return allPrivileges.map((privilege) => {
    const granted = rights.allows(privilege, graph)
    return {
      privilege,
      privilegeType: privilegeType(privilege),
      granted,
      types: granted ? [] : rights.typesWith(privilege, graph),
      through: held
        .filter(({ alone }) => alone.allowsSomeType(privilege, graph))
        .map(({ role, scope }) => ({ role, scope })),
    }
  })
}

function heldRoles(user: User): { readonly name: string; readonly scope: string }[] {
  return Object.entries(user.roles).flatMap(([scope, names]) =>
    names.map((name) => ({ name, scope })),
  )
}
