/**
 * ArrayAccum: elements that are accumulators, side by side in one data block, and beside it a block
 * with the length of each dimension.
 */
import { DbError } from '#kernel/errors.ts'
import { BlockShape, CAPACITY, COUNT, DATA, EXTRA } from './block.ts'
import type { Codec, Memory } from './codec.ts'
import type { Printer, Value } from './value.ts'

/** Block with the lengths, and their number: own header cells. */
const LENGTHS = EXTRA
const DIMENSIONS = EXTRA + 1

export class ArrayShape extends BlockShape {
  readonly element: Codec

  constructor(memory: Memory, id: number, element: Codec) {
    super(memory, id)
    this.element = element
  }

  /** Forgets everything and makes fresh elements. */
  reallocate(block: number, lengths: readonly number[]): void {
    this.clear(block)
    const { arena } = this.memory
    const total = lengths.reduce((product, length) => product * length, 1)
    if (!(total >= 0 && total < 2 ** 31)) outOfRange(total, 'is no size of an array')
    const at = arena.take(lengths.length)
    lengths.forEach((length, i) => {
      arena.cells[at + i] = length
    })
    arena.cells[block + LENGTHS] = at
    arena.cells[block + DIMENSIONS] = lengths.length
    if (total === 0) return
    const data = arena.take(total * this.element.width)
    arena.cells[block + DATA] = data
    arena.cells[block + CAPACITY] = total
    arena.cells[block + COUNT] = total
    for (let i = 0; i < total; i++) this.element.init(data + i * this.element.width)
  }

  lengths(block: number): number[] {
    const { cells } = this.memory.arena
    const at = cells[block + LENGTHS]!
    return [...cells.subarray(at, at + cells[block + DIMENSIONS]!)]
  }

  /** @throws DbError GSQL-2620 when an index is out of its range */
  cellAt(block: number, indexes: readonly number[]): number {
    const lengths = this.lengths(block)
    let place = 0
    indexes.forEach((index, i) => {
      const length = lengths[i] ?? 0
      if (!(index >= 0 && index < length)) outOfRange(index, `is outside an array of ${length}`)
      place = place * length + index
    })
    return this.place(block, place)
  }

  override elementAt(block: number, index: number): Value {
    return this.element.read(this.place(block, index))
  }

  override has(block: number, value: Value): boolean {
    const size = this.size(block)
    for (let i = 0; i < size; i++) {
      if (this.element.equals(this.place(block, i), value)) return true
    }
    return false
  }

  place(block: number, index: number): number {
    return this.memory.arena.cells[block + DATA]! + index * this.element.width
  }

  clear(block: number): void {
    const { arena } = this.memory
    const size = this.element.isPlain ? 0 : this.size(block)
    for (let i = 0; i < size; i++) this.element.free(this.place(block, i))
    const capacity = arena.cells[block + CAPACITY]!
    if (capacity > 0) arena.give(arena.cells[block + DATA]!, capacity * this.element.width)
    const dimensions = arena.cells[block + DIMENSIONS]!
    if (dimensions > 0) arena.give(arena.cells[block + LENGTHS]!, dimensions)
    arena.cells.fill(0, block + COUNT, block + DIMENSIONS + 1)
  }

  copy(block: number): number {
    const copy = this.make()
    if (this.memory.arena.cells[block + DIMENSIONS] === 0) return copy
    this.reallocate(copy, this.lengths(block))
    for (let i = 0; i < this.size(block); i++) {
      this.element.free(this.place(copy, i))
      this.element.copy(this.place(block, i), this.place(copy, i))
    }
    return copy
  }

  override compare(left: number, right: number): number {
    const difference = this.size(left) - this.size(right)
    if (difference !== 0) return difference
    for (let i = 0; i < this.size(left); i++) {
      const order = this.element.compare(this.elementAt(left, i), this.elementAt(right, i))
      if (order !== 0) return order
    }
    return 0
  }

  print(block: number, printer: Printer): void {
    const lengths = this.lengths(block)
    let next = 0
    const level = (dimension: number): void => {
      printer.open('[')
      for (let i = 0; i < (lengths[dimension] ?? 0); i++) {
        if (dimension + 1 < lengths.length) level(dimension + 1)
        else this.element.print(this.elementAt(block, next++), printer, true)
      }
      printer.close(']')
    }
    level(0)
  }
}

function outOfRange(index: number, what: string): never {
  throw new DbError('QUERY_RUNTIME', `Runtime Error: array index ${index} ${what}.`, {
    details: { code: 'GSQL-2620' },
  })
}

/** @throws DbError GSQL-2621 unless both have the same lengths */
export function checkSameLengths(left: readonly number[], right: readonly number[]): void {
  if (left.length === right.length && left.every((length, i) => length === right[i])) return
  const [a, b] = [left.join('×'), right.join('×')]
  throw new DbError('QUERY_RUNTIME', `Runtime Error: arrays of ${a} and ${b} do not add up.`, {
    details: { code: 'GSQL-2621' },
  })
}
