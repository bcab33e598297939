/**
 * Roles and privileges: who may hand out what to whom.
 *
 * Nobody gives or takes what he does not have himself: an administrator of one graph makes
 * administrators of that graph, and only a superuser makes superusers.
 */
import { requireEdgeType, requireGraph, requireVertexType } from '#catalog/lookup.ts'
import type { Catalog, TypeRenames } from '#catalog/types.ts'
import { GLOBAL_SCOPE, type GrantedPrivilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import { bracketed } from '../schema/schema-service.ts'
import type { Principal } from './access.ts'
import type { AuthService } from './auth-service.ts'
import { requirePrivilege } from './authorise.ts'
import {
  allPrivileges,
  globalOnly,
  globalRoles,
  localRoles,
  SUPERUSER,
  typePrivileges,
} from './built-in-roles.ts'
import { grantsOf, type Role, type ScopePrivileges } from './role-store.ts'
import { type EffectivePrivilege, effectivePrivileges, privilegesOfRole } from './role-view.ts'
import { Turns } from './turns.ts'
import { FIRST_USER, rolesIn } from './user-store.ts'

/** Where a privilege is given: everywhere, on a graph, or on one of its types. */
export interface PrivilegeScope {
  readonly graph: string | null
  readonly type: { readonly kind: 'vertex' | 'edge'; readonly name: string } | null
}

export interface RoleServiceOptions {
  readonly auth: AuthService
  readonly catalogue: { readonly catalog: Catalog }
}

export interface RoleGrant {
  readonly graph: string | null
  readonly roles: readonly string[]
  readonly users: readonly string[]
}

export interface PrivilegeGrant {
  readonly scope: PrivilegeScope
  readonly privileges: readonly string[]
  readonly roles: readonly string[]
}

export interface EffectiveRights {
  readonly user: string
  readonly graph: string | null
  readonly isSuperUser: boolean
  readonly privileges: readonly EffectivePrivilege[]
}

export class RoleService {
  readonly #auth: AuthService
  readonly #catalogue: { readonly catalog: Catalog }
  /** A check and what it allows are one turn: no role goes between them. */
  readonly #turns = new Turns()

  constructor({ auth, catalogue }: RoleServiceOptions) {
    this.#auth = auth
    this.#catalogue = catalogue
  }

  /** Own roles by graph, `1` for global: of the graphs whose roles the caller may read. */
  list(caller: Principal): Readonly<Record<string, readonly string[]>> {
    const byScope = new Map<string, string[]>()
    for (const { name, graph } of this.#auth.roles.list()) {
      if (graph !== null && !caller.rights.allows('READ_ROLE', graph)) continue
      const scope = graph ?? GLOBAL_SCOPE
      byScope.set(scope, [...(byScope.get(scope) ?? []), name])
    }
    return Object.fromEntries(byScope)
  }

  read(caller: Principal, name: string) {
    const isBuiltIn = globalRoles.has(name) || localRoles.has(name)
    const graph = isBuiltIn ? null : this.#requireVisible(caller, name).graph
    const maySee = (scope: string) =>
      isBuiltIn || scope === GLOBAL_SCOPE || mayReadRoles(caller, scope)
    const byScope = Object.entries(privilegesOfRole(name, this.#auth.roles))
    const rolePrivileges = Object.fromEntries(byScope.filter(([scope]) => maySee(scope)))
    return {
      ...(graph !== null && { Graph: graph }),
      roleName: name,
      isGlobal: isBuiltIn ? globalRoles.has(name) : graph === null,
      isBuiltIn,
      rolePrivileges,
    }
  }

  async create(names: readonly string[], graph: string | null): Promise<string> {
    this.#checkGraph(graph)
    await this.#turns.run(() => this.#auth.roles.create([...new Set(names)], graph))
    const what = graph === null ? 'global roles' : `local roles on graph '${graph}'`
    return `Successfully created ${what}: ${bracketed(names)}.`
  }

  /** @throws DbError INVALID_PARAMETER for an unknown role, FORBIDDEN for one of another scope */
  drop(caller: Principal, names: readonly string[]): Promise<string> {
    return this.#turns.run(() => this.#drop(caller, names))
  }

  /** A role of a graph whose roles the caller may not read looks like one that does not exist. */
  #requireVisible(caller: Principal, name: string): Role {
    const role = this.#auth.roles.require(name)
    if (role.graph === null || mayReadRoles(caller, role.graph)) return role
    throw new DbError('INVALID_PARAMETER', `The role ${name} does not exist.`)
  }

  async #drop(caller: Principal, names: readonly string[]): Promise<string> {
    const roles = names.map((name) => this.#requireVisible(caller, name))
    for (const role of roles) requirePrivilege(caller, 'WRITE_ROLE', role.graph)
    for (const role of roles) this.#checkHoldsAll(caller, role)
    for (const { name } of roles) {
      await this.#takeFromAll(name)
      await this.#auth.roles.drop(name)
    }
    return `Successfully dropped roles: ${bracketed(names)}.`
  }

  async #takeFromAll(role: string): Promise<void> {
    const { users } = this.#auth
    for (const { name, roles } of users.list()) {
      if (!Object.values(roles).flat().includes(role)) continue
      await users.changeRoles(name, (before) =>
        Object.fromEntries(
          Object.entries(before).map(([scope, names]) => [scope, without(names, [role])]),
        ),
      )
    }
  }

  grant(caller: Principal, wanted: RoleGrant): Promise<string> {
    return this.#turns.run(() => this.#grant(caller, wanted))
  }

  async #grant(caller: Principal, { graph, roles, users }: RoleGrant): Promise<string> {
    this.#checkGrant(caller, { graph, roles, users })
    const scope = graph ?? GLOBAL_SCOPE
    for (const name of users) {
      await this.#auth.users.changeRoles(name, (held) => ({
        ...held,
        [scope]: [...new Set([...rolesIn(held, scope), ...roles])],
      }))
    }
    return `Successfully granted roles ${bracketed(roles)}${onGraph(graph)} to users ${bracketed(users)}.`
  }

  revoke(caller: Principal, wanted: RoleGrant): Promise<string> {
    return this.#turns.run(() => this.#revoke(caller, wanted))
  }

  async #revoke(caller: Principal, { graph, roles, users }: RoleGrant): Promise<string> {
    this.#checkGrant(caller, { graph, roles, users })
    if (roles.includes(SUPERUSER) && users.includes(FIRST_USER)) {
      throw new DbError('FORBIDDEN', `The user ${FIRST_USER} stays a superuser.`)
    }
    const scope = graph ?? GLOBAL_SCOPE
    for (const name of users) {
      await this.#auth.users.changeRoles(name, (held) => ({
        ...held,
        [scope]: without(rolesIn(held, scope), roles),
      }))
    }
    return `Successfully revoked roles ${bracketed(roles)}${onGraph(graph)} from users ${bracketed(users)}.`
  }

  #checkGrant(caller: Principal, { graph, roles, users }: RoleGrant): void {
    this.#checkGraph(graph)
    for (const name of users) this.#auth.users.require(name)
    for (const name of roles) {
      this.#checkFits(name, graph)
      this.#checkHoldsAll(caller, this.#roleOf(name, graph))
    }
  }

  /** A built-in role as if it were one's own, in the scope it is granted in. */
  #roleOf(name: string, graph: string | null): Role {
    const builtIn = globalRoles.get(name) ?? localRoles.get(name)
    if (builtIn === undefined) return this.#auth.roles.require(name)
    return { name, graph, privileges: { [graph ?? GLOBAL_SCOPE]: { privileges: builtIn } } }
  }

  /** Global roles are granted globally, those of a graph on it. */
  #checkFits(name: string, graph: string | null): void {
    const own = this.#auth.roles.find(name)
    const isGlobal = own === undefined ? globalRoles.has(name) : own.graph === null
    if (own === undefined && !isGlobal && !localRoles.has(name)) {
      throw new DbError('INVALID_PARAMETER', `The role ${name} does not exist.`)
    }
    if (isGlobal !== (graph === null)) {
      const where = isGlobal ? 'globally, not on a graph' : 'on a graph: name it'
      throw new DbError('INVALID_PARAMETER', `The role ${name} can only be granted ${where}.`)
    }
    if (own?.graph !== undefined && own.graph !== graph) {
      const text = `The role ${name} is a role of graph ${own.graph}, not of ${graph}.`
      throw new DbError('INVALID_PARAMETER', text)
    }
  }

  #checkHoldsAll(caller: Principal, role: Role): void {
    for (const grant of grantsOf(role)) checkHolds(caller, grant)
  }

  grantPrivileges(caller: Principal, grant: PrivilegeGrant): Promise<string> {
    return this.#turns.run(() => {
      const scope = this.#known(grant.scope)
      const privileges = this.#checkPrivileges(caller, { ...grant, scope })
      return this.#change({ ...grant, scope }, 'granted', (before) => [
        ...new Set([...before, ...privileges]),
      ])
    })
  }

  revokePrivileges(caller: Principal, grant: PrivilegeGrant): Promise<string> {
    return this.#turns.run(() => {
      const scope = this.#known(grant.scope)
      const privileges = this.#checkPrivileges(caller, { ...grant, scope })
      return this.#change({ ...grant, scope }, 'revoked', (before) =>
        before.filter((one) => !privileges.includes(one)),
      )
    })
  }

  /** @returns the privileges, in their own spelling */
  #checkPrivileges(caller: Principal, { scope, privileges, roles }: PrivilegeGrant) {
    const found = privileges.map((name) => privilegeNamed(name, scope))
    for (const privilege of found) {
      checkHolds(caller, { privilege, graph: scope.graph, type: scope.type?.name ?? null })
    }
    for (const name of roles) {
      const role = this.#auth.roles.require(name)
      requirePrivilege(caller, 'WRITE_ROLE', role.graph)
      if (role.graph === null || role.graph === scope.graph) continue
      const text = `The role ${name} is a role of graph ${role.graph}: it has no privileges elsewhere.`
      throw new DbError('INVALID_PARAMETER', text)
    }
    return found
  }

  /** @returns one sentence per role */
  async #change(
    { scope, roles, privileges }: PrivilegeGrant,
    verb: 'granted' | 'revoked',
    changed: (before: readonly GrantedPrivilege[]) => readonly GrantedPrivilege[],
  ): Promise<string> {
    for (const name of roles) {
      const role = this.#auth.roles.require(name)
      const at = scope.graph ?? GLOBAL_SCOPE
      const before = role.privileges[at] ?? { privileges: [] }
      const after = withChange(before, scope.type?.name ?? null, changed)
      await this.#auth.roles.put({ ...role, privileges: { ...role.privileges, [at]: after } })
    }
    const names = bracketed(privileges.map((privilege) => privilege.toUpperCase()))
    const where = `${onType(scope)}${onGraph(scope.graph)}`
    const preposition = verb === 'granted' ? 'to' : 'from'
    return roles
      .map(
        (role) => `Successfully ${verb} privileges ${names}${where} ${preposition} role ${role}.`,
      )
      .join('\n')
  }

  rolesWithPrivileges(names: readonly string[]) {
    return names.map((role) => ({ role, privileges: privilegesOfRole(role, this.#auth.roles) }))
  }

  /** What a user may do on a graph, or with null everywhere. */
  effective(name: string, graph: string | null): EffectiveRights {
    this.#checkGraph(graph)
    const user = this.#auth.users.require(name)
    const rights = this.#auth.rightsOf(user)
    const privileges = effectivePrivileges(user, graph, { rights, roles: this.#auth.roles })
    return { user: name, graph, isSuperUser: rights.isSuperUser, privileges }
  }

  /** Called when a graph is dropped: roles and grants on it go with it. */
  forgetGraph(graph: string): Promise<void> {
    return this.#turns.run(() => this.#forgetGraph(graph))
  }

  /** Users first: their roles of a graph are granted on it, and a crash leaves none without one. */
  async #forgetGraph(graph: string): Promise<void> {
    for (const { name, roles } of this.#auth.users.list()) {
      if (!Object.hasOwn(roles, graph)) continue
      await this.#auth.users.changeRoles(name, ({ [graph]: _, ...left }) => left)
    }
    await this.#auth.roles.forgetGraph(graph)
  }

  /** Called when types have got other names: rights on them go on. */
  followRenames(renames: TypeRenames): Promise<void> {
    return this.#turns.run(() => this.#auth.roles.follow(renames))
  }

  #checkGraph(graph: string | null): void {
    if (graph !== null) requireGraph(this.#catalogue.catalog, graph)
  }

  /** With the type's own name, where its reverse one was given. @throws DbError for unknown names */
  #known({ graph, type }: PrivilegeScope): PrivilegeScope {
    this.#checkGraph(graph)
    if (type === null) return { graph, type }
    const { catalog } = this.#catalogue
    const found =
      type.kind === 'vertex'
        ? requireVertexType(catalog, graph, type.name)
        : requireEdgeType(catalog, graph, type.name).type
    return { graph, type: { kind: type.kind, name: found.name } }
  }
}

function mayReadRoles({ graph: limit, rights }: Principal, graph: string): boolean {
  return (limit === null || limit === graph) && rights.allows('READ_ROLE', graph)
}

function without(names: readonly string[], taken: readonly string[]): string[] {
  return names.filter((name) => !taken.includes(name))
}

function privilegeNamed(name: string, { graph, type }: PrivilegeScope): GrantedPrivilege {
  const privilege = allPrivileges.find((one) => one === name.toUpperCase())
  if (privilege === undefined) {
    throw new DbError('INVALID_PARAMETER', `The privilege ${name} does not exist.`)
  }
  if (graph !== null && globalOnly.has(privilege)) {
    const text = `The privilege ${privilege} can only be granted globally, not on a graph.`
    throw new DbError('INVALID_PARAMETER', text)
  }
  if (type !== null && !typePrivileges.has(privilege)) {
    const text = `The privilege ${privilege} cannot be limited to a type.`
    throw new DbError('INVALID_PARAMETER', text)
  }
  return privilege
}

/** @throws DbError FORBIDDEN: nobody hands out what he does not have */
function checkHolds(
  { name, rights, graph: limit }: Principal,
  grant: {
    readonly privilege: GrantedPrivilege
    readonly graph: string | null
    readonly type: string | null
  },
): void {
  const { privilege, graph, type } = grant
  const reaches = limit === null || limit === graph
  const has =
    graph === null || type === null
      ? rights.allows(privilege, graph)
      : rights.allowsType(privilege, graph, type)
  if (reaches && has) return
  const text = `The user ${name} does not have the privilege ${privilege}${onGraph(graph)} and cannot hand it out.`
  throw new DbError('FORBIDDEN', text)
}

function withChange(
  before: ScopePrivileges,
  type: string | null,
  changed: (names: readonly GrantedPrivilege[]) => readonly GrantedPrivilege[],
): ScopePrivileges {
  if (type === null) return { ...before, privileges: changed(before.privileges) }
  const { childPermissions = {} } = before
  const limited = changed(childPermissions[type]?.privileges ?? [])
  const { [type]: _, ...others } = childPermissions
  const children = limited.length === 0 ? others : { ...others, [type]: { privileges: limited } }
  return {
    privileges: before.privileges,
    ...(Object.keys(children).length > 0 && { childPermissions: children }),
  }
}

function onGraph(graph: string | null): string {
  return graph === null ? '' : ` on graph '${graph}'`
}

function onType({ type }: PrivilegeScope): string {
  return type === null ? '' : ` on ${type.kind} ${type.name}`
}
