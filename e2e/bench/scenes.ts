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

/** So many vertices to draw, and one hub with so many leaves. */
export async function makeBenchGraph(url: string, vertexCount: number): Promise<void> {
  const change = {
    addVertexTypes: ['Node', 'Hub', 'Leaf'].map(typed),
    addEdgeTypes: [linked('Link', 'Node', 'Node'), linked('Has', 'Hub', 'Leaf')],
  }
  await makeGraph(url, { graph: BENCH_GRAPH, change })
  const ids = Array.from({ length: vertexCount }, (_, place) => [String(place), {}])
  await upsert(url, BENCH_GRAPH, { vertices: { Node: Object.fromEntries(ids) } })
  for (let start = 0; start < HUB_DEGREE; start += BATCH) {
    const leaves = Array.from({ length: BATCH }, (_, place) => [`leaf-${start + place}`, {}])
    await upsert(url, BENCH_GRAPH, {
      edges: { Hub: { h: { Has: { Leaf: Object.fromEntries(leaves) } } } },
    })
  }
}

/** Numerical Recipes' generator: any fixed one would do. */
function* randoms(): Generator<number, never> {
  let state = 1
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/** As the explorer keeps it: vertices on a shaken grid, edges between random ones. */
export function savedScene(vertexCount: number, edgeCount: number): string {
  const random = randoms()
  const next = (below: number) => Math.floor(random.next().value * below)
  const side = Math.ceil(Math.sqrt(vertexCount))
  const keyOf = (place: number) => `Node ${place}`
  const edges = new Map<string, object>()
  while (edges.size < edgeCount) {
    const [from, to] = [keyOf(next(vertexCount)), keyOf(next(vertexCount))]
    if (from === to) continue
    const key = ['Link', from, to, ''].map(encodeURIComponent).join('|')
    edges.set(key, { key, type: 'Link', directed: true, from, to, discriminator: '' })
  }
  const places = Array.from({ length: vertexCount }, (_, place) => place)
  return JSON.stringify({
    version: 1,
    vertices: places.map(keyOf),
    edges: [...edges.values()],
    remainders: [],
    hidden: [],
    positions: places.map((place) => [
      keyOf(place),
      (place % side) * 70 + next(50),
      Math.floor(place / side) * 70 + next(50),
    ]),
  })
}
