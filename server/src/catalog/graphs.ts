/** Graphs: named sets of types. A graph holds an edge type only with the vertex types it joins. */
import {
  edgeTypeNamesOf,
  edgeTypesOf,
  findEdgeType,
  findGraph,
  findVertexType,
  requireGraph,
  vertexTypeById,
  vertexTypesOf,
} from './lookup.ts'
import { checkName } from './names.ts'
import { missingEdgeType, missingVertexType, schemaError } from './rule.ts'
import type { Catalog, GraphDefinition } from './types.ts'

export interface TypeNames {
  readonly vertices: readonly string[]
  readonly edges: readonly string[]
}

/**
 * @param names global types; `*` alone stands for all of them
 * @throws DbError INVALID_NAME, NAME_TAKEN, VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND, SCHEMA_RULE
 */
export function createGraph(catalog: Catalog, name: string, names: TypeNames): Catalog {
  checkName('graph', name)
  if (findGraph(catalog, name)) {
    throw schemaError(`The graph ${name} already exists.`, 'NAME_TAKEN')
  }
  const empty: GraphDefinition = { name, vertexTypeIds: [], edgeTypeIds: [], schemaVersion: 0 }
  return addTypesToGraph({ ...catalog, graphs: [...catalog.graphs, empty] }, name, names)
}

/** Puts global types into a graph; those it has already are left alone. */
export function addTypesToGraph(catalog: Catalog, graph: string, names: TypeNames): Catalog {
  const target = requireGraph(catalog, graph)
  const vertexNames = expanded(names.vertices, catalog.vertexTypes)
  const edgeNames = expanded(names.edges, catalog.edgeTypes)
  const vertexTypeIds = new Set(target.vertexTypeIds)
  for (const name of vertexNames) {
    const type = findVertexType(catalog, null, name)
    if (type === undefined) throw missingVertexType(name, null)
    checkNoLocalNamesake(catalog, graph, name)
    vertexTypeIds.add(type.id)
  }
  const edgeTypeIds = new Set(target.edgeTypeIds)
  for (const name of edgeNames) {
    const found = findEdgeType(catalog, null, name)
    if (found === undefined) throw missingEdgeType(name, null)
    checkNoLocalNamesake(catalog, graph, name)
    checkEnds(catalog, graph, { name, pairs: found.type.pairs }, vertexTypeIds)
    edgeTypeIds.add(found.type.id)
  }
  const grown = { ...target, vertexTypeIds: [...vertexTypeIds], edgeTypeIds: [...edgeTypeIds] }
  return { ...catalog, graphs: catalog.graphs.map((one) => (one === target ? grown : one)) }
}

function expanded(
  names: readonly string[],
  types: readonly { readonly name: string; readonly graph: string | null }[],
): readonly string[] {
  if (!names.includes('*')) return names
  return types.filter((type) => type.graph === null).map((type) => type.name)
}

function checkNoLocalNamesake(catalog: Catalog, graph: string, name: string): void {
  const isLocal = (type: { name: string; graph: string | null }) =>
    type.graph === graph && type.name === name
  if (!catalog.vertexTypes.some(isLocal) && !catalog.edgeTypes.some(isLocal)) return
  throw schemaError(`The graph ${graph} has a local type ${name} already.`, 'NAME_TAKEN')
}

function checkEnds(
  catalog: Catalog,
  graph: string,
  edge: { name: string; pairs: readonly { fromTypeId: number; toTypeId: number }[] },
  vertexTypeIds: ReadonlySet<number>,
): void {
  for (const pair of edge.pairs) {
    for (const [side, id] of [
      ['FROM', pair.fromTypeId],
      ['TO', pair.toTypeId],
    ] as const) {
      if (vertexTypeIds.has(id)) continue
      const vertex = vertexTypeById(catalog, id).name
      throw schemaError(
        `The schema change job tries to add edge ${edge.name} to graph ${graph}, but the ${side} vertex type ${vertex} does not exist on the graph.`,
      )
    }
  }
}

/** Drops the graph and its local types; global types stay. @throws DbError GRAPH_NOT_FOUND */
export function dropGraph(catalog: Catalog, name: string): Catalog {
  requireGraph(catalog, name)
  return {
    ...catalog,
    graphs: catalog.graphs.filter((graph) => graph.name !== name),
    vertexTypes: catalog.vertexTypes.filter((type) => type.graph !== name),
    edgeTypes: catalog.edgeTypes.filter((type) => type.graph !== name),
  }
}

export interface GraphSummaryJson {
  readonly graphName: string
  readonly vertices: string[]
  readonly edges: string[]
}

/** One entry of `GET /gsql/v1/schema/graphs`: names only, reverse edges listed. */
export function graphSummary(catalog: Catalog, graph: GraphDefinition): GraphSummaryJson {
  return {
    graphName: graph.name,
    vertices: vertexTypesOf(catalog, graph.name).map((type) => type.name),
    edges: [...edgeTypeNamesOf(catalog, graph.name)],
  }
}

/**
 * The catalogue after a change, with its counters: every graph that the change touched (its list
 * of types, or one of its types) gets the next schema version. Called once per change, whatever
 * the number of steps.
 */
export function withVersions(before: Catalog, after: Catalog): Catalog {
  if (after === before) return before
  const graphs = after.graphs.map((graph) => {
    const old = findGraph(before, graph.name)
    const isTouched = old !== undefined && isGraphTouched(before, after, old, graph)
    return isTouched ? { ...graph, schemaVersion: graph.schemaVersion + 1 } : graph
  })
  return { ...after, graphs, version: before.version + 1 }
}

/** Names of the graphs whose types, or list of types, a change touched; those that it drops included. */
export function touchedGraphs(before: Catalog, after: Catalog): readonly string[] {
  return before.graphs.flatMap((old) => {
    const graph = findGraph(after, old.name)
    return graph === undefined || isGraphTouched(before, after, old, graph) ? old.name : []
  })
}

/** Definitions are immutable: an untouched one is the same object. */
function isGraphTouched(
  before: Catalog,
  after: Catalog,
  old: GraphDefinition,
  graph: GraphDefinition,
): boolean {
  const definitionsOf = (catalog: Catalog) => [
    ...vertexTypesOf(catalog, graph.name),
    ...edgeTypesOf(catalog, graph.name),
  ]
  if (old === graph && before === after) return false
  const olds = definitionsOf(before)
  const news = definitionsOf(after)
  return olds.length !== news.length || olds.some((type, position) => type !== news[position])
}
