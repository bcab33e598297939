/**
 * The schema of an export (docs/formats/export.md): the JSON forms of docs/reference/rest.md, so that another
 * program can read it and the rules of the catalogue look at all of it again.
 */
import { accumsOf, createAccum } from '#catalog/accums.ts'
import { createEdgeType, type EdgeTypeJson, edgeTypeToJson } from '#catalog/edge-types.ts'
import { addTypesToGraph, createGraph } from '#catalog/graphs.ts'
import {
  edgeTypesOf,
  findEdgeType,
  findTuple,
  findVertexType,
  requireGraph,
  vertexTypesOf,
} from '#catalog/lookup.ts'
import { schemaError } from '#catalog/rule.ts'
import { createTuple, type TupleElementJson } from '#catalog/tuples.ts'
import type { AccumDefinition, Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import {
  alterVertexType,
  createVertexType,
  type IndexJson,
  type VertexTypeJson,
  vertexTypeToJson,
} from '#catalog/vertex-types.ts'
import { accumTypedefSyntax } from '#query/bind/accumulators/accum-typedef.ts'

export interface SchemaDocument {
  readonly tuples: readonly {
    readonly name: string
    readonly fields: readonly TupleElementJson[]
  }[]
  /** Absent in exports of older releases. */
  readonly accums?: readonly AccumDefinition[] | undefined
  /** Global types first; those with `graph` are local to it. */
  readonly vertexTypes: readonly (Homed & {
    readonly definition: VertexTypeJson
    readonly indexes: readonly IndexJson[]
  })[]
  readonly edgeTypes: readonly (Homed & { readonly definition: EdgeTypeJson })[]
  readonly graphs: readonly {
    readonly name: string
    /** In the graph's order, global and local ones. */
    readonly vertexTypes: readonly string[]
    readonly edgeTypes: readonly string[]
  }[]
}

interface Homed {
  readonly graph: string | null
}

/** @param wanted names of graphs; null: everything, also types that no graph has */
export function schemaDocument(catalog: Catalog, wanted: readonly string[] | null): SchemaDocument {
  const graphs = wanted ?? catalog.graphs.map(({ name }) => name)
  const isUsed = <T extends { readonly id: number }>(
    type: T,
    of: (catalog: Catalog, graph: string) => readonly T[],
  ) =>
    wanted === null || graphs.some((graph) => of(catalog, graph).some(({ id }) => id === type.id))
  const vertexTypes = catalog.vertexTypes.filter((type) => isUsed<VertexType>(type, vertexTypesOf))
  const edgeTypes = catalog.edgeTypes.filter((type) => isUsed<EdgeType>(type, edgeTypesOf))
  return {
    tuples: catalog.tuples.map(({ name, fields }) => ({ name, fields })),
    accums: accumsOf(catalog),
    vertexTypes: globalFirst(vertexTypes).map((type) => ({
      graph: type.graph,
      definition: vertexTypeToJson(type),
      indexes: indexesOf(type),
    })),
    edgeTypes: globalFirst(edgeTypes).map((type) => ({
      graph: type.graph,
      definition: edgeTypeToJson(catalog, type),
    })),
    graphs: graphs.map((name) => ({
      name,
      vertexTypes: vertexTypesOf(catalog, name).map((type) => type.name),
      edgeTypes: edgeTypesOf(catalog, name).map((type) => type.name),
    })),
  }
}

function globalFirst<T extends Homed>(types: readonly T[]): readonly T[] {
  const [global, local] = [types.filter(isGlobal), types.filter((type) => !isGlobal(type))]
  return [...global, ...local]
}

function isGlobal({ graph }: Homed): boolean {
  return graph === null
}

function indexesOf(type: VertexType): IndexJson[] {
  return type.indexes.map(({ name, attributeId }) => ({
    indexName: name,
    attributeName: type.attributes.find(({ id }) => id === attributeId)!.name,
  }))
}

/**
 * The catalogue with all of a document in it.
 * @throws DbError NAME_TAKEN for a graph or type that is there already, and what the rules say
 */
export function withSchema(catalog: Catalog, schema: SchemaDocument): Catalog {
  const tuples = schema.tuples.reduce(withTuple, catalog)
  let next = (schema.accums ?? []).reduce(withAccum, tuples)
  for (const { name } of schema.graphs) next = createGraph(next, name, noTypes)
  next = withTypes(next, schema, true)
  for (const { name, vertexTypes, edgeTypes } of schema.graphs) {
    const vertices = vertexTypes.filter((type) => findVertexType(next, null, type) !== undefined)
    const edges = edgeTypes.filter((type) => findEdgeType(next, null, type) !== undefined)
    const own = localNames(schema, name)
    next = addTypesToGraph(next, name, {
      vertices: vertices.filter((type) => !own.has(type)),
      edges: edges.filter((type) => !own.has(type)),
    })
  }
  next = withTypes(next, schema, false)
  return schema.graphs.reduce(inOrder, next)
}

const noTypes = { vertices: [], edges: [] }

function localNames({ vertexTypes, edgeTypes }: SchemaDocument, graph: string): Set<string> {
  const own = [...vertexTypes, ...edgeTypes].filter((type) => type.graph === graph)
  return new Set(own.map(({ definition }) => definition.Name))
}

function withTuple(catalog: Catalog, tuple: SchemaDocument['tuples'][number]): Catalog {
  const present = findTuple(catalog, tuple.name)
  if (present === undefined) return createTuple(catalog, tuple.name, tuple.fields)
  const fieldsText = (fields: readonly TupleElementJson[]) =>
    JSON.stringify(fields.map(({ name, type, length }) => [name, type, length]))
  if (fieldsText(present.fields) === fieldsText(tuple.fields)) return catalog
  throw schemaError(`The tuple ${tuple.name} already exists, with other fields.`, 'NAME_TAKEN')
}

/** @throws DbError QUERY_INVALID for a text that is none */
function withAccum(catalog: Catalog, { name, text }: AccumDefinition): Catalog {
  const present = accumsOf(catalog).find((accum) => accum.name === name)
  if (present === undefined && accumTypedefSyntax(text).name === name) {
    return createAccum(catalog, { name, text })
  }
  if (present?.text === text) return catalog
  throw schemaError(`The accumulator ${name} already exists, as another one.`, 'NAME_TAKEN')
}

function withTypes(catalog: Catalog, schema: SchemaDocument, global: boolean): Catalog {
  let next = catalog
  for (const { graph, definition, indexes } of schema.vertexTypes) {
    if ((graph === null) !== global) continue
    next = createVertexType(next, graph, definition)
    const change = { addIndexAttributes: indexes }
    if (indexes.length > 0) next = alterVertexType(next, graph, definition.Name, change)
  }
  for (const { graph, definition } of schema.edgeTypes) {
    if ((graph === null) === global) next = createEdgeType(next, graph, definition)
  }
  return next
}

/** A graph lists its types in the order in which it once got them. */
function inOrder(catalog: Catalog, graph: SchemaDocument['graphs'][number]): Catalog {
  const target = requireGraph(catalog, graph.name)
  const vertexTypeIds = graph.vertexTypes.flatMap(
    (name) => findVertexType(catalog, graph.name, name)?.id ?? [],
  )
  const edgeTypeIds = graph.edgeTypes.flatMap(
    (name) => findEdgeType(catalog, graph.name, name)?.type.id ?? [],
  )
  if (
    vertexTypeIds.length !== target.vertexTypeIds.length ||
    edgeTypeIds.length !== target.edgeTypeIds.length
  ) {
    throw schemaError(`The graph ${graph.name} lists types that the export does not have.`)
  }
  const ordered = { ...target, vertexTypeIds, edgeTypeIds }
  return { ...catalog, graphs: catalog.graphs.map((one) => (one === target ? ordered : one)) }
}
