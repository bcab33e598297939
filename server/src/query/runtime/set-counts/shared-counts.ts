/**
 * How many numbers two sets share. A set that is compared with one after another, as that of a
 * vertex is with those of its neighbours, is marked by number once: then every comparison reads
 * the other set from front to back, without hashing.
 */
import { equalDoubles } from '#kernel/order.ts'
import type { Arena } from '../cells/arena.ts'
import { COUNT, DATA, SLOT_COUNT, SLOTS } from '../cells/block.ts'
import { hashNumber } from '../cells/codec.ts'
import type { MemoryBudget } from '../cells/memory.ts'

/** Marks are kept for numbers below; vertices and codes are. */
const MARKED_NUMBER_MAX = 2 ** 24
/** A set so many times larger than the marked one is looked into by hash instead. */
const LARGER_TIMES_MAX = 16

export class SharedCounts {
  private readonly arena: Arena
  private readonly memory: MemoryBudget
  /** By number: the last marking that met it. */
  private marks = new Uint32Array(0)
  private marking = 0
  /** The left side of the last comparison, while `changes` are those of then. */
  private left = 0
  private changes = -1
  private isMarked = false

  constructor(arena: Arena, memory: MemoryBudget) {
    this.arena = arena
    this.memory = memory
  }

  /** Both are blocks of sets whose entries are one number each. */
  count(left: number, right: number): number {
    const { cells, setChanges } = this.arena
    const [leftCount, rightCount] = [cells[left + COUNT]!, cells[right + COUNT]!]
    const isAgain = left === this.left && setChanges === this.changes
    if (isAgain && rightCount <= leftCount * LARGER_TIMES_MAX) {
      this.isMarked ||= this.mark(left)
      if (this.isMarked) return countMarked(cells, right, this.marks, this.marking)
    }
    if (!isAgain) {
      this.left = left
      this.changes = setChanges
      this.isMarked = false
    }
    const [few, many] = leftCount <= rightCount ? [left, right] : [right, left]
    return cells[many + SLOT_COUNT] === 0
      ? countBySearch(cells, few, many)
      : countByHash(cells, few, many)
  }

  /** @returns whether every number of the set can be marked */
  private mark(block: number): boolean {
    const { cells } = this.arena
    const start = cells[block + DATA]!
    const end = start + cells[block + COUNT]!
    let largest = 0
    for (let at = start; at < end; at++) {
      const number = cells[at]!
      if (!(number >= 0 && number < MARKED_NUMBER_MAX && Number.isInteger(number))) return false
      if (number > largest) largest = number
    }
    if (largest >= this.marks.length) this.grow(largest + 1)
    const marking = ++this.marking
    for (let at = start; at < end; at++) this.marks[cells[at]!] = marking
    return true
  }

  private grow(lengthMin: number): void {
    const length = Math.max(lengthMin, this.marks.length * 2)
    this.memory.take((length - this.marks.length) * this.marks.BYTES_PER_ELEMENT)
    this.marks = new Uint32Array(length)
  }
}

function countMarked(
  cells: Float64Array,
  block: number,
  marks: Uint32Array,
  marking: number,
): number {
  const start = cells[block + DATA]!
  const end = start + cells[block + COUNT]!
  let count = 0
  for (let at = start; at < end; at++) {
    const number = cells[at]!
    // Only what is marked equals its place in the marks: others are larger, negative or broken.
    const place = number | 0
    if (place === number && place >= 0 && place < marks.length && marks[place] === marking) count++
  }
  return count
}

function countByHash(cells: Float64Array, few: number, many: number): number {
  const first = cells[few + DATA]!
  const end = first + cells[few + COUNT]!
  const data = cells[many + DATA]!
  const slots = cells[many + SLOTS]!
  const mask = cells[many + SLOT_COUNT]! - 1
  let count = 0
  for (let at = first; at < end; at++) {
    const key = cells[at]!
    let slot = hashNumber(key) & mask
    let index = cells[slots + slot]! - 1
    while (index >= 0 && !equalDoubles(cells[data + index]!, key)) {
      slot = (slot + 1) & mask
      index = cells[slots + slot]! - 1
    }
    if (index >= 0) count++
  }
  return count
}

/** As above, where the second block is so small that it has no slots. */
function countBySearch(cells: Float64Array, few: number, many: number): number {
  const first = cells[few + DATA]!
  const end = first + cells[few + COUNT]!
  const data = cells[many + DATA]!
  const dataEnd = data + cells[many + COUNT]!
  let count = 0
  for (let at = first; at < end; at++) {
    let other = data
    while (other < dataEnd && !equalDoubles(cells[other]!, cells[at]!)) other++
    if (other < dataEnd) count++
  }
  return count
}
