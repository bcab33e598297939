/** Graphs and saved scenes of a given size, the same at every run. */
import { makeGraph, upsert } from '../pages/graphs.ts'

const BATCH = 5_000
export const BENCH_GRAPH = 'bench'
export const HUB_DEGREE = 100_000

const typed = (Name: string) => ({
  Name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes: [],
})

const linked = (Name: string, From: string, To: string) => ({
  Name,
  IsDirected: true,
  FromVertexTypeName: From,
  ToVertexTypeName: To,
  Attributes: [],
})

export interface SceneSize {
  readonly vertices: number
  readonly edges: number
}

/** So many vertices to draw with the edges of these scenes, and one hub with so many leaves. */
export async function makeBenchGraph(
  url: string,
  vertexCount: number,
  scenes: readonly SceneSize[],
): Promise<void> {
  const change = {
    addVertexTypes: ['Node', 'Hub', 'Leaf'].map(typed),
    addEdgeTypes: [linked('Link', 'Node', 'Node'), linked('Has', 'Hub', 'Leaf')],
  }
  await makeGraph(url, { graph: BENCH_GRAPH, change })
  const ids = Array.from({ length: vertexCount }, (_, place) => [String(place), {}])
  await upsert(url, BENCH_GRAPH, { vertices: { Node: Object.fromEntries(ids) } })
  for (const size of scenes) {
    const targets = Map.groupBy(edgesOf(size, randoms()), ({ from }) => from)
    const links = [...targets].map(([from, edges]) => {
      return [String(from), { Link: { Node: Object.fromEntries(edges.map(({ to }) => [to, {}])) } }]
    })
    await upsert(url, BENCH_GRAPH, { edges: { Node: Object.fromEntries(links) } })
  }
  for (let start = 0; start < HUB_DEGREE; start += BATCH) {
    const leaves = Array.from({ length: BATCH }, (_, place) => [`leaf-${start + place}`, {}])
    await upsert(url, BENCH_GRAPH, {
      edges: { Hub: { h: { Has: { Leaf: Object.fromEntries(leaves) } } } },
    })
  }
}

/** Numerical Recipes' generator: any fixed one would do. */
function randoms(): (below: number) => number {
  let state = 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Ends {
  readonly from: number
  readonly to: number
}

function edgesOf(size: SceneSize, next: (below: number) => number): readonly Ends[] {
  const edges = new Map<string, Ends>()
  while (edges.size < size.edges) {
    const [from, to] = [next(size.vertices), next(size.vertices)]
    if (from !== to) edges.set(`${from} ${to}`, { from, to })
  }
  return [...edges.values()]
}

/** As the explorer keeps it: vertices on a shaken grid, edges between random ones. */
export function savedScene(size: SceneSize): string {
  const next = randoms()
  const side = Math.ceil(Math.sqrt(size.vertices))
  const keyOf = (place: number) => `Node ${place}`
  const edges = edgesOf(size, next).map((ends) => {
    const [from, to] = [keyOf(ends.from), keyOf(ends.to)]
    const key = ['Link', from, to, ''].map(encodeURIComponent).join('|')
    return { key, type: 'Link', directed: true, from, to, discriminator: '' }
  })
  const places = Array.from({ length: size.vertices }, (_, place) => place)
  return JSON.stringify({
    version: 1,
    vertices: places.map(keyOf),
    edges,
    remainders: [],
    hidden: [],
    positions: places.map((place) => [
      keyOf(place),
      (place % side) * 70 + next(50),
      Math.floor(place / side) * 70 + next(50),
    ]),
  })
}
