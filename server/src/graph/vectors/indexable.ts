/** Which vectors an HNSW graph can hold, and how it is told that one has changed. */
import type { VectorMetric } from '#catalog/types.ts'

/**
 * The library sums squares in single precision: they must neither overflow nor vanish. Vectors
 * beyond are looked at one by one. For COSINE they are scaled to length 1 first.
 */
const MAGNITUDE_MAX = 1e15
const MAGNITUDE_MIN = 1e-15

export function isIndexable(vector: Float32Array | Float64Array, metric: VectorMetric): boolean {
  let most = 0
  for (let i = 0; i < vector.length; i++) most = Math.max(most, Math.abs(vector[i]!))
  if (metric === 'COSINE') return most < Number.POSITIVE_INFINITY
  return most === 0 || (most >= MAGNITUDE_MIN && most <= MAGNITUDE_MAX)
}

/** From a vector without a direction all others are equally far by COSINE and IP. */
export function isSearchable(vector: Float32Array, metric: VectorMetric): boolean {
  return isIndexable(vector, metric) && (metric === 'L2' || vector.some((value) => value !== 0))
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * Over the bits of the numbers; never 0. Two vectors with one hash, one in four billion pairs, mean
 * that a change is missed by the graph, not by the distances.
 */
export function vectorHash(vector: Float32Array): number {
  const words = new Uint32Array(vector.buffer, vector.byteOffset, vector.length)
  let hash = FNV_OFFSET
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, FNV_PRIME)
    hash ^= hash >>> 15
  }
  return hash >>> 0 || 1
}
