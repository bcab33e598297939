/**
 * The cheapest ways between two vertices, in order: no vertex twice on a way, at most so many edges,
 * of parallel edges the cheapest, whatever their directions.
 *
 * Best first: a way that has begun is continued where its cost and the least that the rest of it can
 * cost are smallest. That least is exact for walks of the edges that are left (Bellman and Ford, layer
 * by layer), so no way is found before a cheaper one, costs below zero included.
 */
import { Heap } from '#lib/heap.ts'
import type { SceneEdge, VertexKey } from './scene.ts'

/** Ways begun: among more, the search ends with what it has. */
const BEGUN_MAX = 100_000

export interface Way {
  /** From the source to the target. */
  readonly vertices: readonly VertexKey[]
  /** Between each two of those. */
  readonly edges: readonly SceneEdge[]
  readonly cost: number
}

interface WaysRequest {
  readonly source: VertexKey
  readonly target: VertexKey
  /** Undefined: it has none, and is not taken. */
  readonly costOf: (edge: SceneEdge) => number | undefined
  readonly edgesMax: number
  readonly count: number
}

interface Begun extends Way {
  /** What it costs at least when it arrives. */
  readonly least: number
}

interface Hop {
  readonly edge: SceneEdge
  readonly cost: number
}

type Hops = ReadonlyMap<VertexKey, ReadonlyMap<VertexKey, Hop>>

/** The ways, and whether the search ended before it knew that there are no others so cheap. */
export function cheapestWays(
  edges: readonly SceneEdge[],
  request: WaysRequest,
): { readonly ways: readonly Way[]; readonly isCut: boolean } {
  const { source, target, costOf, edgesMax, count } = request
  const hops = hopsOf(edges, costOf)
  const leasts = leastCosts(hops, target, edgesMax)
  const queue = new Heap<Begun>((a, b) => a.least - b.least || a.edges.length - b.edges.length)
  queue.push({ vertices: [source], edges: [], cost: 0, least: 0 })
  const ways: Way[] = []
  let begun = 0
  while (queue.size() > 0 && ways.length < count) {
    if (begun > BEGUN_MAX) return { ways, isCut: true }
    const { least: _, ...way } = queue.pop() as Begun
    if (way.vertices.at(-1) === target) {
      ways.push(way)
      continue
    }
    const rest = leasts[edgesMax - way.edges.length - 1] ?? new Map<VertexKey, number>()
    for (const longer of continued(way, { hops, rest, target })) {
      queue.push(longer)
      begun++
    }
  }
  return { ways, isCut: false }
}

interface Ahead {
  readonly hops: Hops
  /** What it costs at least from there to the target, by the edges that are left. */
  readonly rest: ReadonlyMap<VertexKey, number>
  readonly target: VertexKey
}

function* continued(way: Way, { hops, rest, target }: Ahead): Generator<Begun> {
  for (const [next, { edge, cost }] of hops.get(way.vertices.at(-1) ?? '') ?? []) {
    const least = rest.get(next)
    if (least === undefined || way.vertices.includes(next)) continue
    yield {
      vertices: [...way.vertices, next],
      edges: [...way.edges, edge],
      cost: way.cost + cost,
      // A way ends at the target, though a walk might go on for costs below zero.
      least: way.cost + cost + (next === target ? 0 : least),
    }
  }
}

function hopsOf(edges: readonly SceneEdge[], costOf: WaysRequest['costOf']): Hops {
  const hops = new Map<VertexKey, Map<VertexKey, Hop>>()
  const note = (from: VertexKey, to: VertexKey, hop: Hop) => {
    const others = hops.get(from) ?? new Map<VertexKey, Hop>()
    const known = others.get(to)
    if (known === undefined || hop.cost < known.cost) others.set(to, hop)
    hops.set(from, others)
  }
  for (const edge of edges) {
    const cost = costOf(edge)
    if (cost === undefined || edge.from === edge.to) continue
    note(edge.from, edge.to, { edge, cost })
    note(edge.to, edge.from, { edge, cost })
  }
  return hops
}

/** By the number of edges that are left: what the rest of a walk to the target costs at least. */
function leastCosts(
  hops: Hops,
  target: VertexKey,
  edgesMax: number,
): readonly ReadonlyMap<VertexKey, number>[] {
  const layers: ReadonlyMap<VertexKey, number>[] = [new Map([[target, 0]])]
  for (let edgesLeft = 1; edgesLeft <= edgesMax; edgesLeft++) {
    const before = layers[edgesLeft - 1] as ReadonlyMap<VertexKey, number>
    const layer = new Map(before)
    for (const [at, rest] of before) {
      for (const [from, { cost }] of hops.get(at) ?? []) {
        const known = layer.get(from)
        if (known === undefined || cost + rest < known) layer.set(from, cost + rest)
      }
    }
    layers.push(layer)
  }
  return layers
}

/** Reads a cost from an attribute; what is no number has none. */
export function costBy(attribute: string): (edge: SceneEdge) => number | undefined {
  return ({ attributes }) => {
    const value = attributes?.[attribute]
    if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
    return Number(value)
  }
}
