/**
 * How far apart two vectors are. COSINE: 1 - cosine, 1 where one of them is all zeros. L2: Euclidean.
 * IP: 1 - inner product, so that nearer is smaller for it, too (docs/decisions/0018-vectors.md).
 *
 * All sums run in doubles over four lanes, in one order everywhere: the cosine distance of a vector
 * from itself is then exactly 0.
 */
import type { VectorMetric } from '#catalog/types.ts'

/** A piece of an array. */
export interface Span {
  readonly data: Float32Array | Float64Array
  readonly start: number
  readonly length: number
}

/** Both have the length of `left`. */
export function vectorDistance(metric: VectorMetric, left: Span, right: Span): number {
  switch (metric) {
    case 'COSINE':
      return cosineBetween(left, right)
    case 'L2':
      return Math.sqrt(squaredDistance(left, right))
    case 'IP':
      return 1 - innerProduct(left, right)
  }
}

/** Product and both squared lengths in one pass, in the lanes of `innerProduct`. */
function cosineBetween(left: Span, right: Span): number {
  const a = left.data
  const b = right.data
  let i = left.start
  let j = right.start
  const end = i + left.length
  let p0 = 0
  let p1 = 0
  let p2 = 0
  let p3 = 0
  let l0 = 0
  let l1 = 0
  let l2 = 0
  let l3 = 0
  let r0 = 0
  let r1 = 0
  let r2 = 0
  let r3 = 0
  for (; i + 3 < end; i += 4, j += 4) {
    const a0 = a[i]!
    const a1 = a[i + 1]!
    const a2 = a[i + 2]!
    const a3 = a[i + 3]!
    const b0 = b[j]!
    const b1 = b[j + 1]!
    const b2 = b[j + 2]!
    const b3 = b[j + 3]!
    p0 += a0 * b0
    p1 += a1 * b1
    p2 += a2 * b2
    p3 += a3 * b3
    l0 += a0 * a0
    l1 += a1 * a1
    l2 += a2 * a2
    l3 += a3 * a3
    r0 += b0 * b0
    r1 += b1 * b1
    r2 += b2 * b2
    r3 += b3 * b3
  }
  for (; i < end; i++, j++) {
    p0 += a[i]! * b[j]!
    l0 += a[i]! * a[i]!
    r0 += b[j]! * b[j]!
  }
  const norms = (l0 + l1 + (l2 + l3)) * (r0 + r1 + (r2 + r3))
  return cosineDistance(p0 + p1 + (p2 + p3), norms)
}

/** @param norms the product of both squared lengths */
function cosineDistance(product: number, norms: number): number {
  return norms === 0 ? 1 : Math.max(0, 1 - product / Math.sqrt(norms))
}

export function innerProduct(left: Span, right: Span): number {
  const a = left.data
  const b = right.data
  let i = left.start
  let j = right.start
  const end = left.start + left.length
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (; i + 3 < end; i += 4, j += 4) {
    s0 += a[i]! * b[j]!
    s1 += a[i + 1]! * b[j + 1]!
    s2 += a[i + 2]! * b[j + 2]!
    s3 += a[i + 3]! * b[j + 3]!
  }
  for (; i < end; i++, j++) s0 += a[i]! * b[j]!
  return s0 + s1 + (s2 + s3)
}

function squaredDistance(left: Span, right: Span): number {
  const a = left.data
  const b = right.data
  let i = left.start
  let j = right.start
  const end = left.start + left.length
  let s0 = 0
  let s1 = 0
  for (; i + 1 < end; i += 2, j += 2) {
    const d0 = a[i]! - b[j]!
    const d1 = a[i + 1]! - b[j + 1]!
    s0 += d0 * d0
    s1 += d1 * d1
  }
  if (i < end) s0 += (a[i]! - b[j]!) ** 2
  return s0 + s1
}

/** Distances of a column's vectors from one: `start` is where a vector begins in the column. */
export type DistanceFrom = (data: Float32Array, start: number) => number

/** The loops over a whole column: the same sums, without an object per vector. */
export function distanceFrom(metric: VectorMetric, query: Float64Array): DistanceFrom {
  switch (metric) {
    case 'COSINE': {
      const whole = { data: query, start: 0, length: query.length }
      const norm = innerProduct(whole, whole)
      return (data, start) => cosineAt(query, norm, data, start)
    }
    case 'L2':
      return (data, start) => Math.sqrt(squaredAt(query, data, start))
    case 'IP':
      return (data, start) => 1 - productAt(query, data, start)
  }
}

function cosineAt(query: Float64Array, norm: number, data: Float32Array, start: number): number {
  const { length } = query
  let p0 = 0
  let p1 = 0
  let p2 = 0
  let p3 = 0
  let n0 = 0
  let n1 = 0
  let n2 = 0
  let n3 = 0
  let i = 0
  let at = start
  for (; i + 3 < length; i += 4, at += 4) {
    const v0 = data[at]!
    const v1 = data[at + 1]!
    const v2 = data[at + 2]!
    const v3 = data[at + 3]!
    p0 += query[i]! * v0
    p1 += query[i + 1]! * v1
    p2 += query[i + 2]! * v2
    p3 += query[i + 3]! * v3
    n0 += v0 * v0
    n1 += v1 * v1
    n2 += v2 * v2
    n3 += v3 * v3
  }
  for (; i < length; i++, at++) {
    const value = data[at]!
    p0 += query[i]! * value
    n0 += value * value
  }
  return cosineDistance(p0 + p1 + (p2 + p3), norm * (n0 + n1 + (n2 + n3)))
}

function productAt(query: Float64Array, data: Float32Array, start: number): number {
  const { length } = query
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  for (; i + 3 < length; i += 4) {
    const at = start + i
    s0 += query[i]! * data[at]!
    s1 += query[i + 1]! * data[at + 1]!
    s2 += query[i + 2]! * data[at + 2]!
    s3 += query[i + 3]! * data[at + 3]!
  }
  for (; i < length; i++) s0 += query[i]! * data[start + i]!
  return s0 + s1 + (s2 + s3)
}

function squaredAt(query: Float64Array, data: Float32Array, start: number): number {
  const { length } = query
  let s0 = 0
  let s1 = 0
  let i = 0
  let at = start
  for (; i + 1 < length; i += 2, at += 2) {
    const d0 = query[i]! - data[at]!
    const d1 = query[i + 1]! - data[at + 1]!
    s0 += d0 * d0
    s1 += d1 * d1
  }
  if (i < length) s0 += (query[i]! - data[at]!) ** 2
  return s0 + s1
}
