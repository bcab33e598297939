/** The one place that grants: deny by default. Roles come later; until then two kinds of users. */
import { type Privilege, privileges } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from './access.ts'

/** What a user without a role may do: everything about graphs and queries, nothing about users. */
const forEveryUser: ReadonlySet<string> = new Set(
  [...privileges.GRAPH, ...privileges.QUERY].filter(
    (privilege) => !/_(USER|ROLE|POLICY|PROXYGROUP)$/.test(privilege),
  ),
)

/** What reaches beyond one graph when the call names none. */
const forAllGraphs: ReadonlySet<string> = new Set([...privileges.GLOBAL, 'WRITE_SCHEMA'])

/**
 * @param graph the graph the call names; a token limited to another graph is refused
 * @throws DbError FORBIDDEN
 */
export function authorise(
  principal: Principal & { readonly isSuperUser: boolean },
  privilege: Privilege,
  graph: string | null,
): void {
  if (principal.graph !== null && graph !== null && graph !== principal.graph) {
    throw new DbError('FORBIDDEN', `The token is limited to graph ${principal.graph}.`)
  }
  if (principal.graph !== null && graph === null && forAllGraphs.has(privilege)) {
    const text = `The token is limited to graph ${principal.graph}: it may not change what all graphs share.`
    throw new DbError('FORBIDDEN', text)
  }
  if (privilege === 'PUBLIC' || privilege === 'AUTHENTICATED') return
  if (principal.isSuperUser || forEveryUser.has(privilege)) return
  throw new DbError(
    'FORBIDDEN',
    `The user ${principal.name} does not have the privilege ${privilege}.`,
  )
}

export function privilegesOf(isSuperUser: boolean): readonly string[] {
  if (!isSuperUser) return [...forEveryUser]
  return Object.values(privileges).flat()
}
