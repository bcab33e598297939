/**
 * The generated graph of `compare-algorithms.ts`: undirected weighted ties and directed links, each
 * a ring with random chords, and sparse undirected parts.
 */
import { createRandom, type Random } from '#kernel/prng.ts'

export const VERTICES = 600

type Pair = readonly [number, number]
type EdgesOfVertex = Record<string, { Node: Record<string, object> }>

export interface Network {
  readonly ties: readonly (readonly [number, number, number])[]
  readonly links: readonly Pair[]
  readonly parts: readonly Pair[]
}

export function generateNetwork(seed: number): Network {
  const random = createRandom(seed)
  const ring = (chords: number, directed: boolean) => ringWithChords(random, chords, directed)
  return {
    ties: ring(1500, false).map(([a, b]) => [a, b, 1 + random.below(9)] as const),
    links: ring(1200, true).filter(() => random.next() < 0.9),
    parts: Array.from({ length: 350 }, () => [random.below(VERTICES), random.below(VERTICES)]),
  }
}

/** A ring, so that everything is connected, and random chords; each pair once, no loops. */
function ringWithChords(random: Random, chords: number, directed: boolean): Pair[] {
  const pairs = new Map<string, Pair>()
  const add = (a: number, b: number) => {
    const key = directed || a < b ? `${a} ${b}` : `${b} ${a}`
    if (a !== b) pairs.set(key, [a, b])
  }
  for (let v = 0; v < VERTICES; v++) add(v, (v + 1) % VERTICES)
  for (let i = 0; i < chords; i++) add(random.below(VERTICES), random.below(VERTICES))
  return [...pairs.values()]
}

/** The edges of each vertex by their type, as an upsert takes them. */
export function edgePayload({ ties, links, parts }: Network): Record<string, EdgesOfVertex> {
  const edges: Record<string, EdgesOfVertex> = {}
  for (let v = 0; v < VERTICES; v++) {
    edges[`${v}`] = { Tie: { Node: {} }, Part: { Node: {} }, Link: { Node: {} } }
  }
  const put = (type: string, [a, b]: readonly number[], body: object) => {
    edges[`${a}`]![type]!.Node[`${b}`] = body
  }
  for (const [a, b, value] of ties) put('Tie', [a, b], { weight: { value } })
  for (const pair of parts) put('Part', pair, {})
  for (const pair of links) put('Link', pair, {})
  return edges
}

/** Newman's modularity of a partition of the weighted ties. */
export function modularity({ ties }: Network, labels: readonly number[]): number {
  const total = ties.reduce((sum, [, , weight]) => sum + weight, 0)
  const inside = new Map<number, number>()
  const degree = new Map<number, number>()
  const add = (map: Map<number, number>, key: number, value: number) =>
    map.set(key, (map.get(key) ?? 0) + value)
  for (const [a, b, weight] of ties) {
    add(degree, labels[a]!, weight)
    add(degree, labels[b]!, weight)
    if (labels[a] === labels[b]) add(inside, labels[a]!, weight)
  }
  return [...degree].reduce(
    (sum, [label, sumOfDegrees]) =>
      sum + (inside.get(label) ?? 0) / total - (sumOfDegrees / (2 * total)) ** 2,
    0,
  )
}

/**
 * What the text of tg_kcore says: k grows after every round, also where the round has deleted
 * vertices, so that its numbers are not the core numbers of networkx.
 */
export function coreAsWritten({ ties }: Network): number[] {
  const neighbours = Array.from({ length: VERTICES }, (): number[] => [])
  for (const [a, b] of ties) {
    neighbours[a]!.push(b)
    neighbours[b]!.push(a)
  }
  const degree = neighbours.map((list) => list.length)
  const core = new Array<number>(VERTICES).fill(0)
  let active = neighbours.map((_, v) => v)
  for (let k = 0; active.length > 0; k++) {
    const deleted = active.filter((v) => degree[v]! <= k)
    active = active.filter((v) => degree[v]! > k)
    for (const v of deleted) core[v] = k
    for (const w of deleted.flatMap((v) => neighbours[v]!)) degree[w]! -= 1
  }
  return core
}
