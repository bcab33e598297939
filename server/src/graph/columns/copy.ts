/** Copies of whole columns when their storage changes: the new array is in home order. */
import type { ArrayOfKind } from '../memory/growable.ts'
import { type Heap, heapLength, lengthSize } from '../memory/heap.ts'
import type { PagedArray } from '../memory/paged.ts'
import type { Dictionary } from './dictionary.ts'

/** @returns where the value begins in `to` */
export function copyValue(from: Heap, offset: number, to: Heap): number {
  const length = heapLength(from.bytes, offset)
  return to.append(from.bytes, offset + lengthSize(length), length)
}

/** As `copyValue`, of a long value. */
export function* copyValueInPieces(
  from: Heap,
  offset: number,
  to: Heap,
): Generator<undefined, number> {
  const length = heapLength(from.bytes, offset)
  const start = offset + lengthSize(length)
  const written = yield* to.writeBehind([from.bytes.subarray(start, start + length)])
  to.length = written.end
  return written.offset
}

type Data = PagedArray<keyof ArrayOfKind>

export function copyNumbers(from: Data, to: Data): void {
  const source = from.array as Float64Array
  const target = to.array as Float64Array
  for (let row = 0; row < from.capacity; row++) target[row] = source[from.at(row)] ?? 0
}

export function copyBigints(from: Data, to: Data): void {
  const source = from.array as Float64Array
  const target = to.array as BigInt64Array
  for (let row = 0; row < from.capacity; row++) target[row] = BigInt(source[from.at(row)] ?? 0)
}

/** Where the strings of codes lie in the dictionary's heap. */
export function copyOffsets(dictionary: Dictionary, from: Data, to: Data): void {
  const source = from.array as Uint32Array
  const target = to.array as Uint32Array
  for (let row = 0; row < from.capacity; row++) {
    target[row] = dictionary.offsetOf(source[from.at(row)] ?? 0)
  }
}

/** Codes of one dictionary as those of another. */
export function copyCodes(newCodes: Uint32Array, from: Data, to: Data): void {
  const source = from.array as Uint32Array
  const target = to.array as Uint32Array
  for (let row = 0; row < from.capacity; row++) {
    target[row] = newCodes[source[from.at(row)] ?? 0]!
  }
}
