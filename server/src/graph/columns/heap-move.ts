/**
 * The values in use of a column on their way to a new heap, in pieces of a millisecond or so. The
 * column is read and written meanwhile: rows that change behind the move are moved again.
 */
import type { ArrayOfKind } from '../memory/growable.ts'
import { type Heap, heapLength } from '../memory/heap.ts'
import type { PagedArray } from '../memory/paged.ts'
import { copyValue } from './copy.ts'

/** What one piece moves at most: rows, and bytes of values. */
const ROWS_PER_PIECE = 8_192
const BYTES_PER_PIECE = 1024 * 1024
/** Rows changed meanwhile that the last piece may move. */
const CHANGED_COUNT_MAX = 1_000

type Data = PagedArray<keyof ArrayOfKind>

export class HeapMove {
  readonly heap: Heap
  readonly data: Data
  /** Bytes of the new heap that no row refers to. */
  garbageBytes = 0
  /** Rows below this one were moved. */
  #limit = 0
  readonly #changed = new Set<number>()

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
    if (this.#limit < from.data.capacity) this.#moveRows(from.data, from.heap)
    else this.#moveChanged(from.data, from.heap)
    return this.#limit === from.data.capacity && this.#changed.size === 0
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
    for (; row < end && this.heap.length < stop; row++) {
      const from = source[data.at(row)] ?? 0
      if (from !== last.from) last = { from, to: copyValue(heap, from, this.heap) }
      target[row] = last.to
    }
    this.#limit = row
  }

  #moveChanged(data: Data, heap: Heap): void {
    const source = data.array as Uint32Array
    const target = this.data.array as Uint32Array
    let count = 0
    for (const row of this.#changed) {
      if (count++ === CHANGED_COUNT_MAX) return
      this.#changed.delete(row)
      if (target[row] !== 0) this.garbageBytes += heapLength(this.heap.bytes, target[row]!)
      target[row] = copyValue(heap, source[data.at(row)]!, this.heap)
    }
  }
}
