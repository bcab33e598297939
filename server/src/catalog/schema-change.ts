/** A whole change in one step (contract 3.8, `POST /gsql/v1/schema/change`): all of it or nothing. */
import {
  alterEdgeType,
  createEdgeType,
  dropEdgeType,
  type EdgeAlteration,
  type EdgeTypeJson,
} from './edge-types.ts'
import { addTypesToGraph } from './graphs.ts'
import { requireGraph } from './lookup.ts'
import type { Catalog } from './types.ts'
import {
  alterVertexType,
  createVertexType,
  dropVertexType,
  type VertexAlteration,
  type VertexTypeJson,
} from './vertex-types.ts'

export interface GraphMembershipChange {
  readonly graphName: string
  readonly addVertexTypes: readonly string[]
  readonly dropVertexTypes: readonly string[]
  readonly addEdgeTypes: readonly string[]
  readonly dropEdgeTypes: readonly string[]
}

export interface SchemaChange {
  readonly addVertexTypes: readonly VertexTypeJson[]
  readonly addEdgeTypes: readonly EdgeTypeJson[]
  readonly alterVertexTypes: readonly (VertexAlteration & { readonly name: string })[]
  readonly alterEdgeTypes: readonly (EdgeAlteration & { readonly name: string })[]
  readonly dropVertexTypes: readonly string[]
  readonly dropEdgeTypes: readonly string[]
  /** Global types put into or taken out of graphs, by name. */
  readonly graphs: readonly GraphMembershipChange[]
}

/**
 * Drops go first, edges before the vertices they join, so that a name freed by a change can be
 * used again by it; then additions, vertices before edges, then alterations. Global types enter a
 * graph before the local types that may join them, and after the change that makes them.
 *
 * @param graph the graph of a local change; null for the global form
 * @returns a catalogue whose counters are as before: see `withVersions`
 * @throws DbError as the single steps do; the caller's catalogue is untouched then
 */
export function applySchemaChange(
  catalog: Catalog,
  graph: string | null,
  change: SchemaChange,
): Catalog {
  if (graph !== null) requireGraph(catalog, graph)
  let next = catalog
  for (const { graphName, dropEdgeTypes, dropVertexTypes } of change.graphs) {
    for (const name of dropEdgeTypes) next = dropEdgeType(next, graphName, name)
    for (const name of dropVertexTypes) next = dropVertexType(next, graphName, name)
  }
  for (const name of change.dropEdgeTypes) next = dropEdgeType(next, graph, name)
  for (const name of change.dropVertexTypes) next = dropVertexType(next, graph, name)
  if (graph !== null) next = addMembers(next, change.graphs)
  for (const type of change.addVertexTypes) next = addVertexType(next, graph, type)
  for (const { name, ...one } of change.alterVertexTypes) {
    next = alterVertexType(next, graph, name, one)
  }
  for (const type of change.addEdgeTypes) next = addEdgeType(next, graph, type)
  for (const { name, ...one } of change.alterEdgeTypes) next = alterEdgeType(next, graph, name, one)
  return graph === null ? addMembers(next, change.graphs) : next
}

function addMembers(catalog: Catalog, graphs: readonly GraphMembershipChange[]): Catalog {
  return graphs.reduce(
    (next, { graphName, addVertexTypes, addEdgeTypes }) =>
      addTypesToGraph(next, graphName, { vertices: addVertexTypes, edges: addEdgeTypes }),
    catalog,
  )
}

/** Inside a graph a type is local unless it says `IsLocal: false`: then the graph shares it. */
function addVertexType(catalog: Catalog, graph: string | null, json: VertexTypeJson): Catalog {
  if (graph === null || json.IsLocal !== false) return createVertexType(catalog, graph, json)
  const made = createVertexType(catalog, null, json)
  return addTypesToGraph(made, graph, { vertices: [json.Name], edges: [] })
}

function addEdgeType(catalog: Catalog, graph: string | null, json: EdgeTypeJson): Catalog {
  if (graph === null || json.IsLocal !== false) return createEdgeType(catalog, graph, json)
  const made = createEdgeType(catalog, null, json)
  return addTypesToGraph(made, graph, { vertices: [], edges: [json.Name] })
}
