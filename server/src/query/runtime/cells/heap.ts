/**
 * HeapAccum: the best n tuples, the worst on top of a binary heap in cells. Each entry is its
 * arrival number and then the tuple; of equal tuples the earlier one is better, so one that ties
 * the worst of a full heap is dropped.
 */
import type { HeapOrder } from '#query/ir/types.ts'
import { BlockShape, CAPACITY, COUNT, DATA, EXTRA } from './block.ts'
import type { Memory, TupleCodec } from './codec.ts'
import type { Printer, Value } from './value.ts'

/** Largest n, how often something arrived, and room for how many entries: own header cells. */
const LIMIT = EXTRA
const ARRIVALS = EXTRA + 1
const FIRST_CAPACITY = 4

export class HeapShape extends BlockShape {
  readonly tuple: TupleCodec
  private readonly order: readonly HeapOrder[]
  /** Of a fresh heap. */
  private readonly limit: number
  private readonly width: number
  /** First cell of each field within an entry. */
  private readonly fieldCells: readonly number[]

  constructor(
    memory: Memory,
    id: number,
    parts: { tuple: TupleCodec; order: readonly HeapOrder[]; limit: number },
  ) {
    super(memory, id)
    this.tuple = parts.tuple
    this.order = parts.order
    this.limit = parts.limit
    this.width = parts.tuple.width + 1
    let cell = 1
    this.fieldCells = parts.tuple.fields.map(({ codec }) => {
      cell += codec.width
      return cell - codec.width
    })
  }

  override make(): number {
    const block = super.make()
    this.memory.arena.cells[block + LIMIT] = this.limit
    return block
  }

  limitOf(block: number): number {
    return this.memory.arena.cells[block + LIMIT]!
  }

  /** A smaller limit drops the worst at once. */
  setLimit(block: number, limit: number): void {
    const { cells } = this.memory.arena
    cells[block + LIMIT] = Math.max(0, Math.trunc(limit))
    while (cells[block + COUNT]! > cells[block + LIMIT]!) this.dropWorst(block)
  }

  override add(block: number, value: Value): void {
    const { arena } = this.memory
    const limit = arena.cells[block + LIMIT]!
    const count = arena.cells[block + COUNT]!
    if (limit === 0) return
    if (count >= limit) {
      if (this.compareToEntry(value as readonly Value[], this.place(block, 0)) >= 0) return
      this.dropWorst(block)
    }
    const index = arena.cells[block + COUNT]!
    if (index === arena.cells[block + CAPACITY]) this.grow(block, index)
    const at = this.place(block, index)
    const arrival = arena.cells[block + ARRIVALS]! + 1
    arena.cells[block + ARRIVALS] = arrival
    arena.cells[at] = arrival
    this.tuple.write(at + 1, value)
    arena.cells[block + COUNT] = index + 1
    this.siftUp(block, index)
  }

  /** The best tuple, or the default one. */
  top(block: number): Value {
    const best = this.bestIndex(block)
    return best < 0 ? this.tuple.zero() : this.tupleAt(block, best)
  }

  pop(block: number): Value {
    const best = this.bestIndex(block)
    if (best < 0) return this.tuple.zero()
    const value = this.tupleAt(block, best)
    this.removeAt(block, best)
    return value
  }

  clear(block: number): void {
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    for (let i = 0; i < count; i++) this.tuple.free(this.place(block, i) + 1)
    const capacity = arena.cells[block + CAPACITY]!
    if (capacity > 0) arena.give(arena.cells[block + DATA]!, capacity * this.width)
    arena.cells.fill(0, block + COUNT, block + DATA + 1)
  }

  copy(block: number): number {
    const { arena } = this.memory
    const copy = this.make()
    const count = arena.cells[block + COUNT]!
    arena.cells[copy + LIMIT] = arena.cells[block + LIMIT]!
    arena.cells[copy + ARRIVALS] = arena.cells[block + ARRIVALS]!
    if (count === 0) return copy
    const data = arena.take(count * this.width)
    arena.cells[copy + DATA] = data
    arena.cells[copy + CAPACITY] = count
    arena.cells[copy + COUNT] = count
    for (let i = 0; i < count; i++) {
      const from = this.place(block, i)
      arena.cells[data + i * this.width] = arena.cells[from]!
      this.tuple.copy(from + 1, data + i * this.width + 1)
    }
    return copy
  }

  /** Puts the entries in sort order for good: for copies that are iterated or printed. */
  sort(block: number): void {
    const { cells } = this.memory.arena
    const count = cells[block + COUNT]!
    for (let end = count - 1; end > 0; end--) {
      this.swap(block, 0, end)
      this.siftDown(block, 0, end)
    }
  }

  /** Equal heaps hold the same tuples, best first. */
  override compare(left: number, right: number): number {
    const difference = this.size(left) - this.size(right)
    if (difference !== 0) return difference
    const [a, b] = [this.copy(left), this.copy(right)]
    this.sort(a)
    this.sort(b)
    let order = 0
    for (let i = 0; i < this.size(a) && order === 0; i++) {
      order = this.tuple.compare(this.tupleAt(a, i), this.tupleAt(b, i))
    }
    this.free(a)
    this.free(b)
    return order
  }

  override elementAt(block: number, index: number): Value {
    return this.tupleAt(block, index)
  }

  override has(block: number, value: Value): boolean {
    const count = this.size(block)
    for (let i = 0; i < count; i++) {
      if (this.tuple.compare(this.tupleAt(block, i), value) === 0) return true
    }
    return false
  }

  print(block: number, printer: Printer): void {
    printer.open('[')
    this.forEachSorted(block, (tuple) => this.tuple.print(tuple, printer))
    printer.close(']')
  }

  /** The tuples, best first. */
  forEachSorted(block: number, see: (tuple: Value) => void): void {
    const sorted = this.copy(block)
    this.sort(sorted)
    const count = this.size(sorted)
    for (let i = 0; i < count; i++) see(this.tupleAt(sorted, i))
    this.free(sorted)
  }

  /** Sort order of a tuple and the entry at a cell, field by field, without making the tuple. */
  private compareToEntry(tuple: readonly Value[], at: number): number {
    for (const { field, descending } of this.order) {
      const { codec } = this.tuple.fields[field]!
      const order = codec.compare(tuple[field]!, codec.read(at + this.fieldCells[field]!))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }

  private compareEntries(a: number, b: number): number {
    for (const { field, descending } of this.order) {
      const { codec } = this.tuple.fields[field]!
      const cell = this.fieldCells[field]!
      const order = codec.compare(codec.read(a + cell), codec.read(b + cell))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }

  /** First cell of a tuple. */
  tupleCell(block: number, index: number): number {
    return this.place(block, index) + 1
  }

  private tupleAt(block: number, index: number): Value {
    return this.tuple.read(this.tupleCell(block, index))
  }

  private place(block: number, index: number): number {
    return this.memory.arena.cells[block + DATA]! + index * this.width
  }

  /** Positive when entry a is worse than entry b. */
  private worse(block: number, a: number, b: number): number {
    const [left, right] = [this.place(block, a), this.place(block, b)]
    const order = this.compareEntries(left, right)
    if (order !== 0) return order
    const { cells } = this.memory.arena
    return cells[left]! - cells[right]!
  }

  private siftUp(block: number, start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.worse(block, index, parent) <= 0) return
      this.swap(block, index, parent)
      index = parent
    }
  }

  private siftDown(block: number, start: number, count: number): void {
    let index = start
    for (;;) {
      let child = index * 2 + 1
      if (child >= count) return
      if (child + 1 < count && this.worse(block, child + 1, child) > 0) child++
      if (this.worse(block, child, index) <= 0) return
      this.swap(block, index, child)
      index = child
    }
  }

  private swap(block: number, a: number, b: number): void {
    const { cells } = this.memory.arena
    const [x, y] = [this.place(block, a), this.place(block, b)]
    for (let i = 0; i < this.width; i++) {
      const cell = cells[x + i]!
      cells[x + i] = cells[y + i]!
      cells[y + i] = cell
    }
  }

  private dropWorst(block: number): void {
    this.removeAt(block, 0)
  }

  private removeAt(block: number, index: number): void {
    const { cells } = this.memory.arena
    const last = cells[block + COUNT]! - 1
    this.swap(block, index, last)
    this.tuple.free(this.place(block, last) + 1)
    cells[block + COUNT] = last
    if (index === last) return
    this.siftDown(block, index, last)
    this.siftUp(block, index)
  }

  private bestIndex(block: number): number {
    const count = this.size(block)
    let best = count - 1
    for (let i = count - 2; i >= 0; i--) if (this.worse(block, best, i) > 0) best = i
    return best
  }

  private grow(block: number, count: number): void {
    const { arena } = this.memory
    const capacity = count === 0 ? FIRST_CAPACITY : count * 2
    const data = arena.take(capacity * this.width)
    const before = arena.cells[block + DATA]!
    arena.cells.copyWithin(data, before, before + count * this.width)
    if (count > 0) arena.give(before, count * this.width)
    arena.cells[block + DATA] = data
    arena.cells[block + CAPACITY] = capacity
  }
}
