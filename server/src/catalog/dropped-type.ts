/** A type leaves a graph or the catalogue: vertex and edge types go alike. */
import { schemaError } from './rule.ts'
import type { Catalog, EdgeType, GraphDefinition, VertexType } from './types.ts'

interface Dropped {
  readonly what: 'vertex' | 'edge'
  readonly type: VertexType | EdgeType
}

/**
 * Takes a global type out of `graph`, drops a local one; without a graph drops a global type that
 * no graph lists any more.
 * @throws DbError SCHEMA_RULE while a graph still uses it
 */
export function droppedFrom(
  catalog: Catalog,
  graph: string | null,
  { what, type }: Dropped,
): Catalog {
  if (graph === null) {
    const users = catalog.graphs.filter((one) => lists(one, type.id)).map((one) => one.name)
    if (users.length === 0) return withoutType(catalog, type.id)
    throw schemaError(
      `The ${what} type ${type.name} is still used by the graphs [${users.join(', ')}].`,
    )
  }
  const graphs = catalog.graphs.map((one) => (one.name === graph ? withoutId(one, type.id) : one))
  const left = { ...catalog, graphs }
  return type.graph === null ? left : withoutType(left, type.id)
}

/** Ids of vertex and edge types are of one series. */
export function withoutType(catalog: Catalog, typeId: number): Catalog {
  return {
    ...catalog,
    vertexTypes: catalog.vertexTypes.filter(({ id }) => id !== typeId),
    edgeTypes: catalog.edgeTypes.filter(({ id }) => id !== typeId),
  }
}

function lists({ vertexTypeIds, edgeTypeIds }: GraphDefinition, typeId: number): boolean {
  return vertexTypeIds.includes(typeId) || edgeTypeIds.includes(typeId)
}

function withoutId(graph: GraphDefinition, typeId: number): GraphDefinition {
  return {
    ...graph,
    vertexTypeIds: graph.vertexTypeIds.filter((id) => id !== typeId),
    edgeTypeIds: graph.edgeTypeIds.filter((id) => id !== typeId),
  }
}
