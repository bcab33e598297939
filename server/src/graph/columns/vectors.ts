/**
 * Vectors in their columns: `dimension` floats of single precision per row, without gaps.
 *
 * Rows that nobody wrote are zero and hold no vector. A vector of zeros is told from them by its first
 * number, which is then minus zero: the one value of the column that equals zero and is not.
 */
import { assert } from '#kernel/assert.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import type { PagedArray } from '../memory/paged.ts'

const FLOAT_SIZE_BYTES = 4

/** One row's place in a column. */
export interface VectorPlace {
  readonly array: Float32Array
  readonly start: number
  readonly dimension: number
}

/** @param position where the row lies, after `touch`: that may replace the array */
export function vectorPlace(data: PagedArray<keyof ArrayOfKind>, position: number): VectorPlace {
  const dimension = data.stride
  return { array: data.array as Float32Array, start: position * dimension, dimension }
}

/** @param range no bytes take the vector away, else all floats of it, little-endian */
export function putVector(
  { array, start, dimension }: VectorPlace,
  bytes: Uint8Array,
  range: { readonly start: number; readonly length: number },
): void {
  if (range.length === 0) {
    array.fill(0, start, start + dimension)
    return
  }
  assert(range.length === dimension * FLOAT_SIZE_BYTES, 'a vector of another dimension')
  const source = bytes.subarray(range.start, range.start + range.length)
  const offset = array.byteOffset + start * FLOAT_SIZE_BYTES
  new Uint8Array(array.buffer, offset, range.length).set(source)
  for (let i = start; i < start + dimension; i++) if (array[i] !== 0) return
  array[start] = -0
}

/** The bytes that `putVector` would take; none when there is no vector. */
export function vectorBytes({ array, start, dimension }: VectorPlace): Uint8Array {
  if (!hasVector(array, start, dimension)) return new Uint8Array(0)
  const offset = array.byteOffset + start * FLOAT_SIZE_BYTES
  return new Uint8Array(array.buffer, offset, dimension * FLOAT_SIZE_BYTES).slice()
}

/** Usually decided by the first number. */
export function hasVector(array: Float32Array, start: number, dimension: number): boolean {
  if (Object.is(array[start], -0)) return true
  for (let i = start; i < start + dimension; i++) if (array[i] !== 0) return true
  return false
}

/** The encoded form of a vector: its floats behind each other. */
export function encodeVector(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * FLOAT_SIZE_BYTES)
  const view = new DataView(bytes.buffer)
  values.forEach((value, index) => {
    view.setFloat32(index * FLOAT_SIZE_BYTES, value, true)
  })
  return bytes
}

export function decodeVector(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.length / FLOAT_SIZE_BYTES }, (_, index) =>
    view.getFloat32(index * FLOAT_SIZE_BYTES, true),
  )
}
