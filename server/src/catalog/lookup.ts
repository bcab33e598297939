/**
 * Finding things by name. A graph sees the types it lists, local or global; without a graph only
 * global types are seen. An edge type answers to its reverse name, too.
 *
 * Arrays of a few are walked; longer ones are looked up in maps that a catalogue gets with its first
 * look-up, since none ever changes. Code that looks names up per element builds a Map of its own.
 */
import { DbError } from '#kernel/errors.ts'
import { newNameAmong } from './former-names.ts'
import type {
  Catalog,
  EdgeType,
  GraphDefinition,
  IndexDefinition,
  TupleType,
  VertexType,
} from './types.ts'

/** Arrays up to this length are walked. */
const WALKED_LENGTH_MAX = 16

interface CatalogMaps {
  readonly graphs: ReadonlyMap<string, GraphDefinition>
  readonly vertexTypes: ReadonlyMap<number, VertexType>
  readonly edgeTypes: ReadonlyMap<number, EdgeType>
}

const mapsByCatalog = new WeakMap<Catalog, CatalogMaps>()

function mapsOf(catalog: Catalog): CatalogMaps {
  const known = mapsByCatalog.get(catalog)
  if (known !== undefined) return known
  const made = {
    graphs: new Map(catalog.graphs.map((graph) => [graph.name, graph])),
    vertexTypes: new Map(catalog.vertexTypes.map((type) => [type.id, type])),
    edgeTypes: new Map(catalog.edgeTypes.map((type) => [type.id, type])),
  }
  mapsByCatalog.set(catalog, made)
  return made
}

export function findGraph(catalog: Catalog, name: string): GraphDefinition | undefined {
  const { graphs } = catalog
  if (graphs.length > WALKED_LENGTH_MAX) return mapsOf(catalog).graphs.get(name)
  return graphs.find((graph) => graph.name === name)
}

function vertexTypeAt(catalog: Catalog, id: number): VertexType | undefined {
  const { vertexTypes } = catalog
  if (vertexTypes.length > WALKED_LENGTH_MAX) return mapsOf(catalog).vertexTypes.get(id)
  return vertexTypes.find((type) => type.id === id)
}

function edgeTypeAt(catalog: Catalog, id: number): EdgeType | undefined {
  const { edgeTypes } = catalog
  if (edgeTypes.length > WALKED_LENGTH_MAX) return mapsOf(catalog).edgeTypes.get(id)
  return edgeTypes.find((type) => type.id === id)
}

/** @throws DbError GRAPH_NOT_FOUND, in the words of the GSQL face; `requireGraphInPath` for RESTPP */
export function requireGraph(catalog: Catalog, name: string): GraphDefinition {
  const graph = findGraph(catalog, name)
  if (graph) return graph
  throw new DbError('GRAPH_NOT_FOUND', `Graph '${name}' does not exist.`)
}

/** @throws DbError GRAPH_NOT_FOUND in the words of RESTPP */
export function requireGraphInPath(catalog: Catalog, name: string, url: string): GraphDefinition {
  const graph = findGraph(catalog, name)
  if (graph) return graph
  const path = url.split('?')[0]
  throw new DbError(
    'GRAPH_NOT_FOUND',
    `The graph name '${name}' parsed from the url = '${path}' is not found, please provide a valid graph name.`,
  )
}

/** In the graph's order; without a graph all global types. */
export function vertexTypesOf(catalog: Catalog, graph: string | null): readonly VertexType[] {
  if (graph === null) return catalog.vertexTypes.filter((type) => type.graph === null)
  const ids = findGraph(catalog, graph)?.vertexTypeIds ?? []
  return ids.flatMap((id) => vertexTypeAt(catalog, id) ?? [])
}

export function edgeTypesOf(catalog: Catalog, graph: string | null): readonly EdgeType[] {
  if (graph === null) return catalog.edgeTypes.filter((type) => type.graph === null)
  const ids = findGraph(catalog, graph)?.edgeTypeIds ?? []
  return ids.flatMap((id) => edgeTypeAt(catalog, id) ?? [])
}

export function findVertexType(
  catalog: Catalog,
  graph: string | null,
  name: string,
): VertexType | undefined {
  const ids = graph === null ? null : (findGraph(catalog, graph)?.vertexTypeIds ?? [])
  return catalog.vertexTypes.find(
    (type) => type.name === name && (ids === null ? type.graph === null : ids.includes(type.id)),
  )
}

/** @throws DbError VERTEX_TYPE_NOT_FOUND in the words of docs/reference/rest.md */
export function requireVertexType(
  catalog: Catalog,
  graph: string | null,
  name: string,
): VertexType {
  const type = findVertexType(catalog, graph, name)
  if (type) return type
  const where = graph === null ? 'the global schema' : `graph ${graph}`
  throw new DbError(
    'VERTEX_TYPE_NOT_FOUND',
    `The input parameter vertex_type = '${name}' is not a valid vertex type in ${where}.${renamedSentence(catalog, graph, name)}`,
  )
}

export interface NamedEdgeType {
  readonly type: EdgeType
  /** True when the name is the type's reverse name: the edges are walked from TO to FROM. */
  readonly reversed: boolean
}

export function findEdgeType(
  catalog: Catalog,
  graph: string | null,
  name: string,
): NamedEdgeType | undefined {
  for (const type of edgeTypesOf(catalog, graph)) {
    if (type.name === name) return { type, reversed: false }
    if (type.reverseName === name) return { type, reversed: true }
  }
  return undefined
}

/** @throws DbError EDGE_TYPE_NOT_FOUND in the words of docs/reference/rest.md */
export function requireEdgeType(
  catalog: Catalog,
  graph: string | null,
  name: string,
): NamedEdgeType {
  const found = findEdgeType(catalog, graph, name)
  if (found) return found
  const where = graph === null ? 'the global schema' : `graph ${graph}`
  throw new DbError(
    'EDGE_TYPE_NOT_FOUND',
    `The input parameter edge_type = '${name}' is not a valid edge type in ${where}.${renamedSentence(catalog, graph, name)}`,
  )
}

/** Every edge type name of a graph in schema order, each followed by its reverse name. */
export function edgeTypeNamesOf(catalog: Catalog, graph: string | null): readonly string[] {
  return edgeTypesOf(catalog, graph).flatMap((type) =>
    type.reverseName === null ? [type.name] : [type.name, type.reverseName],
  )
}

/**
 * For who names a type as it was called before; empty where nothing was called so.
 * @param end of the sentence before
 */
export function renamedSentence(
  catalog: Catalog,
  graph: string | null,
  name: string,
  end = '',
): string {
  const next = newNameAmong(vertexTypesOf(catalog, graph), edgeTypesOf(catalog, graph), name)
  return next === undefined ? '' : `${end} It was renamed to ${next}.`
}

export function vertexTypeById(catalog: Catalog, id: number): VertexType {
  const type = vertexTypeAt(catalog, id)
  if (type) return type
  throw new Error(`assertion failed: no vertex type has the id ${id}`)
}

export function findTuple(catalog: Catalog, name: string): TupleType | undefined {
  return catalog.tuples.find((tuple) => tuple.name === name)
}

export function findIndex(type: VertexType, name: string): IndexDefinition | undefined {
  return type.indexes.find((index) => index.name === name)
}

/** `version.schema` of the RESTPP envelope; 0 for an unknown graph. */
export function schemaVersionOf(catalog: Catalog, graph: string): number {
  return findGraph(catalog, graph)?.schemaVersion ?? 0
}
