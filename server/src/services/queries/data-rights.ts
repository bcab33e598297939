/** Which data a bound query touches, and whether its caller may. */
import { edgeTypesOf, requireGraph, vertexTypesOf } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { GrantedPrivilege } from '#contract/privileges.ts'
import { isDbError } from '#kernel/errors.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { allFileRights, type FileRefusal, type FileRights } from '#query/runtime/output/files.ts'
import { lex } from '#query/syntax/lexer.ts'
import type { Principal } from '../auth/access.ts'
import { mayKnowQueries, requireOnTypes, requirePrivilege } from '../auth/authorise.ts'
import type { StoredQuery } from './stored-query.ts'

/** By the kind of node in the bound tree. */
const changes: Readonly<Record<string, readonly GrantedPrivilege[]>> = {
  insertVertex: ['CREATE_DATA', 'UPDATE_DATA'],
  insertEdge: ['CREATE_DATA', 'UPDATE_DATA'],
  setAttribute: ['UPDATE_DATA'],
  deleteElement: ['DELETE_DATA'],
}

/**
 * What the queries of a text say, or else where it is at home. Comments and strings say nothing: a
 * graph named there would let a caller see what binding tells of another.
 */
export function graphsNamedIn({ graph, text }: { readonly graph: string; readonly text: string }) {
  const { tokens } = lex(text)
  const is = (index: number, word: string) => tokens[index]?.upper === word
  const named = tokens.flatMap(({ kind, text: name }, index) =>
    kind === 'name' && is(index - 1, 'GRAPH') && is(index - 2, 'FOR') ? name : [],
  )
  return named.length === 0 ? [graph] : [...new Set(named)]
}

/** The data that a query can meet. */
export interface TouchedData {
  readonly typeIds: ReadonlySet<number>
  readonly writes: ReadonlySet<GrantedPrivilege>
}

/** A query of a graph, and the data that it can meet. */
export interface TouchingQuery {
  readonly graph: string
  readonly touches: TouchedData
}

/**
 * READ_DATA on each type that the query can meet, and for what it changes the privilege on the
 * whole graph: which types a change reaches the text does not say.
 * @throws DbError FORBIDDEN
 */
export function checkDataRights(
  caller: Principal,
  { graph, touches }: TouchingQuery,
  catalog: Catalog,
): void {
  const { typeIds, writes } = touches
  for (const privilege of writes) requirePrivilege(caller, privilege, graph)
  if (caller.rights.allows('READ_DATA', graph)) return
  const types = [...vertexTypesOf(catalog, graph), ...edgeTypesOf(catalog, graph)]
  const met = types.filter(({ id }) => typeIds.has(id)).map(({ name }) => name)
  requireOnTypes(caller, 'READ_DATA', graph, met)
}

export function touchedBy(query: BoundQuery): TouchedData {
  const typeIds = new Set<number>()
  const writes = new Set<GrantedPrivilege>()
  for (const one of [query, ...query.callees]) {
    collect([one.parameters, one.uses, one.vertexSets, one.body], { typeIds, writes })
  }
  return { typeIds, writes }
}

/** Every type id that stands anywhere in the tree: rather one too many than one too few. */
function collect(
  value: unknown,
  into: { readonly typeIds: Set<number>; readonly writes: Set<GrantedPrivilege> },
): void {
  if (typeof value !== 'object' || value === null) return
  const { kind } = value as { readonly kind?: unknown }
  for (const privilege of changes[String(kind)] ?? []) into.writes.add(privilege)
  for (const [key, inner] of Object.entries(value)) {
    if (/typeIds?$/i.test(key)) {
      for (const id of [inner].flat()) if (typeof id === 'number') into.typeIds.add(id)
    } else collect(inner, into)
  }
}

/**
 * What a caller may do with the files of a graph. Nobody, the server itself, may do everything.
 * Refusals are given to the run, which meets them when it reaches a file.
 */
export function fileRightsOf(caller: Principal | null | undefined, graph: string): FileRights {
  if (!caller) return allFileRights
  return {
    read: refusalOf(caller, 'READ_FILE', graph),
    write: refusalOf(caller, 'WRITE_FILE', graph),
  }
}

function refusalOf(
  caller: Principal,
  privilege: 'READ_FILE' | 'WRITE_FILE',
  graph: string,
): FileRefusal | null {
  try {
    requirePrivilege(caller, privilege, graph)
    return null
  } catch (error) {
    if (!isDbError(error)) throw error
    const { code, message, details } = error
    return { code, message, details }
  }
}

/** Which queries a caller may learn of without naming their graph. */
export function knownTo(caller: Principal | null | undefined): (query: StoredQuery) => boolean {
  return ({ graph, owner }) => !caller || mayKnowQueries(caller, graph) || owner === caller.name
}

/**
 * The graph of a text that may name its own: of several, the first on which the caller may run
 * queries; others are not named to him.
 * @throws DbError GRAPH_NOT_FOUND
 */
export function homeGraph(
  catalog: Catalog,
  graph: string | null,
  caller: Principal | null | undefined,
): string {
  if (graph !== null) return requireGraph(catalog, graph).name
  const mayRun = (name: string) => !caller || caller.rights.allows('EXECUTE_QUERY', name)
  return catalog.graphs.find(({ name }) => mayRun(name))?.name ?? ''
}

/** Before anything is answered about a text, its errors included. */
export function checkNamedGraphs(
  principal: Principal | null | undefined,
  graphs: readonly string[],
): void {
  if (!principal) return
  for (const graph of graphs) {
    requirePrivilege(principal, 'EXECUTE_QUERY', graph === '' ? null : graph)
  }
}
