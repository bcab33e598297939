/**
 * How many vertices two sets share. A set that is compared with one after another, as that of a
 * vertex is with those of its neighbours, is marked by number once: then every comparison reads
 * the other set from front to back.
 *
 * It works on the cells of any arena: a helper counts in the sets of the run that it helps.
 */
import { COUNT, DATA, SLOT_COUNT, SLOTS } from '../cells/block.ts'
import { mix } from '../cells/codec.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import { WORDS_PER_CELL } from '../cells/vertex-collection.ts'

/** A set so many times larger than the other is looked into by its slots. */
const LARGER_TIMES_MAX = 32

/** An arena's cells, as doubles and as words, and the number of changes of its sets. */
export type SetArrays = readonly [cells: Float64Array, words: Int32Array, changes: number]

export class SharedVertices {
  private readonly memory: MemoryBudget
  /** Greater than every number in a set. */
  private readonly vertexCount: number
  private cells: Float64Array = new Float64Array(0)
  private words: Int32Array = new Int32Array(0)
  /** Of the sets at hand: none has changed while this is the same. */
  private changes = -1
  /**
   * By number plus one (-1 is the unknown vertex): 1 for the members of the set that is marked. Sums
   * of bytes are twice as fast as comparisons: which members are shared cannot be foreseen.
   */
  private marks = new Uint8Array(0)
  /** Where the marks are, to be taken away again. */
  private markedPlaces = new Int32Array(0)
  private markedCount = 0
  /** The set that is marked; 0: none. */
  private marked = 0
  /** The sides of the last comparison. */
  private left = 0
  private right = 0

  constructor(memory: MemoryBudget, vertexCount: number) {
    this.memory = memory
    this.vertexCount = vertexCount
  }

  open([cells, words, changes]: SetArrays): void {
    this.cells = cells
    this.words = words
    if (changes === this.changes) return
    this.changes = changes
    this.marked = 0
  }

  count(left: number, right: number): number {
    if (left !== this.marked && right !== this.marked) {
      // The side that stays the same is the one to mark.
      const staysRight = right === this.right && left !== this.left
      const stays = staysRight || left === this.left
      this.left = left
      this.right = right
      const [one, other] = staysRight ? [right, left] : [left, right]
      if (!stays && this.isMuchLarger(one, this.size(other))) return this.countBySlots(other, one)
      this.mark(one)
    }
    return this.countWithMarked(left === this.marked ? right : left)
  }

  private countWithMarked(block: number): number {
    if (this.isMuchLarger(block, this.markedCount)) return this.countBySlots(this.marked, block)
    const { marks, words } = this
    const first = this.cells[block + DATA]! * WORDS_PER_CELL
    const end = first + this.size(block)
    let count = 0
    for (let at = first; at < end; at++) count += marks[words[at]! + 1]!
    return count
  }

  private size(block: number): number {
    return this.cells[block + COUNT]!
  }

  private isMuchLarger(block: number, size: number): boolean {
    return this.cells[block + SLOT_COUNT]! > 0 && this.size(block) > size * LARGER_TIMES_MAX
  }

  private mark(block: number): void {
    const { cells, words } = this
    const size = this.size(block)
    this.makeRoom(size)
    const { marks, markedPlaces } = this
    for (let i = 0; i < this.markedCount; i++) marks[markedPlaces[i]!] = 0
    const first = cells[block + DATA]! * WORDS_PER_CELL
    for (let i = 0; i < size; i++) {
      const place = words[first + i]! + 1
      markedPlaces[i] = place
      marks[place] = 1
    }
    this.marked = block
    this.markedCount = size
  }

  private makeRoom(size: number): void {
    if (this.marks.length === 0) {
      this.memory.take(this.vertexCount + 1)
      this.marks = new Uint8Array(this.vertexCount + 1)
    }
    if (size <= this.markedPlaces.length) return
    const before = this.markedPlaces
    const length = Math.max(size, before.length * 2)
    this.memory.take((length - before.length) * before.BYTES_PER_ELEMENT)
    this.markedPlaces = new Int32Array(length)
    this.markedPlaces.set(before)
  }

  private countBySlots(few: number, many: number): number {
    const { cells, words } = this
    const first = cells[few + DATA]! * WORDS_PER_CELL
    const end = first + this.size(few)
    const start = cells[many + DATA]! * WORDS_PER_CELL
    const slots = cells[many + SLOTS]! * WORDS_PER_CELL
    const mask = cells[many + SLOT_COUNT]! - 1
    let count = 0
    for (let at = first; at < end; at++) {
      const vertex = words[at]!
      let slot = mix(vertex) & mask
      let index = words[slots + slot]! - 1
      while (index >= 0 && words[start + index] !== vertex) {
        slot = (slot + 1) & mask
        index = words[slots + slot]! - 1
      }
      if (index >= 0) count++
    }
    return count
  }
}
