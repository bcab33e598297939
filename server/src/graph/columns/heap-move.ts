/**
 * The values in use of a column on their way to a new heap, in pieces of a millisecond or so, long values
 * in several. The column is read and written meanwhile: rows that change behind the move are moved again.
 */
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import { type Heap, heapLength } from '../memory/heap.ts'
import type { PagedArray } from '../memory/paged.ts'
import { copyValue, copyValueInPieces } from './copy.ts'

/** What one piece moves at most: rows, and bytes of values. */
const ROWS_PER_PIECE = 8_192
const BYTES_PER_PIECE = 1024 * 1024
/** Rows changed meanwhile that the last piece may move. */
const CHANGED_COUNT_MAX = 1_000

type Data = PagedArray<keyof ArrayOfKind>

/** A long value of a row under way. */
interface LongCopy {
  readonly row: number
  readonly pieces: Generator<undefined, number>
}

export class HeapMove {
  readonly heap: Heap
  readonly data: Data
  /** Bytes of the new heap that no row refers to. */
  garbageBytes = 0
  /** Rows below this one were moved. */
  #limit = 0
  readonly #changed = new Set<number>()
  #long: LongCopy | null = null

  constructor(heap: Heap, data: Data) {
    this.heap = heap
    this.data = data
  }

  /** A row has another value. */
  touched(row: number): void {
    if (row < this.#limit) this.#changed.add(row)
  }

  /** Moves the next piece of what a column holds now. @returns whether that was all */
  step(from: { readonly data: Data; readonly heap: Heap }): boolean {
    if (this.#long !== null) this.#goOn(this.#long)
    else if (this.#limit < from.data.capacity) this.#moveRows(from.data, from.heap)
    else this.#moveChanged(from.data, from.heap)
    const isAll = this.#limit === from.data.capacity && this.#changed.size === 0
    return isAll && this.#long === null
  }

  giveUp(): void {
    this.data.release()
    this.heap.release()
  }

  #moveRows(data: Data, heap: Heap): void {
    this.data.ensure(data.capacity)
    const end = Math.min(this.#limit + ROWS_PER_PIECE, data.capacity)
    const stop = this.heap.length + BYTES_PER_PIECE
    const source = data.array as Uint32Array
    const target = this.data.array as Uint32Array
    // Rows that were filled with one default share its bytes.
    let last = { from: 0, to: 0 }
    let row = this.#limit
    for (; row < end && this.heap.length < stop && this.#long === null; row++) {
      const from = source[data.at(row)] ?? 0
      if (from === last.from) target[row] = last.to
      else if (isLong(heap, from)) this.#begin(row, heap, from)
      else {
        last = { from, to: copyValue(heap, from, this.heap) }
        target[row] = last.to
      }
    }
    this.#limit = row
  }

  /** A row that gets another value meanwhile is one that has changed. */
  #begin(row: number, heap: Heap, offset: number): void {
    this.#long = { row, pieces: copyValueInPieces(heap, offset, this.heap) }
  }

  #goOn({ row, pieces }: LongCopy): void {
    const { done, value } = pieces.next()
    if (done !== true) return
    this.#long = null
    ;(this.data.array as Uint32Array)[row] = value
  }

  #moveChanged(data: Data, heap: Heap): void {
    const source = data.array as Uint32Array
    const target = this.data.array as Uint32Array
    let count = 0
    for (const row of this.#changed) {
      if (count++ === CHANGED_COUNT_MAX) return
      this.#changed.delete(row)
      if (target[row] !== 0) this.garbageBytes += heapLength(this.heap.bytes, target[row]!)
      const from = source[data.at(row)]!
      if (isLong(heap, from)) {
        this.#begin(row, heap, from)
        return
      }
      target[row] = copyValue(heap, from, this.heap)
    }
  }
}

function isLong(heap: Heap, offset: number): boolean {
  return heapLength(heap.bytes, offset) > VALUE_PIECE_BYTES
}
