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
import { placed } from './refused-step.ts'
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
  const run = <T>(operation: keyof SchemaChange, parts: readonly T[], one: Step<T>) => {
    next = inTurn(next, operation, parts, one)
  }
  change.graphs.forEach(({ graphName, dropEdgeTypes, dropVertexTypes }, index) => {
    const place = (name: string) => ({ operation: 'graphs', index, name })
    for (const name of dropEdgeTypes) {
      next = placed(place(name), () => dropEdgeType(next, graphName, name))
    }
    for (const name of dropVertexTypes) {
      next = placed(place(name), () => dropVertexType(next, graphName, name))
    }
  })
  run('dropEdgeTypes', change.dropEdgeTypes, (now, name) => dropEdgeType(now, graph, name))
  run('dropVertexTypes', change.dropVertexTypes, (now, name) => dropVertexType(now, graph, name))
  if (graph !== null) run('graphs', change.graphs, addMembers)
  run('addVertexTypes', change.addVertexTypes, (now, type) => addVertexType(now, graph, type))
  run('alterVertexTypes', change.alterVertexTypes, (now, { name, ...one }) =>
    alterVertexType(now, graph, name, one),
  )
  run('addEdgeTypes', change.addEdgeTypes, (now, type) => addEdgeType(now, graph, type))
  run('alterEdgeTypes', change.alterEdgeTypes, (now, { name, ...one }) =>
    alterEdgeType(now, graph, name, one),
  )
  if (graph === null) run('graphs', change.graphs, addMembers)
  return next
}

type Step<T> = (catalog: Catalog, part: T) => Catalog

/** A refusal tells which part it was. */
function inTurn<T>(
  catalog: Catalog,
  operation: keyof SchemaChange,
  parts: readonly T[],
  one: Step<T>,
): Catalog {
  return parts.reduce(
    (next, part, index) => placed({ operation, index, name: nameOf(part) }, () => one(next, part)),
    catalog,
  )
}

/** Drops are names; what is added or altered has one; of a graph's members the message tells. */
function nameOf(part: unknown): string {
  if (typeof part === 'string') return part
  const { Name, name, graphName } = part as Readonly<Record<string, string | undefined>>
  return Name ?? name ?? graphName ?? ''
}

function addMembers(
  catalog: Catalog,
  { graphName, addVertexTypes, addEdgeTypes }: GraphMembershipChange,
): Catalog {
  return addTypesToGraph(catalog, graphName, { vertices: addVertexTypes, edges: addEdgeTypes })
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
