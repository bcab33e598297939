/** Copies of whole columns when their storage changes: the new array is in home order. */
import type { ArrayOfKind } from '../memory/growable.ts'
import { type Heap, heapLength, lengthSize } from '../memory/heap.ts'
import type { PagedArray } from '../memory/paged.ts'

/** @returns where the value begins in `to` */
export function copyValue(from: Heap, offset: number, to: Heap): number {
  const length = heapLength(from.bytes, offset)
  return to.append(from.bytes, offset + lengthSize(length), length)
}

export function copyNumbers(from: PagedArray<keyof ArrayOfKind>, to: PagedArray<'float64'>): void {
  const source = from.array as Float64Array
  for (let row = 0; row < from.capacity; row++) to.array[row] = source[from.at(row)] ?? 0
}

export function copyBigints(from: PagedArray<keyof ArrayOfKind>, to: PagedArray<'int64'>): void {
  const source = from.array as Float64Array
  for (let row = 0; row < from.capacity; row++) to.array[row] = BigInt(source[from.at(row)] ?? 0)
}
