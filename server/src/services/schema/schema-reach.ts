/**
 * What a change of one graph's schema reaches beyond that graph. Global types belong to all graphs
 * that use them: who may change the schema of one graph may change such a type only with the same
 * right on each of the others. The check compares the catalogue before and after, so that it holds
 * for every kind of change.
 */

import { touchedGraphs } from '#catalog/graphs.ts'
import { findGraph } from '#catalog/lookup.ts'
import type { Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'

/** Whether the caller may change the schema of a graph, or with null of all of them. */
export type MayWriteSchema = (graph: string | null) => boolean

/** For calls that take a right on all graphs. */
export const everywhere: MayWriteSchema = () => true

type AnyType = VertexType | EdgeType

/**
 * @param graph whose schema is changed; null: the global one, which includes all graphs
 * @throws DbError FORBIDDEN naming no graph: the caller may not know of the others
 */
export function checkReach(
  before: Catalog,
  after: Catalog,
  { graph, mayWrite }: { readonly graph: string | null; readonly mayWrite: MayWriteSchema },
): void {
  if (graph === null || mayWrite(null)) return
  if (touchedGraphs(before, after).some((other) => other !== graph && !mayWrite(other))) {
    throw refusal(graph, 'It changes types that other graphs use')
  }
  if (changesGlobals(before, after)) throw refusal(graph, 'It changes what all graphs share')
  if (addedTypes(before, after, graph).some((type) => !mayAdd(before, type, mayWrite))) {
    throw refusal(graph, 'It adds a global type, with its data, to the graph')
  }
}

/** Tuples, accumulator types, and global types that come or go. */
function changesGlobals(before: Catalog, after: Catalog): boolean {
  if (before.tuples !== after.tuples || before.accums !== after.accums) return true
  const ids = (catalog: Catalog) =>
    typesOf(catalog).flatMap(({ id, graph }) => (graph === null ? id : []))
  return ids(before).join() !== ids(after).join()
}

/** Types that were there before, in other graphs or in none, and that the graph has only now. */
function addedTypes(before: Catalog, after: Catalog, graph: string): readonly AnyType[] {
  const had = new Set(typeIdsIn(before, graph))
  const has = new Set(typeIdsIn(after, graph))
  return typesOf(before).filter(({ id }) => has.has(id) && !had.has(id))
}

/** A type without a graph may hold data of a graph that was dropped: it belongs to the whole server. */
function mayAdd(catalog: Catalog, { id }: AnyType, mayWrite: MayWriteSchema): boolean {
  const users = catalog.graphs.filter(({ name }) => typeIdsIn(catalog, name).includes(id))
  return users.length > 0 && users.every(({ name }) => mayWrite(name))
}

function typesOf({ vertexTypes, edgeTypes }: Catalog): readonly AnyType[] {
  return [...vertexTypes, ...edgeTypes]
}

function typeIdsIn(catalog: Catalog, graph: string): readonly number[] {
  const found = findGraph(catalog, graph)
  return found === undefined ? [] : [...found.vertexTypeIds, ...found.edgeTypeIds]
}

function refusal(graph: string, what: string): DbError {
  const text = `${what}: a change of graph ${graph} takes WRITE_SCHEMA on every graph concerned, or everywhere.`
  return new DbError('FORBIDDEN', text)
}
