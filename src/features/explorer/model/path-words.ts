/** Paths as lines of text: why two vertices are connected. */

import { counted } from '#lib/format.ts'
import { shownName, vertexLabel } from './canvas-scene.ts'
import type { Way } from './cheapest-ways.ts'
import type { SceneEdge, SceneVertex, VertexKey } from './scene.ts'

/** Alternatives told one by one; the canvas shows the others, too. */
export const PATHS_TOLD_MAX = 10

export interface ToldPath {
  /** Vertices and what leads from one to the next, in turn. */
  readonly words: readonly string[]
  /** Where paths were asked for by cost. */
  readonly cost?: number
}

export interface Connection {
  readonly key: string
  readonly title: string
  /** What holds for all of the paths: how long they are, by what they are ordered. */
  readonly note: string
  /** The same hops by parallel edges are one. */
  readonly paths: readonly ToldPath[]
}

interface Found {
  readonly length: number | null
  /** Whose names are told apart: those on the paths, and what else one looks at with them. */
  readonly vertices: readonly SceneVertex[]
  readonly edges: readonly SceneEdge[]
}

export function connectionOf(source: SceneVertex, target: SceneVertex, found: Found): Connection {
  const nameOf = namesOf(found.vertices)
  const ends = endsOf(source, target, nameOf)
  if (found.length === null) return { ...ends, note: NO_PATH, paths: [] }
  const around = edgesAround(found.edges)
  const distances = distancesTo(target.key, around)
  const paths: ToldPath[] = []
  const walk = (at: VertexKey, words: readonly string[]): void => {
    if (paths.length > PATHS_TOLD_MAX) return
    if (at === target.key) paths.push({ words })
    const left = distances.get(at) ?? 0
    for (const [next, edges] of around.get(at) ?? []) {
      if (distances.get(next) === left - 1)
        walk(next, [...words, hopWords(at, edges), nameOf(next)])
    }
  }
  walk(source.key, [nameOf(source.key)])
  const isCut = paths.length > PATHS_TOLD_MAX
  const more = isCut ? `; the first ${PATHS_TOLD_MAX} of more ways` : ''
  const note = `${counted(found.length, 'edge', 'edges')} apart${more}`
  return { ...ends, note, paths: paths.slice(0, PATHS_TOLD_MAX) }
}

const NO_PATH = 'No path so short that it would tell anything.'

export interface FoundWays {
  /** As of `Found`. */
  readonly vertices: readonly SceneVertex[]
  readonly ways: readonly Way[]
  readonly isCut: boolean
  readonly edgesMax: number
  /** The attribute that the cost is the sum of; null: the number of edges. */
  readonly attribute: string | null
}

/** Ways one by one in the order of their cost, and what exactly was looked through. */
export function waysOf(source: SceneVertex, target: SceneVertex, found: FoundWays): Connection {
  const { ways, edgesMax, attribute } = found
  const nameOf = namesOf(found.vertices)
  const paths = ways.map(({ vertices, edges, cost }): ToldPath => {
    const words = vertices.flatMap((key, place) => {
      const edge = edges[place]
      return edge === undefined ? [nameOf(key)] : [nameOf(key), hopWords(key, [edge])]
    })
    return { words, cost }
  })
  const among = `of at most ${counted(edgesMax, 'edge', 'edges')}`
  const by = attribute === null ? 'the shortest first' : `the least ${attribute} first`
  const parts = [
    ways.length === 0 ? `No way ${among}` : `Ways ${among}, ${by}`,
    ...(attribute === null ? [] : [`edges without ${attribute} are not taken`]),
    ...(found.isCut ? ['there were too many to look at all'] : []),
  ]
  return { ...endsOf(source, target, nameOf), note: parts.join('; '), paths }
}

type NameOf = (key: VertexKey) => string

const endsOf = (source: SceneVertex, target: SceneVertex, nameOf: NameOf) => ({
  key: `${source.key} ${target.key}`,
  title: `${nameOf(source.key)} and ${nameOf(target.key)}`,
})

/** As on the canvas; those that are called alike, with their ids. */
function namesOf(vertices: readonly SceneVertex[]): NameOf {
  const known = new Map(vertices.map((vertex) => [vertex.key, vertex]))
  const labels = [...known.values()].map(vertexLabel)
  return (key) => {
    const vertex = known.get(key)
    if (vertex === undefined) return shownName(key)
    const label = vertexLabel(vertex)
    if (labels.indexOf(label) === labels.lastIndexOf(label)) return label
    const id = `${vertex.type}:${shownName(vertex.id)}`
    return label === shownName(vertex.id) ? id : `${label} (${id})`
  }
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
