/**
 * What the person who is signed in may do, asked of the server once for each graph: a control that
 * would be refused says so before it is pressed. What is not known yet is offered, and the server
 * decides all the same.
 *
 * ```tsx
 * const refusal = useRefusal(createIndexes, graph)
 * <Refusable refusal={refusal}><Button onClick={create}>New index</Button></Refusable>
 * ```
 */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Endpoint, ResultOf } from '#contract/endpoint.ts'
import { readEffectivePrivileges } from '#contract/roles.ts'
import { isRefused } from './api-error.ts'
import { call } from './client.ts'
import { sessionQuery } from './session.ts'

/** What a call takes; an endpoint of the contract says it. */
export type Demand = Pick<Endpoint, 'privilege' | 'ofAllGraphs' | 'byType'>
type OwnRights = Pick<ResultOf<typeof readEffectivePrivileges>, 'graph' | 'privileges'>

const ownRightsKey = ['access', 'own'] as const

/** @param graph '': all of them */
export const ownRightsQuery = (graph: string) =>
  queryOptions({
    queryKey: [...ownRightsKey, graph],
    queryFn: ({ signal }) =>
      call(readEffectivePrivileges, { query: { graph: graph || undefined }, signal }),
    // Whoever was given a right meanwhile finds it on coming back to the page.
    staleTime: 60_000,
  })

/** Why a call would be refused, and who can change that; null: it would not. */
export function refusalOf(own: OwnRights, { privilege, byType }: Demand): string | null {
  const held = own.privileges.find((one) => one.privilege === privilege)
  // What needs no grant is not in the list.
  if (held === undefined || held.granted) return null
  // The server looks at the types that are touched.
  if (byType === true && held.types.length > 0) return null
  const [where, whom] =
    own.graph === null
      ? ['all graphs', 'this server']
      : [`graph ${own.graph}`, `${own.graph} or this server`]
  return `This takes the privilege ${privilege} on ${where}, which you do not have. Whoever administers ${whom} can give it to you.`
}

const scopeOf = ({ ofAllGraphs }: Demand, graph: string): string =>
  ofAllGraphs === true ? '' : graph

/**
 * Nothing is asked for somebody who may do everything, which is everybody where no password is set.
 * @param graph the one that the call is about; '': all of them
 * @param owner of what it is about, who needs no privilege for it
 */
export const useRefusal = (demand: Demand, graph: string, owner?: string): string | null =>
  useRight(demand, graph, owner).refusal

/** The same for what is read only where it may be: nothing is asked before that is known. */
export function useRight(demand: Demand, graph: string, owner?: string) {
  // The frame asks who is signed in; this looks on.
  const session = useQuery({ ...sessionQuery, enabled: false }).data
  const isLimited =
    session?.isSuperUser === false && session.user !== null && session.user !== owner
  const own = useQuery({ ...ownRightsQuery(scopeOf(demand, graph)), enabled: isLimited })
  return {
    isKnown: !(isLimited && own.isPending),
    refusal: isLimited && own.data !== undefined ? refusalOf(own.data, demand) : null,
  }
}

/** The same outside of pages, so that no refusal is written into the server's log. */
export async function mayCall(
  client: QueryClient,
  demand: Demand,
  graph: string,
): Promise<boolean> {
  const { isSuperUser } = await client.ensureQueryData(sessionQuery)
  if (isSuperUser) return true
  const own = await client.fetchQuery(ownRightsQuery(scopeOf(demand, graph)))
  return refusalOf(own, demand) === null
}

/** A page that polls is refused again and again. */
const KNOWN_FOR_MS = 10_000

/** Something was refused: what is known of the rights may be old. */
export function noteRefusal(client: QueryClient, error: unknown): void {
  if (!isRefused(error)) return
  const isOld = { predicate: ({ state }: Aged) => Date.now() - state.dataUpdatedAt > KNOWN_FOR_MS }
  void client.invalidateQueries({ queryKey: ownRightsKey, ...isOld })
  void client.invalidateQueries({ queryKey: sessionQuery.queryKey, ...isOld })
}

interface Aged {
  readonly state: { readonly dataUpdatedAt: number }
}
