/** Where types are looked up whose graph a call may leave out. */
import { findEdgeType, findVertexType, requireGraph } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'

/**
 * Where a vertex type is looked up. The specification names some types without their graph: then a
 * global type is meant, or else the only local one of that name.
 */
export function scopeOfVertex(catalog: Catalog, graph: string | null, name: string): string | null {
  if (graph !== null) return requireGraph(catalog, graph).name
  if (findVertexType(catalog, null, name)) return null
  return onlyGraph(catalog.vertexTypes.filter((type) => type.name === name))
}

export function scopeOfEdge(catalog: Catalog, graph: string | null, name: string): string | null {
  if (graph !== null) return requireGraph(catalog, graph).name
  if (findEdgeType(catalog, null, name)) return null
  return onlyGraph(catalog.edgeTypes.filter((type) => type.name === name))
}

function onlyGraph(types: readonly { readonly graph: string | null }[]): string | null {
  return types.length === 1 ? (types[0]?.graph ?? null) : null
}
