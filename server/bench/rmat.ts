/**
 * The graph of the bench: RMAT/Kronecker (a, b, c = .57, .19, .19), edge factor 16, fixed seed,
 * vertices permuted, self loops and duplicates removed, directed; with attributes on both sides.
 * Scale 18 is 262,144 vertices and about 3.9 million edges.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random } from '../src/kernel/prng.ts'
import { writeLines } from './files.ts'

const EDGE_FACTOR = 16
const SEED_COUNT = 100
const EDGES_PER_PAYLOAD = 1_000
const CREATED_FIRST_SECONDS = 1_577_836_800

export interface BenchGraph {
  readonly scale: number
  readonly vertexCount: number
  readonly edgeCount: number
  /** Sorted by source, then target. */
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Uint8Array
  readonly amounts: Float64Array
  readonly sinces: Uint32Array
  /** Dense numbers of different vertices with at least one out-edge. */
  readonly seeds: readonly number[]
}

/** External ids: scrambled, so that they are not simply the dense number. */
export function externalId(vertex: number): string {
  return `u${(Math.imul(vertex, 2_654_435_761) >>> 0).toString(36)}`
}

export function generateGraph(scale: number): BenchGraph {
  const random = createRandom(1_000 + scale)
  const vertexCount = 2 ** scale
  const keys = edgeKeys(scale, random)
  const edgeCount = uniqueInPlace(keys)
  const sources = new Uint32Array(edgeCount)
  const targets = new Uint32Array(edgeCount)
  const weights = new Uint8Array(edgeCount)
  const amounts = new Float64Array(edgeCount)
  const sinces = new Uint32Array(edgeCount)
  for (let edge = 0; edge < edgeCount; edge++) {
    const key = keys[edge] as number
    sources[edge] = Math.floor(key / vertexCount)
    targets[edge] = key % vertexCount
    weights[edge] = 1 + random.below(255)
    amounts[edge] = random.below(100_000) / 100
    sinces[edge] = CREATED_FIRST_SECONDS + random.below(100_000_000)
  }
  const seeds = new Set<number>()
  while (seeds.size < SEED_COUNT) seeds.add(sources[random.below(edgeCount)] as number)
  return {
    scale,
    vertexCount,
    edgeCount,
    sources,
    targets,
    weights,
    amounts,
    sinces,
    seeds: [...seeds],
  }
}

function edgeKeys(scale: number, random: Random): Float64Array {
  const vertexCount = 2 ** scale
  const permutation = new Uint32Array(vertexCount)
  for (let i = 0; i < vertexCount; i++) permutation[i] = i
  for (let i = vertexCount - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const kept = permutation[i] as number
    permutation[i] = permutation[j] as number
    permutation[j] = kept
  }
  const keys = new Float64Array(vertexCount * EDGE_FACTOR)
  for (let edge = 0; edge < keys.length; edge++) {
    const [u, v] = quadrantWalk(scale, random)
    const source = permutation[u] as number
    keys[edge] = u === v ? -1 : source * vertexCount + (permutation[v] as number)
  }
  return keys.sort()
}

function quadrantWalk(scale: number, random: Random): readonly [number, number] {
  let u = 0
  let v = 0
  for (let depth = 0; depth < scale; depth++) {
    const r = random.next()
    u = u * 2 + (r >= 0.76 ? 1 : 0)
    v = v * 2 + ((r >= 0.57 && r < 0.76) || r >= 0.95 ? 1 : 0)
  }
  return [u, v]
}

/** Drops loops (negative keys) and repetitions of sorted keys; returns how many remain in front. */
function uniqueInPlace(keys: Float64Array): number {
  let count = 0
  for (const key of keys) {
    if (key < 0 || (count > 0 && keys[count - 1] === key)) continue
    keys[count++] = key
  }
  return count
}

export interface BenchFiles {
  readonly directory: string
  readonly verticesCsv: string
  readonly edgesCsv: string
  /** Upsert bodies, one a line: vertices first, then 1,000 edges each. */
  readonly payloads: string
}

/** Writes what the contenders load, once per scale. */
export function writeFiles(graph: BenchGraph, root: string): BenchFiles {
  const directory = join(root, `s${graph.scale}`)
  const files = {
    directory,
    verticesCsv: join(directory, 'vertices.csv'),
    edgesCsv: join(directory, 'edges.csv'),
    payloads: join(directory, 'payloads.ndjson'),
  }
  const done = join(directory, 'complete')
  if (existsSync(done) && readFileSync(done, 'utf8') === '2') return files
  mkdirSync(directory, { recursive: true })
  writeLines(files.verticesCsv, vertexRows(graph))
  writeLines(files.edgesCsv, edgeRows(graph))
  writeLines(files.payloads, payloads(graph))
  writeFileSync(done, '2')
  return files
}

export function vertexAttributes(vertex: number) {
  return {
    name: `name_${vertex % 5003}_${vertex}`,
    age: 18 + ((Math.imul(vertex, 40_503) >>> 16) % 70),
    score: ((Math.imul(vertex, 69_069) >>> 0) % 100_000) / 1000,
    created: datetime(CREATED_FIRST_SECONDS + ((Math.imul(vertex, 1_664_525) >>> 0) % 100_000_000)),
  }
}

export function datetime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

function* vertexRows(graph: BenchGraph): Generator<string> {
  yield 'id,name,age,score,created'
  for (let vertex = 0; vertex < graph.vertexCount; vertex++) {
    const { name, age, score, created } = vertexAttributes(vertex)
    yield `${externalId(vertex)},${name},${age},${score},${created}`
  }
}

function* edgeRows(graph: BenchGraph): Generator<string> {
  yield 'src,dst,weight,amount,since'
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const source = externalId(graph.sources[edge] as number)
    const target = externalId(graph.targets[edge] as number)
    const since = datetime(graph.sinces[edge] as number)
    yield `${source},${target},${graph.weights[edge]},${graph.amounts[edge]},${since}`
  }
}

function* payloads(graph: BenchGraph): Generator<string> {
  for (let first = 0; first < graph.vertexCount; first += EDGES_PER_PAYLOAD) {
    const last = Math.min(graph.vertexCount, first + EDGES_PER_PAYLOAD)
    const entries: string[] = []
    for (let vertex = first; vertex < last; vertex++) {
      const { name, age, score, created } = vertexAttributes(vertex)
      entries.push(
        `"${externalId(vertex)}":{"name":{"value":"${name}"},"age":{"value":${age}},"score":{"value":${score}},"created":{"value":"${created}"}}`,
      )
    }
    yield `{"vertices":{"V":{${entries.join(',')}}}}`
  }
  for (let first = 0; first < graph.edgeCount; first += EDGES_PER_PAYLOAD) {
    yield edgePayload(graph, first, Math.min(graph.edgeCount, first + EDGES_PER_PAYLOAD))
  }
}

/** Sources stand once with all their targets, as clients write them. */
function edgePayload(graph: BenchGraph, first: number, last: number): string {
  const sources: string[] = []
  let targets: string[] = []
  for (let edge = first; edge < last; edge++) {
    const source = graph.sources[edge] as number
    const target = externalId(graph.targets[edge] as number)
    targets.push(
      `"${target}":{"weight":{"value":${graph.weights[edge]}},"amount":{"value":${graph.amounts[edge]}},"since":{"value":"${datetime(graph.sinces[edge] as number)}"}}`,
    )
    if (edge === last - 1 || graph.sources[edge + 1] !== source) {
      sources.push(`"${externalId(source)}":{"E":{"V":{${targets.join(',')}}}}`)
      targets = []
    }
  }
  return `{"edges":{"V":{${sources.join(',')}}}}`
}
