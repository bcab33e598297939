/** From the rows of the API to elements of the scene. */
import type { z } from 'zod'
import type { degreeRow, edgeRow, vertexRow } from '#contract/quiver-data.ts'
import type { NeighbourPage } from './expansion.ts'
import {
  type DegreeRow,
  type Direction,
  edgeKey,
  type SceneEdge,
  type SceneVertex,
  vertexKey,
} from './scene.ts'

export type VertexRow = z.output<typeof vertexRow>
export type EdgeRow = z.output<typeof edgeRow>

export function toVertex({ v_id, v_type, attributes }: VertexRow): SceneVertex {
  return { key: vertexKey(v_type, v_id), type: v_type, id: v_id, attributes }
}

/** A row has the vertex that was asked as its `from` side; an incoming edge points the other way. */
export function toEdge(row: EdgeRow, direction: Direction): SceneEdge {
  const asked = vertexKey(row.from_type, row.from_id)
  const other = vertexKey(row.to_type, row.to_id)
  const [from, to] = direction === 'in' ? [other, asked] : [asked, other]
  const discriminator = row.discriminator ?? ''
  const key = edgeKey({ type: row.e_type, directed: row.directed, from, to, discriminator })
  return {
    key,
    type: row.e_type,
    directed: row.directed,
    from,
    to,
    discriminator,
    attributes: row.attributes,
  }
}

export function toDegree(row: z.output<typeof degreeRow>): DegreeRow {
  return {
    edgeType: row.edge_type,
    direction: row.direction,
    targetType: row.target_type,
    count: row.count,
  }
}

export function toPage(
  answer: {
    readonly edges: readonly EdgeRow[]
    readonly vertices: readonly VertexRow[]
    readonly cursor: string | null
  },
  direction: Direction,
): NeighbourPage {
  return {
    vertices: answer.vertices.map(toVertex),
    edges: answer.edges.map((row) => toEdge(row, direction)),
    nextCursor: answer.cursor,
  }
}
