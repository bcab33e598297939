/** Shortest paths as lines of text: why two vertices are connected. */
import { vertexLabel } from './canvas-scene.ts'
import type { SceneEdge, SceneVertex, VertexKey } from './scene.ts'

/** Alternatives told one by one; the canvas shows the others, too. */
export const PATHS_TOLD_MAX = 10

export interface Connection {
  readonly source: SceneVertex
  readonly target: SceneVertex
  /** Edges of each path; null: there is none so short. */
  readonly length: number | null
  /** One line for each path, the same hops by parallel edges in one. */
  readonly paths: readonly string[]
  /** Not all paths are told. */
  readonly isCut: boolean
}

interface Found {
  readonly length: number | null
  readonly vertices: readonly SceneVertex[]
  readonly edges: readonly SceneEdge[]
}

export function connectionOf(source: SceneVertex, target: SceneVertex, found: Found): Connection {
  const ends = { source, target, length: found.length }
  if (found.length === null) return { ...ends, paths: [], isCut: false }
  const known = new Map(found.vertices.map((vertex) => [vertex.key, vertex]))
  const nameOf = (key: VertexKey) => {
    const vertex = known.get(key)
    return vertex === undefined ? key : vertexLabel(vertex)
  }
  const around = edgesAround(found.edges)
  const distances = distancesTo(target.key, around)
  const paths: string[] = []
  const walk = (at: VertexKey, line: string): void => {
    if (paths.length > PATHS_TOLD_MAX) return
    if (at === target.key) paths.push(line)
    const left = distances.get(at) ?? 0
    for (const [next, edges] of around.get(at) ?? []) {
      if (distances.get(next) === left - 1)
        walk(next, `${line} ${hopWords(at, edges)} ${nameOf(next)}`)
    }
  }
  walk(source.key, nameOf(source.key))
  return { ...ends, paths: paths.slice(0, PATHS_TOLD_MAX), isCut: paths.length > PATHS_TOLD_MAX }
}

type Around = ReadonlyMap<VertexKey, ReadonlyMap<VertexKey, readonly SceneEdge[]>>

function edgesAround(edges: readonly SceneEdge[]): Around {
  const around = new Map<VertexKey, Map<VertexKey, SceneEdge[]>>()
  const note = (at: VertexKey, other: VertexKey, edge: SceneEdge) => {
    const others = around.get(at) ?? new Map<VertexKey, SceneEdge[]>()
    around.set(at, others.set(other, [...(others.get(other) ?? []), edge]))
  }
  for (const edge of edges) {
    note(edge.from, edge.to, edge)
    note(edge.to, edge.from, edge)
  }
  return around
}

function distancesTo(target: VertexKey, around: Around): ReadonlyMap<VertexKey, number> {
  const distances = new Map([[target, 0]])
  // A map goes on over what is set while it is walked: this is its queue.
  for (const [at, distance] of distances) {
    for (const next of around.get(at)?.keys() ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1)
    }
  }
  return distances
}

/** `—Pays→`, `←Pays ×3—`: seen from where the path comes from. */
function hopWords(at: VertexKey, edges: readonly SceneEdge[]): string {
  const counts = new Map<string, number>()
  for (const { type, directed, from } of edges) {
    const words = !directed ? `—${type}#—` : from === at ? `—${type}#→` : `←${type}#—`
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  return [...counts]
    .map(([words, count]) => words.replace('#', count === 1 ? '' : ` ×${count}`))
    .join(' and ')
}
