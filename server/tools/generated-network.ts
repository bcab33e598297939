/**
 * The generated graph of `compare-algorithms.ts`: undirected weighted ties and directed links with a
 * capacity, each a ring with random chords, sparse undirected parts, clubs (dense groups, few ties
 * between them), cliques that share no vertex, and likes of tags.
 */
import { createRandom, type Random } from '#kernel/prng.ts'

export const VERTICES = 600
export const TAGS = 80

type Pair = readonly [number, number]
type EdgesOfVertex = Record<string, Record<string, Record<string, object>>>

/** Two ends and their numbers. */
export type Tie = readonly [a: number, b: number, weight: number, cost: number]

export interface Network {
  /** No two have the same cost: their minimum spanning tree is the only one. */
  readonly ties: readonly Tie[]
  readonly links: readonly (readonly [from: number, to: number, capacity: number])[]
  readonly parts: readonly Pair[]
  readonly clubs: readonly (readonly [number, number, weight: number])[]
  readonly cliques: readonly (readonly [number, number, weight: number])[]
  /** From vertices to tags, which are of another type. */
  readonly likes: readonly (readonly [vertex: number, tag: number, weight: number])[]
}

const CLUB_SIZE = 30
const LARGEST_CLIQUE = 12

export function generateNetwork(seed: number): Network {
  const random = createRandom(seed)
  const ring = (chords: number, directed: boolean) => ringWithChords(random, chords, directed)
  const ties = ring(1500, false)
  const costs = shuffled(random, ties.length)
  return {
    ties: ties.map(([a, b], i) => [a, b, 1 + random.below(9), 1 + costs[i]!] as const),
    links: ring(1200, true)
      .filter(() => random.next() < 0.9)
      .map(([a, b]) => [a, b, 1 + random.below(50)] as const),
    parts: distinctPairs(random, 350, false),
    clubs: clubs(random),
    cliques: cliques(),
    likes: likes(random),
  }
}

/** The numbers below `count` in a random order. */
function shuffled(random: Random, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const moved = numbers[i]!
    numbers[i] = numbers[j]!
    numbers[j] = moved
  }
  return numbers
}

/** Four of five pairs inside a group, one of five hundred between two. */
function clubs(random: Random): (readonly [number, number, number])[] {
  const pairs: (readonly [number, number, number])[] = []
  for (let a = 0; a < VERTICES; a++) {
    for (let b = a + 1; b < VERTICES; b++) {
      const share = Math.floor(a / CLUB_SIZE) === Math.floor(b / CLUB_SIZE) ? 0.8 : 0.002
      if (random.next() < share) pairs.push([a, b, 1 + random.below(3)])
    }
  }
  return pairs
}

/** Of 1, 3, 4, … vertices, one after the other; not of 2 (see tg_label_prop in networkx-reference.py). */
function cliques(): (readonly [number, number, number])[] {
  const pairs: (readonly [number, number, number])[] = []
  let size = 1
  for (let first = 0; first < VERTICES; first += size) {
    size = first === 0 || size === LARGEST_CLIQUE ? 1 : Math.max(3, size + 1)
    const end = Math.min(first + size, VERTICES)
    for (let a = first; a < end; a++) for (let b = a + 1; b < end; b++) pairs.push([a, b, 1])
  }
  return pairs
}

function likes(random: Random): (readonly [number, number, number])[] {
  const pairs: (readonly [number, number, number])[] = []
  for (let v = 0; v < VERTICES; v++) {
    for (let tag = 0; tag < TAGS; tag++) {
      if (random.next() < 0.06) pairs.push([v, tag, 1 + random.below(5)])
    }
  }
  return pairs
}

/** A ring, so that everything is connected, and random chords; each pair once, no loops. */
function ringWithChords(random: Random, chords: number, directed: boolean): Pair[] {
  const ring = Array.from({ length: VERTICES }, (_, v): Pair => [v, (v + 1) % VERTICES])
  return distinctPairs(random, chords, directed, ring)
}

function distinctPairs(
  random: Random,
  count: number,
  directed: boolean,
  given: readonly Pair[] = [],
): Pair[] {
  const pairs = new Map<string, Pair>()
  const add = (a: number, b: number) => {
    const key = directed || a < b ? `${a} ${b}` : `${b} ${a}`
    if (a !== b) pairs.set(key, [a, b])
  }
  for (const [a, b] of given) add(a, b)
  for (let i = 0; i < count; i++) add(random.below(VERTICES), random.below(VERTICES))
  return [...pairs.values()]
}

/** The edges of each vertex by their type, as an upsert takes them. */
export function edgePayload(network: Network): Record<string, EdgesOfVertex> {
  const edges: Record<string, EdgesOfVertex> = {}
  for (let v = 0; v < VERTICES; v++) edges[`${v}`] = {}
  const put = (type: string, pairs: readonly (readonly number[])[], names: readonly string[]) => {
    const target = type === 'Likes' ? 'Tag' : 'Node'
    for (const [a, b, ...numbers] of pairs) {
      const body = Object.fromEntries(names.map((name, i) => [name, { value: numbers[i] }]))
      const ofVertex = edges[`${a}`]!
      ofVertex[type] ??= {}
      ofVertex[type][target] = { ...ofVertex[type][target], [`${b}`]: body }
    }
  }
  put('Tie', network.ties, ['weight', 'cost'])
  put('Link', network.links, ['capacity'])
  put('Part', network.parts, [])
  put('Club', network.clubs, ['weight'])
  put('Clique', network.cliques, ['weight'])
  put('Likes', network.likes, ['weight'])
  return edges
}

/** Newman's modularity of a partition of weighted edges. */
export function modularity(
  edges: readonly (readonly number[])[],
  labels: readonly number[],
): number {
  let total = 0
  const inside = new Map<number, number>()
  const degree = new Map<number, number>()
  const add = (map: Map<number, number>, key: number, value: number) =>
    map.set(key, (map.get(key) ?? 0) + value)
  for (const [a, b, weight = 1] of edges) {
    total += weight
    add(degree, labels[a!]!, weight)
    add(degree, labels[b!]!, weight)
    if (labels[a!] === labels[b!]) add(inside, labels[a!]!, weight)
  }
  return [...degree].reduce(
    (sum, [label, sumOfDegrees]) =>
      sum + (inside.get(label) ?? 0) / total - (sumOfDegrees / (2 * total)) ** 2,
    0,
  )
}

export function neighbourLists(edges: readonly (readonly number[])[]): number[][] {
  const neighbours = Array.from({ length: VERTICES }, (): number[] => [])
  for (const [a, b] of edges) {
    neighbours[a!]!.push(b!)
    neighbours[b!]!.push(a!)
  }
  return neighbours
}

/**
 * What the text of tg_kcore says: k grows after every round, also where the round has deleted
 * vertices (its `ELSE IF` can only be a chain: read as nested, one END is missing), so that a
 * vertex that falls to degree k only through a deletion gets k + 1 or more. These are the core
 * numbers of networkx only where each core goes in one round, as in cliques.
 */
export function coreAsWritten({ ties }: Network): number[] {
  const neighbours = neighbourLists(ties)
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
