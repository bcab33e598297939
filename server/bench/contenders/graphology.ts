/** graphology: the usual graph library of JavaScript, objects in memory, nothing durable. */
import { type Contender, type ContenderContext, timed } from '../contender.ts'
import { residentBytes } from '../files.ts'
import { type BenchGraph, externalId, generateGraph, vertexAttributes } from '../rmat.ts'
import { LOOKUPS_PER_ROUND, SEEDS_OF_3_HOPS, SINCE_FROM_SECONDS, WEIGHT_ABOVE } from '../rows.ts'

interface EdgeAttributes {
  readonly weight: number
  readonly amount: number
  readonly since: number
}
interface DirectedGraph {
  addNode(id: string, attributes: object): void
  addEdge(from: string, to: string, attributes: EdgeAttributes): void
  getNodeAttributes(id: string): object | undefined
  forEachOutNeighbor(id: string, visit: (id: string) => void): void
  forEachOutEdge(
    id: string,
    visit: (edge: string, attributes: EdgeAttributes, from: string, to: string) => void,
  ): void
  forEachEdge(visit: (edge: string, attributes: EdgeAttributes) => void): void
}

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const library = context.load('graphology') as { DirectedGraph: new () => DirectedGraph }
  const store = new library.DirectedGraph()
  const seeds = graph.seeds.map(externalId)
  return {
    load: async () => {
      const before = residentBytes('self')
      const { seconds } = await timed(1, () => {
        load(store, graph)
        return undefined
      })
      const memoryBytes = residentBytes('self') - before
      return { seconds, durable: false, memoryBytes, diskBytes: null }
    },
    rows: {
      lookup: (round) =>
        timed(LOOKUPS_PER_ROUND, () => {
          let found = 0
          for (let i = 0; i < LOOKUPS_PER_ROUND; i++) {
            const id = externalId((i * 7919 + round) % graph.vertexCount)
            if (store.getNodeAttributes(id)) found++
          }
          return { found }
        }),
      hop1: () =>
        timed(seeds.length, () => ({
          edges: seeds.reduce((sum, id) => sum + outEdges(store, id), 0),
        })),
      hop2count: () =>
        timed(seeds.length, () => ({
          total: seeds.reduce((sum, id) => sum + reachable(store, id, 2), 0),
        })),
      hop3count: () =>
        timed(SEEDS_OF_3_HOPS, () => ({
          total: seeds
            .slice(0, SEEDS_OF_3_HOPS)
            .reduce((sum, id) => sum + reachable(store, id, 3), 0),
        })),
      filteredSum: () =>
        timed(1, () => {
          let sum = 0
          let count = 0
          store.forEachEdge((_, { weight, amount, since }) => {
            if (weight <= WEIGHT_ABOVE || since < SINCE_FROM_SECONDS) return
            sum += amount
            count++
          })
          return { sum: sum.toFixed(2), count }
        }),
    },
    close: async () => undefined,
  }
}

function load(store: DirectedGraph, graph: BenchGraph): void {
  for (let i = 0; i < graph.vertexCount; i++) store.addNode(externalId(i), vertexAttributes(i))
  for (let i = 0; i < graph.edgeCount; i++) {
    store.addEdge(externalId(graph.sources[i] as number), externalId(graph.targets[i] as number), {
      weight: graph.weights[i] as number,
      amount: graph.amounts[i] as number,
      since: graph.sinces[i] as number,
    })
  }
}

function outEdges(store: DirectedGraph, id: string): number {
  const rows: unknown[] = []
  store.forEachOutEdge(id, (_, { weight, amount, since }, __, to) => {
    rows.push([to, weight, amount, since])
  })
  return rows.length
}

function reachable(store: DirectedGraph, seed: string, hops: number): number {
  const seen = new Set([seed])
  let frontier = [seed]
  for (let hop = 0; hop < hops; hop++) {
    const next: string[] = []
    for (const id of frontier) {
      store.forEachOutNeighbor(id, (neighbour) => {
        if (seen.has(neighbour)) return
        seen.add(neighbour)
        next.push(neighbour)
      })
    }
    frontier = next
  }
  return seen.size - 1
}
