/** Finding what is drawn already: by the beginning of an id or a label, then by what is in them. */
import { vertexLabel } from './canvas-scene.ts'
import type { SceneVertex, VertexKey } from './scene.ts'

/** More would hide what the database has. */
export const DRAWN_MATCHES_MAX = 5

export interface DrawnVertices {
  readonly vertices: ReadonlyMap<VertexKey, SceneVertex>
  readonly hidden: ReadonlySet<VertexKey>
}

export interface DrawnMatches {
  readonly first: readonly SceneVertex[]
  readonly count: number
}

/** `Type:` before the text asks for that type alone. Hidden vertices are not on the canvas. */
export function drawnMatches({ vertices, hidden }: DrawnVertices, text: string): DrawnMatches {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return noMatches
  const found: SceneVertex[][] = [[], [], []]
  for (const vertex of vertices.values()) {
    const rank = hidden.has(vertex.key) ? null : rankOf(vertex, wanted)
    if (rank !== null) found[rank]?.push(vertex)
  }
  const all = found.flat()
  return { first: all.slice(0, DRAWN_MATCHES_MAX), count: all.length }
}

export const noMatches: DrawnMatches = { first: [], count: 0 }

function rankOf(vertex: SceneVertex, wanted: string): number | null {
  const id = vertex.id.toLowerCase()
  const label = vertexLabel(vertex).toLowerCase()
  const key = `${vertex.type.toLowerCase()}:${id}`
  if (id === wanted || label === wanted || key === wanted) return 0
  if ([id, label, key].some((name) => name.startsWith(wanted))) return 1
  return id.includes(wanted) || label.includes(wanted) ? 2 : null
}
