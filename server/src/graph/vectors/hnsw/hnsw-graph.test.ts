import { describe, expect, it } from 'vitest'
import type { VectorMetric } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { vectorDistance } from '../distance.ts'
import { HnswGraph } from './hnsw-graph.ts'

const DIMENSION = 32
const span = (data: Float32Array) => ({ data, start: 0, length: data.length })

function randomVectors(count: number, seed: number): Float32Array[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: DIMENSION }, () => random.next() * 2 - 1),
  )
}

function exact(vectors: readonly Float32Array[], query: Float32Array, metric: VectorMetric) {
  return [...vectors.keys()]
    .map((i) => ({ i, distance: vectorDistance(metric, span(vectors[i]!), span(query)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 10)
    .map(({ i }) => i)
}

/** Of the ten nearest, how many are among those that the graph finds. */
function recall(graph: HnswGraph, vectors: readonly Float32Array[], metric: VectorMetric): number {
  const queries = randomVectors(40, 99)
  const shares = queries.map((query) => {
    const found = new Set(graph.search(query, 256))
    return exact(vectors, query, metric).filter((i) => found.has(i)).length / 10
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

describe('an HNSW graph', () => {
  it.each(['COSINE', 'L2', 'IP'] as const)('by %s finds 19 in 20 of the nearest', (metric) => {
    const vectors = randomVectors(3_000, 1)
    const graph = new HnswGraph({ dimension: DIMENSION, metric })
    for (const [i, vector] of vectors.entries()) graph.put(i, vector)
    expect(recall(graph, vectors, metric)).toBeGreaterThanOrEqual(0.95)
    // A third is replaced: the old vectors are not found, the new ones are.
    const others = randomVectors(1_000, 2)
    for (const [i, vector] of others.entries()) graph.put(i, vector)
    expect(graph.staleCount).toBe(1_000)
    const now = [...others, ...vectors.slice(1_000)]
    expect(recall(graph, now, metric)).toBeGreaterThanOrEqual(0.95)
  })

  it('is the same after the same changes', () => {
    const vectors = randomVectors(500, 3)
    const graphs = [1, 2].map(() => {
      const graph = new HnswGraph({ dimension: DIMENSION, metric: 'L2' })
      for (const [i, vector] of vectors.entries()) graph.put(i, vector)
      return graph
    })
    const query = randomVectors(1, 4)[0]!
    const [first, second] = graphs.map((graph) => [...graph.search(query, 50)])
    expect(first).toEqual(second)
  })

  it('finds nothing that was removed, and all that is left', () => {
    const vectors = randomVectors(200, 5)
    const graph = new HnswGraph({ dimension: DIMENSION, metric: 'COSINE' })
    for (const [i, vector] of vectors.entries()) graph.put(i * 1_000, vector)
    for (let i = 0; i < 150; i++) graph.remove(i * 1_000)
    expect(graph.liveCount).toBe(50)
    const found = [...graph.search(vectors[0]!, 100)].sort((a, b) => a - b)
    expect(found).toEqual(Array.from({ length: 50 }, (_, i) => (150 + i) * 1_000))
    for (let i = 150; i < 200; i++) graph.remove(i * 1_000)
    expect([...graph.search(vectors[0]!, 100)]).toEqual([])
  })
})
