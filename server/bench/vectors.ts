/**
 * The nearest of many vectors: every one looked at, and an HNSW graph with its candidates held
 * against the column, by how many candidates the graph holds. In CPU time of this thread.
 *
 *     node server/bench/vectors.ts [count [dimension [clusters]]]
 *
 * Vectors are random, or lie around so many random centres, as embeddings of texts do.
 */
import process from 'node:process'
import { distanceFrom } from '#graph/vectors/distance.ts'
import { HnswGraph } from '#graph/vectors/hnsw/hnsw-graph.ts'
import { Nearest } from '#graph/vectors/nearest.ts'
import { scanVectors } from '#graph/vectors/search.ts'
import type { ColumnView } from '#graph/view.ts'
import { createRandom } from '#kernel/prng.ts'

const K = 10
const QUERIES = 50
const WIDTHS = [64, 128, 256, 512, 1024]
const [count = 10_000, dimension = 128, clusterCount = 0] = process.argv.slice(2).map(Number)
/** How far from its centre a number lies; centres reach from -1 to 1. */
const SPREAD = 0.5

const random = createRandom(1)
const numbers = new Float32Array(new SharedArrayBuffer(count * dimension * 4))
const any = () => Float32Array.from({ length: dimension }, () => random.next() * 2 - 1)
const centres = Array.from({ length: clusterCount }, any)
function someVector(): Float32Array {
  if (clusterCount === 0) return any()
  const centre = centres[random.below(clusterCount)]!
  return any().map((value, i) => centre[i]! + value * SPREAD)
}
for (let row = 0; row < count; row++) numbers.set(someVector(), row * dimension)
const queries = Array.from({ length: QUERIES }, someVector)
const column: ColumnView = {
  attributeId: 1,
  name: 'emb',
  type: { kind: 'VECTOR', dimension, metric: 'COSINE' },
  tuples: [],
  storage: 'vector',
  data: numbers,
  pages: null,
  heap: null,
}
const rows = new Uint32Array(Math.ceil(count / 32)).fill(0xffffffff)
if (count % 32 !== 0) rows[rows.length - 1] = 2 ** (count % 32) - 1

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

function exact(query: Float32Array): Uint32Array {
  const nearest = new Nearest(K)
  const distance = distanceFrom('COSINE', Float64Array.from(query))
  scanVectors({ column, dimension, distance, rows, base: 0, look: () => undefined }, nearest)
  return nearest.sorted().numbers
}

function indexed(graph: HnswGraph, query: Float32Array, width: number): Uint32Array {
  const nearest = new Nearest(K)
  const distance = distanceFrom('COSINE', Float64Array.from(query))
  for (const row of graph.search(query, width))
    nearest.offer(distance(numbers, row * dimension), row)
  return nearest.sorted().numbers
}

for (const query of queries.slice(0, 5)) exact(query)
const truth: Uint32Array[] = []
const exactMs = cpuMs(() => truth.push(...queries.map(exact))) / QUERIES
const kind = clusterCount === 0 ? 'random' : `around ${clusterCount} centres`
console.log(
  `${count} vectors of ${dimension} numbers, ${kind}, the ${K} nearest by COSINE, CPU time`,
)
console.log(`every vector: ${exactMs.toFixed(2)} ms`)

const graph = new HnswGraph({ dimension, metric: 'COSINE' })
const before = process.memoryUsage.rss()
const buildMs = cpuMs(() => {
  for (let row = 0; row < count; row++) {
    graph.put(row, numbers.subarray(row * dimension, (row + 1) * dimension))
  }
})
const bytes = (process.memoryUsage.rss() - before) / count
console.log(
  `HNSW: built in ${(buildMs / 1_000).toFixed(1)} s, ${(buildMs / count).toFixed(2)} ms and ${bytes.toFixed(0)} bytes a vector`,
)
for (const width of WIDTHS) {
  const found: Uint32Array[] = []
  const ms =
    cpuMs(() => found.push(...queries.map((query) => indexed(graph, query, width)))) / QUERIES
  const hits = found.reduce(
    (sum, one, i) => sum + one.filter((row) => truth[i]!.includes(row)).length,
    0,
  )
  console.log(
    `HNSW, ef ${width}: ${ms.toFixed(2)} ms, recall@${K} ${(hits / (K * QUERIES)).toFixed(3)}`,
  )
}
