/** Neighbours of one kind as lines of a table: one for each edge, with both sides' attributes. */
import { csvText } from '#lib/csv/csv-text.ts'
import { fieldText } from './attribute-write.ts'
import type { NeighbourPage } from './expansion.ts'
import type { SceneEdge, SceneVertex, VertexKey } from './scene.ts'

/** An edge with the vertex at its other end. */
export interface NeighbourLine {
  readonly edge: SceneEdge
  readonly vertex: SceneVertex
}

export function linesOf(center: VertexKey, page: NeighbourPage): readonly NeighbourLine[] {
  const vertices = new Map(page.vertices.map((vertex) => [vertex.key, vertex]))
  return page.edges.flatMap((edge) => {
    const vertex = vertices.get(edge.from === center ? edge.to : edge.from)
    return vertex === undefined ? [] : [{ edge, vertex }]
  })
}

export interface CsvColumns {
  readonly edge: readonly string[]
  readonly vertex: readonly string[]
}

/** Every line of a kind has the same attributes. */
export function columnsOf([first]: readonly NeighbourLine[]): CsvColumns {
  return {
    edge: Object.keys(first?.edge.attributes ?? {}),
    vertex: Object.keys(first?.vertex.attributes ?? {}),
  }
}

/** Attributes by the name of their type, for both sides may have the same. */
export function headOf({ edge, vertex }: CsvColumns, edgeType: string, targetType: string): string {
  const edgeNames = edge.map((name) => `${edgeType}.${name}`)
  return csvText([['Id', 'Type', ...edgeNames, ...vertex.map((name) => `${targetType}.${name}`)]])
}

export const rowsOf = (lines: readonly NeighbourLine[], columns: CsvColumns): string =>
  csvText(
    lines.map(({ edge, vertex }) => [
      vertex.id,
      vertex.type,
      ...columns.edge.map((name) => fieldText(edge.attributes?.[name])),
      ...columns.vertex.map((name) => fieldText(vertex.attributes?.[name])),
    ]),
  )
