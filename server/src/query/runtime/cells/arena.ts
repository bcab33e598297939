/**
 * The cells in which collections live: one growing array of 64-bit cells per query, cut into
 * blocks of a power of two. A block is named by its first cell; 0 is no block. Freed blocks are
 * chained by size through their first cell and used again.
 *
 * Callers read `cells` and `ints` afresh after every allocation: growing replaces both.
 */
import { assert } from '#kernel/assert.ts'
import type { MemoryBudget } from './memory.ts'

const CELL_BYTES = 8
const FIRST_SIZE_CELLS = 1024
const SIZE_CLASSES = 34

export class Arena {
  cells: Float64Array
  /** The same bytes, for INT and UINT values of queries that run in 64 bits. */
  ints: BigInt64Array
  /** The same bytes, for numbers of vertices, two to a cell. */
  words: Int32Array
  /** How often a set of numbers has changed: what was derived from one holds until then. */
  setChanges = 0
  private next = 1
  private readonly free = new Float64Array(SIZE_CLASSES)
  readonly memory: MemoryBudget

  constructor(memory: MemoryBudget) {
    this.memory = memory
    this.cells = new Float64Array(memory.buffer(FIRST_SIZE_CELLS * CELL_BYTES))
    this.ints = new BigInt64Array(this.cells.buffer)
    this.words = new Int32Array(this.cells.buffer)
  }

  /** A block of at least `count` cells, all zero. */
  take(count: number): number {
    const size = sizeClass(count)
    const block = this.free[size]!
    if (block !== 0) {
      this.free[size] = this.cells[block]!
      this.cells.fill(0, block, block + 2 ** size)
      return block
    }
    const at = this.next
    this.next += 2 ** size
    if (this.next > this.cells.length) this.grow()
    return at
  }

  /** Gives back a block that was taken with the same `count`. */
  give(block: number, count: number): void {
    if (block === 0) return
    const size = sizeClass(count)
    this.cells[block] = this.free[size]!
    this.free[size] = block
  }

  private grow(): void {
    let length = this.cells.length
    while (length < this.next) length *= 2
    const before = this.cells
    this.cells = new Float64Array(this.memory.buffer(length * CELL_BYTES))
    this.cells.set(before)
    this.ints = new BigInt64Array(this.cells.buffer)
    this.words = new Int32Array(this.cells.buffer)
    this.memory.give(before.length * CELL_BYTES)
  }
}

/** Exponent of the smallest power of two that holds `count` cells. */
function sizeClass(count: number): number {
  assert(count >= 0 && count < 2 ** (SIZE_CLASSES - 1), 'block size out of range')
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1)
}
