/** The functions of the package `gds.vector` (docs/reference/gsql/functions.md#vectors), by their names in lower case. */
import type { VectorFunction } from './bound-expression.ts'

export interface VectorFunctionInfo {
  readonly function: VectorFunction
  readonly vectorCount: 1 | 2
  /**
   * The argument after the vectors: a metric, an index, or none. A metric as a text is fixed by
   * the function's name and is not written by the caller.
   */
  readonly extra: 'metric' | 'index' | 'COSINE' | 'L2' | 'IP' | null
}

export const vectorFunctions: ReadonlyMap<string, VectorFunctionInfo> = new Map([
  ['distance', { function: 'distance', vectorCount: 2, extra: 'metric' }],
  ['cosine_distance', { function: 'distance', vectorCount: 2, extra: 'COSINE' }],
  ['l2_distance', { function: 'distance', vectorCount: 2, extra: 'L2' }],
  ['ip_distance', { function: 'distance', vectorCount: 2, extra: 'IP' }],
  ['dimension_count', { function: 'dimension', vectorCount: 1, extra: null }],
  ['elements_sum', { function: 'sum', vectorCount: 1, extra: null }],
  ['kth_element', { function: 'element', vectorCount: 1, extra: 'index' }],
  ['norm', { function: 'norm', vectorCount: 1, extra: 'metric' }],
])
