/** Copies of whole columns when their storage changes: the new array is in home order. */
import type { ArrayOfKind } from '../memory/growable.ts'
import { type Heap, heapLength, lengthSize } from '../memory/heap.ts'
import type { PagedArray, Stretch } from '../memory/paged.ts'

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

/** Rows, the first of which is the first of a page. */
export interface Rows {
  readonly from: number
  readonly to: number
}

/** Numbers of a narrower array; the platform converts whole stretches. */
export function copyNumbers(from: Data, to: Data, rows: Rows): void {
  const source = from.array as Float64Array
  const target = to.array as Float64Array
  for (const { at, start, end } of from.stretches(rows.from, rows.to)) {
    target.set(source.subarray(start, end), at)
  }
}

/** Safe integers as 64 bits. They are written as two words: a bigint would be an object for each row. */
export function copyBigints(from: Data, to: Data, rows: Rows): void {
  const source = from.array as Float64Array
  const { buffer, byteOffset, length } = to.array
  const words = new Int32Array(buffer, byteOffset, length * 2)
  for (const stretch of from.stretches(rows.from, rows.to)) copyWords(source, words, stretch)
}

const HIGH_WORD = 2 ** 32

function copyWords(source: Float64Array, words: Int32Array, { at, start, end }: Stretch): void {
  let word = at * 2
  for (let position = start; position < end; position++) {
    const value = source[position]!
    words[word] = value
    words[word + 1] = Math.floor(value / HIGH_WORD)
    word += 2
  }
}

/** Codes of one dictionary as those of another. */
export function copyCodes(newCodes: Uint32Array, from: Data, to: Data, rows: Rows): void {
  const source = from.array as Uint32Array
  const target = to.array as Uint32Array
  for (const { at, start, end } of from.stretches(rows.from, rows.to)) {
    for (let position = start; position < end; position++) {
      target[at + position - start] = newCodes[source[position]!]!
    }
  }
}
