import type { GraphView, VertexTableView } from '#graph/view.ts'

/** What the catalogue adds to a view. */
export interface QueryTypes {
  /** The vertex types of the query's graph by their names: a view holds those of all graphs. */
  readonly vertexTypeIds: ReadonlyMap<string, number>
  /** By vertex type: the name under which its primary id shows among the attributes, or none. */
  readonly idAttributes: ReadonlyMap<number, string>
  /** By edge type: how many of its first attributes are the discriminator. */
  readonly discriminators: ReadonlyMap<number, number>
  /** What its changes may depend on: attributes by type, and types of which it looks for elements. */
  readonly reads: {
    readonly attributes: ReadonlyMap<number, readonly number[]>
    readonly typeIds: ReadonlySet<number>
  }
}

/** A vertex type that a run names by a text. */
export function tableNamed(
  { vertexTables }: GraphView,
  { vertexTypeIds }: QueryTypes,
  name: string,
): VertexTableView | undefined {
  const typeId = vertexTypeIds.get(name)
  return vertexTables.find((table) => table.typeId === typeId)
}
