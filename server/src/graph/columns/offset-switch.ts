/**
 * A column of codes on its way to offsets into the heap, in steps: each value that is written copies the
 * next rows, so that none of them waits for all others. Readers and the writer use the codes until the
 * last row is copied.
 */
import type { ArrayOfKind } from '../memory/growable.ts'
import type { PagedArray } from '../memory/paged.ts'
import type { Dictionary } from './dictionary.ts'

/** Rows that one written value copies. */
const ROWS_PER_STEP = 64

type Data = PagedArray<keyof ArrayOfKind>

export class OffsetSwitch {
  readonly dictionary: Dictionary
  readonly data: Data
  /** Bytes of strings that a row held when it was copied, or got later. */
  #usedBytes = 0
  /** One bit for each code that was counted in these bytes. */
  #used: Uint32Array
  /** Rows below this one were copied. */
  #copied = 0

  /** @param data of offsets, without rows */
  constructor(dictionary: Dictionary, data: Data) {
    this.dictionary = dictionary
    this.data = data
    this.#used = new Uint32Array((dictionary.count >>> 5) + 1)
  }

  /** Bytes of the heap that no row refers to, about: of a row that was written twice the older string counts as used. */
  get garbageBytes(): number {
    return Math.max(0, this.dictionary.heap.length - this.#usedBytes)
  }

  /** A row holds another code. */
  touched(row: number, code: number): void {
    if (row < this.#copied) this.#copy(row, code)
  }

  /** Copies the next rows. @returns whether these were the last */
  step(codes: Data): boolean {
    this.data.ensure(codes.capacity)
    const source = codes.array as Uint32Array
    const end = Math.min(this.#copied + ROWS_PER_STEP, codes.capacity)
    for (let row = this.#copied; row < end; row++) this.#copy(row, source[codes.at(row)] ?? 0)
    this.#copied = end
    return end === codes.capacity
  }

  giveUp(): void {
    this.data.release()
  }

  #copy(row: number, code: number): void {
    ;(this.data.array as Uint32Array)[row] = this.dictionary.offsetOf(code)
    const word = code >>> 5
    if (word >= this.#used.length) this.#growUsed(word + 1)
    const bit = 1 << (code & 31)
    if (code === 0 || (this.#used[word]! & bit) !== 0) return
    this.#used[word]! |= bit
    this.#usedBytes += this.dictionary.heapSizeOf(code)
  }

  /** A bit for a code is so little that it is copied at once. */
  #growUsed(wordCount: number): void {
    const grown = new Uint32Array(Math.max(wordCount, this.#used.length * 2))
    grown.set(this.#used)
    this.#used = grown
  }
}
