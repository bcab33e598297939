/** Vectors while a query runs: the functions of `gds.vector`, and the search. */
import type { VectorMetric } from '#catalog/types.ts'
import { innerProduct, type Span, vectorDistance } from '#graph/vectors/distance.ts'
import type { VectorFunction } from '#query/ir/bound-expression.ts'
import type { StringTable } from '../cells/strings.ts'
import { runtimeError, unequal, type VectorReader } from './vector-readers.ts'
import {
  type SearchArguments,
  type SearchedColumns,
  type SearchParts,
  searchVectors,
} from './vector-search.ts'
import type { VertexSet } from './vertex-set.ts'

export interface VectorParts extends SearchParts {
  readonly strings: StringTable
}

const METRICS: readonly VectorMetric[] = ['COSINE', 'L2', 'IP']

export function vectorFunctions(parts: VectorParts) {
  const { strings } = parts
  return {
    metricNamed: (code: number): VectorMetric => {
      const name = strings.text(code)
      const metric = METRICS.find((one) => one === name.toUpperCase())
      if (metric !== undefined) return metric
      throw runtimeError(`"${name}" is no metric: use ${METRICS.join(', ')}.`)
    },
    vectorDistance: (metric: VectorMetric, ...operands: DistanceOperands): number => {
      const [left, leftPlace, right, rightPlace] = operands
      left.moveTo(leftPlace)
      right.moveTo(rightPlace)
      if (left.length !== right.length) throw unequal('distance', left.length, right.length)
      return Math.fround(vectorDistance(metric, left, right))
    },
    vectorMeasure: (
      measure: VectorFunction,
      extra: number | VectorMetric,
      reader: VectorReader,
      place: number,
    ): number => {
      reader.moveTo(place)
      return measure === 'dimension' ? reader.length : Math.fround(measured(measure, extra, reader))
    },
    vectorSearch: (columns: SearchedColumns, ...given: SearchArguments): VertexSet =>
      searchVectors(parts, columns, given),
  }
}

type DistanceOperands = readonly [
  left: VectorReader,
  leftPlace: number,
  right: VectorReader,
  rightPlace: number,
]

/** Which element counts from 0; beyond the last it is 0, as `get` of a LIST. */
function measured(measure: VectorFunction, extra: number | VectorMetric, vector: Span): number {
  const { data, start, length } = vector
  if (measure === 'element') {
    const index = Number(extra)
    return index >= 0 && index < length ? data[start + index]! : 0
  }
  if (measure === 'norm') {
    const squared = innerProduct(vector, vector)
    return extra === 'IP' ? squared : Math.sqrt(squared)
  }
  let sum = 0
  for (let i = start; i < start + length; i++) sum += data[i]!
  return sum
}
