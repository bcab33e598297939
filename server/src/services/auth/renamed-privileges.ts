/** Privileges on types, which are kept by names, after the types have got other names. */
import type { TypeRename } from '#catalog/types.ts'
import { GLOBAL_SCOPE } from '#contract/privileges.ts'
import type { Role, ScopePrivileges } from './role-store.ts'

type Privileges = Role['privileges']
type Children = NonNullable<ScopePrivileges['childPermissions']>

/**
 * A new name that stood for something else stands for the renamed type alone from now on: what was
 * left of a type that was dropped gives nobody rights on this one.
 *
 * @returns the same object when no scope is concerned
 */
export function renamedPrivileges(
  privileges: Privileges,
  renames: readonly TypeRename[],
): Privileges {
  const scopes = new Set([...Object.keys(privileges), ...localScopes(privileges, renames)])
  const renamed = [...scopes].map((scope): readonly [string, ScopePrivileges] => [
    scope,
    renamedScope(privileges, scope, renames),
  ])
  const isChanged = renamed.some(([scope, value]) => privileges[scope] !== value)
  return isChanged ? Object.fromEntries(renamed) : privileges
}

/**
 * Graphs whose local type is reached by a privilege on its old name everywhere: that one stays, for
 * the types of other graphs, and the type keeps what it had of it.
 */
function localScopes(privileges: Privileges, renames: readonly TypeRename[]): readonly string[] {
  const everywhere = privileges[GLOBAL_SCOPE]?.childPermissions ?? {}
  return renames.flatMap(({ graph, from }) =>
    graph !== null && Object.hasOwn(everywhere, from) ? [graph] : [],
  )
}

function renamedScope(
  privileges: Privileges,
  scope: string,
  renames: readonly TypeRename[],
): ScopePrivileges {
  const old = privileges[scope] ?? { privileges: [] }
  const own = renames.filter(({ graph }) => graph === null || graph === scope)
  const children = old.childPermissions ?? {}
  const everywhere = privileges[GLOBAL_SCOPE]?.childPermissions ?? {}
  const granted = own.flatMap(({ graph, from, to }): [string, Children[string]][] => {
    const sources = [children[from], graph === null ? undefined : everywhere[from]]
    const names = sources.flatMap((source) => source?.privileges ?? [])
    return names.length === 0 ? [] : [[to, { privileges: [...new Set(names)] }]]
  })
  const names = new Set(own.flatMap(({ from, to }) => [from, to]))
  const kept = Object.entries(children).filter(([name]) => !names.has(name))
  if (granted.length === 0 && kept.length === Object.keys(children).length) return old
  return { ...old, childPermissions: Object.fromEntries([...kept, ...granted]) }
}
