/** Where a role holds: everywhere, or on one graph. */

/** As the server spells the scope of all graphs. */
export const EVERYWHERE = '1'

/** '': all of them. */
export const graphOf = (scope: string): string => (scope === EVERYWHERE ? '' : scope)

type ByScope = Readonly<Record<string, readonly string[]>>

/** `superuser everywhere; admin, designer on sample`; what holds everywhere first. */
export function rolesText(roles: ByScope): string {
  return scopesHeld(roles)
    .map((scope) => {
      const names = (roles[scope] ?? []).join(', ')
      return scope === EVERYWHERE ? `${names} everywhere` : `${names} on ${scope}`
    })
    .join('; ')
}

/** Where somebody has roles; everywhere first. */
export function scopesHeld(roles: ByScope): readonly string[] {
  return Object.keys(roles)
    .filter((scope) => (roles[scope] ?? []).length > 0)
    .sort((a, b) => Number(b === EVERYWHERE) - Number(a === EVERYWHERE) || a.localeCompare(b))
}

/** Roles held in a scope, whose name may be that of anything that every object has. */
export const rolesOn = (roles: ByScope, scope: string): readonly string[] =>
  Object.hasOwn(roles, scope) ? (roles[scope] ?? []) : []

/** So many graphs have a column of their own; of more, those where somebody has a role. */
const COLUMNS_MAX = 4

/** Columns of the matrix of users and scopes: everywhere, then the graphs by name. */
export function matrixScopes(
  users: readonly { readonly roles: ByScope }[],
  graphs: readonly string[],
): readonly string[] {
  const held = users.flatMap(({ roles }) => scopesHeld(roles))
  const shown = graphs.length > COLUMNS_MAX ? held : [...held, ...graphs]
  const named = [...new Set(shown)].filter((scope) => scope !== EVERYWHERE)
  return [EVERYWHERE, ...named.sort((a, b) => a.localeCompare(b))]
}

interface Roles {
  readonly builtIn: { readonly global: readonly string[]; readonly local: readonly string[] }
  readonly userDefinedRoles: ByScope
}

/** The roles that can be granted in a scope. */
export function rolesFor(scope: string, { builtIn, userDefinedRoles }: Roles): readonly string[] {
  const own = userDefinedRoles[scope] ?? []
  return [...(scope === EVERYWHERE ? builtIn.global : builtIn.local), ...own]
}

export interface RoleRow {
  readonly role: string
  /** Where it can be granted; null: on any graph. */
  readonly scope: string | null
  readonly own: boolean
}

/** Own roles first: they are what one comes to change. */
export function roleRows({ builtIn, userDefinedRoles }: Roles): readonly RoleRow[] {
  const own = Object.entries(userDefinedRoles).flatMap(([scope, roles]) =>
    roles.map((role) => ({ role, scope, own: true })),
  )
  return [
    ...own,
    ...builtIn.global.map((role) => ({ role, scope: EVERYWHERE, own: false })),
    ...builtIn.local.map((role) => ({ role, scope: null, own: false })),
  ]
}

export function whereWords({ scope }: RoleRow): string {
  return scope === null ? 'on any graph' : scope === EVERYWHERE ? 'everywhere' : `on ${scope}`
}

interface Privileges {
  readonly privileges: readonly string[]
}

interface ScopePrivileges extends Privileges {
  readonly childPermissions?: Readonly<Record<string, Privileges>> | undefined
}

/** What boxes for one scope do not show: rights on types, and those of a global role on a graph. */
export function furtherRights(
  rolePrivileges: Readonly<Record<string, ScopePrivileges>>,
  scope: string,
): readonly string[] {
  return Object.entries(rolePrivileges).flatMap(([at, { privileges, childPermissions = {} }]) => {
    const place = at === scope ? '' : ` on ${at}`
    const limits = Object.entries(childPermissions).map(
      ([type, limited]) => `Only of ${type}${place}: ${limited.privileges.join(', ')}`,
    )
    if (at === scope || privileges.length === 0) return limits
    return [`Only${place}: ${privileges.join(', ')}`, ...limits]
  })
}

interface EffectivePrivilege {
  readonly granted: boolean
  readonly types: readonly string[]
  readonly through: readonly { readonly role: string; readonly scope: string }[]
}

/** What gives a privilege: `admin on sample; superuser everywhere`; its limit to types beside it. */
export function throughText({ granted, types, through }: EffectivePrivilege): string {
  const byScope = new Map<string, string[]>()
  for (const { role, scope } of through) {
    byScope.set(scope, [...(byScope.get(scope) ?? []), role])
  }
  const given = rolesText(Object.fromEntries(byScope))
  return granted || types.length === 0 ? given : `${given}, only of ${types.join(', ')}`
}
