/** A whole change in one step: all of it or nothing. */
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
import { type EdgeRename, type Placed, renameTypes, type VertexRename } from './renames.ts'
import { schemaError } from './rule.ts'
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

export type VertexTypeChange = VertexAlteration & VertexRename
export type EdgeTypeChange = EdgeAlteration & EdgeRename

export interface SchemaChange {
  readonly addVertexTypes: readonly VertexTypeJson[]
  readonly addEdgeTypes: readonly EdgeTypeJson[]
  readonly alterVertexTypes: readonly VertexTypeChange[]
  readonly alterEdgeTypes: readonly EdgeTypeChange[]
  readonly dropVertexTypes: readonly string[]
  readonly dropEdgeTypes: readonly string[]
  /** Global types put into or taken out of graphs, by name. */
  readonly graphs: readonly GraphMembershipChange[]
}

export const noChange: SchemaChange = {
  addVertexTypes: [],
  addEdgeTypes: [],
  alterVertexTypes: [],
  alterEdgeTypes: [],
  dropVertexTypes: [],
  dropEdgeTypes: [],
  graphs: [],
}

/**
 * Drops go first, edges before the vertices they join, then all renames at one moment, so that a
 * name freed by a change can be used again by it; then additions, vertices before edges, then
 * alterations. Global types enter a graph before the local types that may join them, and after the
 * change that makes them. What is there is called by its name of before, what the change makes or
 * says of it by the names after.
 *
 * @param graph the graph of a local change; null for the global form
 * @returns a catalogue whose counters are as before: see `withVersions`
 * @throws DbError as the single steps do, with the place in its details; the caller's catalogue is
 *   untouched then
 */
export function applySchemaChange(
  catalog: Catalog,
  graph: string | null,
  change: SchemaChange,
): Catalog {
  if (graph !== null) requireGraph(catalog, graph)
  checkRenames(change)
  let next = catalog
  for (const entry of entries('graphs', change.graphs)) next = withoutMembers(next, entry)
  for (const { part, within } of entries('dropEdgeTypes', change.dropEdgeTypes)) {
    next = within(() => dropEdgeType(next, graph, part))
  }
  for (const { part, within } of entries('dropVertexTypes', change.dropVertexTypes)) {
    next = within(() => dropVertexType(next, graph, part))
  }
  next = renameTypes(next, graph, {
    vertices: entries('alterVertexTypes', change.alterVertexTypes),
    edges: entries('alterEdgeTypes', change.alterEdgeTypes),
  })
  if (graph !== null) next = addMembers(next, change.graphs)
  for (const { part, within } of entries('addVertexTypes', change.addVertexTypes)) {
    next = within(() => addVertexType(next, graph, part))
  }
  for (const { part, within } of entries('alterVertexTypes', change.alterVertexTypes)) {
    next = within(() => alterVertexType(next, graph, part.newName ?? part.name, part))
  }
  for (const { part, within } of entries('addEdgeTypes', change.addEdgeTypes)) {
    next = within(() => addEdgeType(next, graph, part))
  }
  for (const { part, within } of entries('alterEdgeTypes', change.alterEdgeTypes)) {
    next = within(() => alterEdgeType(next, graph, part.newName ?? part.name, part))
  }
  return graph === null ? addMembers(next, change.graphs) : next
}

/** What would be ambiguous: a name is that of before, and somebody else's after. */
function checkRenames(change: SchemaChange): void {
  const checkKind = (
    operation: 'alterVertexTypes' | 'alterEdgeTypes',
    drops: readonly string[],
  ): void => {
    const renames = change[operation]
    for (const { part, within } of entries<VertexRename>(operation, renames)) {
      const { name, newName } = part
      const taker = renames.find((one) => one.newName === name && one.name !== name)
      within(() => {
        if (newName !== undefined && drops.includes(name)) {
          throw schemaError(`The type ${name} is both renamed and dropped.`)
        }
        if (newName === undefined && taker !== undefined) {
          throw schemaError(
            `${name} becomes the name of ${taker.name}, which is altered under its name of now.`,
          )
        }
      })
    }
  }
  checkKind('alterVertexTypes', change.dropVertexTypes)
  checkKind('alterEdgeTypes', change.dropEdgeTypes)
}

interface Entry<T> extends Placed<T> {
  readonly index: number
}

/** The parts of one key of a change: a refusal tells which it was. */
function entries<T>(operation: keyof SchemaChange, parts: readonly T[]): Entry<T>[] {
  return parts.map((part, index) => ({
    part,
    index,
    within: (step) => placed({ operation, index, name: nameOf(part) }, step),
  }))
}

/** Drops are names; what is added or altered has one; of a graph's members the message tells. */
function nameOf(part: unknown): string {
  if (typeof part === 'string') return part
  const { name, Name, graphName } = part as Readonly<Record<string, string | undefined>>
  return name ?? Name ?? graphName ?? ''
}

function withoutMembers(catalog: Catalog, { part, index }: Entry<GraphMembershipChange>): Catalog {
  const { graphName, dropEdgeTypes, dropVertexTypes } = part
  const place = (name: string) => ({ operation: 'graphs', index, name })
  let next = catalog
  for (const name of dropEdgeTypes) {
    next = placed(place(name), () => dropEdgeType(next, graphName, name))
  }
  for (const name of dropVertexTypes) {
    next = placed(place(name), () => dropVertexType(next, graphName, name))
  }
  return next
}

function addMembers(catalog: Catalog, graphs: readonly GraphMembershipChange[]): Catalog {
  return entries('graphs', graphs).reduce((next, { part, within }) => {
    const { graphName, addVertexTypes, addEdgeTypes } = part
    const names = { vertices: addVertexTypes, edges: addEdgeTypes }
    return within(() => addTypesToGraph(next, graphName, names))
  }, catalog)
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
