/**
 * When an index is faster than a look at every vector. The figures are measured
 * (docs/decisions/0023-hnsw-indexes.md): a candidate costs about a dozen vectors of 1,024 numbers, and
 * some seventy of 128, whose neighbours are mostly waited for.
 */
import { VECTOR_SEARCH_WIDTH_MAX } from '#kernel/limits.ts'

const NUMBERS_PER_CANDIDATE = 8_192
const VECTORS_PER_CANDIDATE = 4

/** About what 19 in 20 of the ten nearest of random vectors of 128 numbers take, which are hard. */
const WIDTH_MIN = 128
const WIDTH_MAX = 4_096
const WIDTH_OF_20_000 = 288

/** Candidates that an index holds while it searches, unless a query says how many. */
export function usualWidth(vectorCount: number): number {
  const width = Math.ceil(WIDTH_OF_20_000 * Math.sqrt(vectorCount / 20_000))
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width))
}

interface Vectors {
  readonly count: number
  readonly dimension: number
}

/** @param width candidates that the index would hold */
export function indexPays({ count, dimension }: Vectors, width: number): boolean {
  const candidateCost = NUMBERS_PER_CANDIDATE + VECTORS_PER_CANDIDATE * dimension
  return width * candidateCost <= count * dimension
}

interface Search extends Vectors {
  /** Vertices of the type, of which `count` are candidates. */
  readonly liveCount: number
  readonly nearest: number
  /** As the query says; null: the usual one. */
  readonly width: number | null
}

/** How many candidates an index is to find; null: a look at every vector is faster. */
export function askedWidth({ count, dimension, liveCount, nearest, width }: Search): number | null {
  const usual = Math.max(width ?? usualWidth(liveCount), nearest)
  // Of what the index finds only the candidates count: it has to find more where they are few.
  const wanted = Math.ceil((usual * liveCount) / Math.max(1, count))
  if (wanted > VECTOR_SEARCH_WIDTH_MAX || !indexPays({ count, dimension }, wanted)) return null
  return wanted
}
