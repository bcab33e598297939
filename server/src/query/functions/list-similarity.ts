/**
 * How like two lists of numbers are: as vectors (cosine, Pearson's correlation, Euclidean distance), or
 * as sets (Jaccard, overlap). What has no measure, such as a vector of zeros, is 0 alike.
 */
import { DbError } from '#kernel/errors.ts'

type Vector = readonly number[]

const measures: ReadonlyMap<string, (left: Vector, right: Vector) => number> = new Map([
  ['COSINE', cosine],
  ['PEARSON', (left, right) => cosine(centred(left), centred(right))],
  ['EUCLIDEAN', (left, right) => Math.hypot(...left.map((value, i) => value - right[i]!))],
  ['JACCARD', (left, right) => shared(left, right) / new Set([...left, ...right]).size || 0],
  ['OVERLAP', overlap],
])

const OF_SETS = ['JACCARD', 'OVERLAP']

/** @throws DbError QUERY_RUNTIME for an unknown measure, and for vectors of different lengths */
export function listSimilarity(left: Vector, right: Vector, measure: string): number {
  const name = measure.toUpperCase()
  const compare = measures.get(name)
  if (compare === undefined) {
    throw failure(`"${measure}" is no measure: ${[...measures.keys()].join(', ')}`)
  }
  if (left.length !== right.length && !OF_SETS.includes(name)) {
    throw failure(`the lists of ${name} have ${left.length} and ${right.length} elements`)
  }
  return compare(left, right)
}

function cosine(left: Vector, right: Vector): number {
  const lengths = Math.sqrt(dot(left, left)) * Math.sqrt(dot(right, right))
  return lengths === 0 ? 0 : dot(left, right) / lengths
}

function dot(left: Vector, right: Vector): number {
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0)
}

function centred(values: Vector): Vector {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

function shared(left: Vector, right: Vector): number {
  const others = new Set(right)
  return [...new Set(left)].filter((value) => others.has(value)).length
}

function overlap(left: Vector, right: Vector): number {
  const least = Math.min(new Set(left).size, new Set(right).size)
  return least === 0 ? 0 : shared(left, right) / least
}

function failure(text: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${text}.`, { details: { code: 'GSQL-1002' } })
}
