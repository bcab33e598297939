/** One bit per row in pages of PAGE_ROWS bits: tombstones of vertices and edges. */

import type { BitsView } from '#graph/view.ts'
import { PAGE_ROWS } from '#kernel/limits.ts'
import type { Meter } from './growable.ts'
import { PagedArray } from './paged.ts'
import type { Versions } from './versions.ts'

const PAGE_SHIFT = 5

/** True when the bit of `row` is set; rows beyond the words have none. */
export function isSet(bits: BitsView, row: number): boolean {
  const words = bits.words
  if (words === null) return false
  const word = row >>> 5
  if (bits.pages === null) return ((words[word]! >>> (row & 31)) & 1) === 1
  const page = bits.pages[row >>> 10]!
  return ((words[(page << PAGE_SHIFT) | (word & 31)]! >>> (row & 31)) & 1) === 1
}

export class Bits {
  /** Bits that are set. */
  count = 0
  #words: PagedArray<'uint32'> | null = null
  readonly #meter: Meter
  readonly #versions: Versions

  constructor(meter: Meter, versions: Versions, initial?: Uint32Array<SharedArrayBuffer>) {
    this.#meter = meter
    this.#versions = versions
    if (initial === undefined) return
    this.#words = this.#open(initial)
    for (const word of initial) this.count += popCount(word)
  }

  get sizeBytes(): number {
    return this.#words?.sizeBytes ?? 0
  }

  has(row: number): boolean {
    const words = this.#words
    if (words === null) return false
    return ((words.array[words.at(row >>> 5)]! >>> (row & 31)) & 1) === 1
  }

  /** @param rowCapacity rows the table has room for: every row of a view has its word. */
  set(row: number, rowCapacity: number): void {
    this.#words ??= this.#open()
    this.#words.ensure((Math.max(rowCapacity, row + 1) + PAGE_ROWS) >>> 5)
    const index = this.#words.touch(row >>> 5)
    this.#words.array[index]! |= 1 << (row & 31)
    this.count += 1
  }

  clear(row: number): void {
    const words = this.#words!
    const index = words.touch(row >>> 5)
    words.array[index]! &= ~(1 << (row & 31))
    this.count -= 1
  }

  /** Keeps a word for every row once there are any. */
  ensure(rowCapacity: number): void {
    this.#words?.ensure((rowCapacity + PAGE_ROWS) >>> 5)
  }

  view(): BitsView {
    const words = this.#words
    if (words === null || this.count === 0) return noBits
    return { words: words.array, pages: words.shareDirectory() }
  }

  release(): void {
    this.#words?.release()
  }

  #open(initial?: Uint32Array<SharedArrayBuffer>): PagedArray<'uint32'> {
    const options = { kind: 'uint32', shift: PAGE_SHIFT, meter: this.#meter } as const
    const versions = this.#versions
    return new PagedArray(initial ? { ...options, versions, initial } : { ...options, versions })
  }
}

export const noBits: BitsView = { words: null, pages: null }

function popCount(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
