/** The one place that grants: deny by default. */
import type { GrantedPrivilege, Privilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import type { MayWriteSchema } from '../schema/schema-reach.ts'
import type { Demand, Principal } from './access.ts'
import { globalOnly } from './built-in-roles.ts'

/**
 * Whether a call may begin.
 * @param graph the graph the call names; a token limited to another graph is refused
 * @throws DbError FORBIDDEN
 */
export function authorise(principal: Principal, demand: Demand, graph: string | null): void {
  const { privilege, ofSomeGraph = false, byType = false } = demand
  checkTokenLimit(principal, privilege, graph)
  if (graph === null && !ofSomeGraph && isOfGraphs(privilege)) checkUnlimitedReach(principal)
  if (privilege === 'PUBLIC' || privilege === 'AUTHENTICATED') return
  const { rights } = principal
  if (rights.allows(privilege, graph)) return
  // Who came to look only owns nothing either.
  if (principal.unguarded === undefined && demand.isOwner?.(principal.name) === true) return
  if (byType && rights.allowsSomeType(privilege, graph)) return
  if (ofSomeGraph && graph === null && rights.allowsOnSomeGraph(privilege)) return
  if (principal.unguarded !== undefined) {
    authorise(principal.unguarded, demand, graph)
    throw guarded(principal)
  }
  throw missing(principal, privilege, graph)
}

/** What a call finds out only while it runs. @throws DbError FORBIDDEN */
export function requirePrivilege(
  principal: Principal,
  privilege: Privilege,
  graph: string | null,
): void {
  authorise(principal, { privilege }, graph)
}

/**
 * A privilege on data, limited to types: each of them needs it.
 * @throws DbError FORBIDDEN naming the first type without
 */
export function requireOnTypes(
  principal: Principal,
  privilege: GrantedPrivilege,
  graph: string,
  types: Iterable<string>,
): void {
  checkTokenLimit(principal, privilege, graph)
  const { rights, unguarded } = principal
  if (rights.allows(privilege, graph)) return
  for (const type of types) {
    if (rights.allowsType(privilege, graph, type)) continue
    if (unguarded !== undefined) {
      requireOnTypes(unguarded, privilege, graph, types)
      throw guarded(principal)
    }
    const text = `The user ${principal.name} does not have the privilege ${privilege} on type ${type} of graph ${graph}.`
    throw refusal(principal, text)
  }
}

/** By a secret or a new password, a token of one graph would reach all of them. */
export function checkUnlimited({ graph }: Pick<Principal, 'graph'>): void {
  if (graph === null) return
  const text = `The token is limited to graph ${graph}: it may not touch its user's credentials.`
  throw new DbError('FORBIDDEN', text)
}

/** Before users change their own credentials. @throws DbError FORBIDDEN, WRITE_GUARDED */
export function checkOwnCredentials(caller: Principal): void {
  checkUnlimited(caller)
  if (caller.unguarded !== undefined) throw guarded(caller)
}

/** Whether a list of graphs may name this one to the caller. */
export function maySeeGraph({ graph: limit, rights }: Principal, graph: string): boolean {
  return (limit === null || limit === graph) && rights.allows('READ_SCHEMA', graph)
}

/** Whether the caller may learn that a graph exists: his user has some right on it. */
export function mayKnowGraph({ rights }: Principal, graph: string): boolean {
  return rights.reaches(graph)
}

/** Whether names and parameters of a graph's queries may be shown to the caller. */
export function mayKnowQueries(principal: Principal, graph: string): boolean {
  const { graph: limit, rights } = principal
  if (limit !== null && limit !== graph) return false
  return rights.allows('READ_QUERY', graph) || rights.allows('EXECUTE_QUERY', graph)
}

/** Whether every value of a graph, or with null of all, may be told to the caller. */
export function mayReadData({ graph: limit, rights }: Principal, graph: string | null): boolean {
  return (limit === null || limit === graph) && rights.allows('READ_DATA', graph)
}

/** Tells whether the caller may change the schema of a graph, or with null of all of them. */
export function schemaWriter({ graph: limit, rights }: Principal): MayWriteSchema {
  return (graph) => (limit === null || limit === graph) && rights.allows('WRITE_SCHEMA', graph)
}

/** What reaches beyond one graph when the call names none. */
function reachesBeyond(privilege: Privilege): boolean {
  return (
    globalOnly.has(privilege) ||
    privilege.startsWith('WRITE_') ||
    privilege === 'READ_USER' ||
    privilege === 'READ_FILE'
  )
}

/** What a call that names no graph does in all of them. */
function isOfGraphs(privilege: Privilege): boolean {
  return ofGraphs.has(privilege)
}

const ofGraphs: ReadonlySet<Privilege> = new Set([
  'READ_DATA',
  'CREATE_DATA',
  'UPDATE_DATA',
  'DELETE_DATA',
  'READ_LOADINGJOB',
  'EXECUTE_LOADINGJOB',
])

function checkTokenLimit(principal: Principal, privilege: Privilege, graph: string | null): void {
  if (principal.graph === null) return
  if (graph !== null && graph !== principal.graph) {
    throw refusal(principal, `The token is limited to graph ${principal.graph}.`)
  }
  if (graph === null && reachesBeyond(privilege)) checkUnlimitedReach(principal)
}

/** @throws DbError FORBIDDEN to a token that is limited to a graph */
export function checkUnlimitedReach(principal: Principal): void {
  if (principal.graph === null) return
  const text = `The token is limited to graph ${principal.graph}: it may not reach what all graphs share.`
  throw refusal(principal, text)
}

function missing(principal: Principal, privilege: Privilege, graph: string | null): DbError {
  const where = graph === null ? '' : ` on graph ${graph}`
  const text = `The user ${principal.name} does not have the privilege ${privilege}${where}.`
  return refusal(principal, text)
}

/** With the user's name for the audit log, which learns of it before the call has a caller. */
const refusal = ({ name }: Principal, text: string): DbError =>
  new DbError('FORBIDDEN', text, { details: { user: name } })

/** The user may, the request may not. */
export function guarded(caller: Pick<Principal, 'name'> | null): DbError {
  const text = 'The write guard of this request is on read-only: nothing was changed.'
  const details = caller === null ? {} : { user: caller.name }
  return new DbError('WRITE_GUARDED', text, { details })
}
