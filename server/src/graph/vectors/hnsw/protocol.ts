/**
 * What the server and the process that holds the HNSW graphs say to each other. Vertices go by their
 * ordinals, which no rebuild changes; a graph has a number that is never given again.
 */
import type { VectorMetric } from '#catalog/types.ts'

export interface GraphSpec {
  readonly dimension: number
  readonly metric: VectorMetric
}

/** Changes of one graph, in order; the vectors of `added` lie behind each other. */
export interface GraphChanges {
  readonly removed: Float64Array
  readonly added: Float64Array
  readonly vectors: Float32Array
}

export type ToGraphs =
  | ({ readonly kind: 'open'; readonly graph: number } & GraphSpec)
  | ({ readonly kind: 'apply'; readonly graph: number } & GraphChanges)
  | {
      readonly kind: 'search'
      readonly graph: number
      readonly request: number
      readonly vector: Float32Array
      readonly count: number
    }
  | { readonly kind: 'close'; readonly graph: number }

export interface AppliedAnswer {
  readonly kind: 'applied'
  readonly graph: number
  /** Vectors that a search may find. */
  readonly liveCount: number
  /** Vectors that were replaced or removed and still take room. */
  readonly staleCount: number
  /** Of the whole process. */
  readonly memoryBytes: number
}

export type FromGraphs =
  | AppliedAnswer
  | {
      readonly kind: 'found'
      readonly request: number
      /** Nearest first; null: there is no such graph. */
      readonly ordinals: Float64Array | null
    }
