/** Lists: elements side by side in one data block that doubles when it is full. */
import { BlockShape, CAPACITY, COUNT, DATA } from './block.ts'
import type { Codec, Memory } from './codec.ts'
import type { Printer, Value } from './value.ts'

const FIRST_CAPACITY = 4

export class ListShape extends BlockShape {
  readonly element: Codec
  private readonly plain: boolean

  constructor(memory: Memory, id: number, element: Codec) {
    super(memory, id)
    this.element = element
    this.plain = element.isPlain
  }

  override add(block: number, value: Value): void {
    const at = this.append(block)
    this.element.write(at, value)
  }

  /** An element that is an accumulator of its own, to be folded into. */
  addFresh(block: number): number {
    const at = this.append(block)
    this.element.init(at)
    return at
  }

  override elementAt(block: number, index: number): Value {
    if (index < 0 || index >= this.size(block)) return this.element.zero()
    return this.element.read(this.place(block, Math.trunc(index)))
  }

  /** The elements of a list of numbers; `target` has room for them. */
  copyNumbers(block: number, target: Float64Array): void {
    const size = this.size(block)
    if (this.element.isNumber && size > 0) {
      const from = this.place(block, 0)
      target.set(this.memory.arena.cells.subarray(from, from + size))
      return
    }
    for (let i = 0; i < size; i++) target[i] = Number(this.elementAt(block, i))
  }

  override has(block: number, value: Value): boolean {
    return this.indexOf(block, value) >= 0
  }

  indexOf(block: number, value: Value): number {
    const size = this.size(block)
    for (let i = 0; i < size; i++) {
      if (this.element.equals(this.place(block, i), value)) return i
    }
    return -1
  }

  update(block: number, index: number, value: Value): boolean {
    if (index < 0 || index >= this.size(block)) return false
    const at = this.place(block, Math.trunc(index))
    this.element.free(at)
    this.element.write(at, value)
    return true
  }

  removeAt(block: number, index: number): void {
    const size = this.size(block)
    if (index < 0 || index >= size) return
    const { cells } = this.memory.arena
    const at = this.place(block, index)
    this.element.free(at)
    cells.copyWithin(at, at + this.element.width, this.place(block, size))
    cells[block + COUNT] = size - 1
  }

  removeAll(block: number, value: Value): void {
    const { cells } = this.memory.arena
    const size = this.size(block)
    let kept = 0
    for (let i = 0; i < size; i++) {
      const at = this.place(block, i)
      if (this.element.equals(at, value)) this.element.free(at)
      else {
        cells.copyWithin(this.place(block, kept), at, at + this.element.width)
        kept++
      }
    }
    cells[block + COUNT] = kept
  }

  clear(block: number): void {
    const { arena } = this.memory
    const size = this.plain ? 0 : this.size(block)
    for (let i = 0; i < size; i++) this.element.free(this.place(block, i))
    const capacity = arena.cells[block + CAPACITY]!
    if (capacity > 0) arena.give(arena.cells[block + DATA]!, capacity * this.element.width)
    arena.cells.fill(0, block + COUNT, block + DATA + 1)
  }

  copy(block: number): number {
    const copy = this.make()
    const size = this.size(block)
    if (this.plain && size > 0) {
      this.copyCells(block, copy, size)
      return copy
    }
    for (let i = 0; i < size; i++) {
      const to = this.append(copy)
      this.element.copy(this.place(block, i), to)
    }
    return copy
  }

  private copyCells(block: number, copy: number, size: number): void {
    const { arena } = this.memory
    const { width } = this.element
    const data = arena.take(size * width)
    const from = this.place(block, 0)
    arena.cells.copyWithin(data, from, from + size * width)
    arena.cells[copy + DATA] = data
    arena.cells[copy + CAPACITY] = size
    arena.cells[copy + COUNT] = size
  }

  override hash(block: number): number {
    let hash = 7
    for (let i = 0; i < this.size(block); i++) {
      hash = (Math.imul(hash, 31) ^ this.element.hash(this.elementAt(block, i))) >>> 0
    }
    return hash
  }

  override compare(left: number, right: number): number {
    const [a, b] = [this.size(left), this.size(right)]
    for (let i = 0; i < a && i < b; i++) {
      const order = this.element.compare(this.elementAt(left, i), this.elementAt(right, i))
      if (order !== 0) return order
    }
    return a - b
  }

  print(block: number, printer: Printer): void {
    printer.open('[')
    const size = this.size(block)
    for (let i = 0; i < size; i++) {
      this.element.print(this.element.read(this.place(block, i)), printer, true)
    }
    printer.close(']')
  }

  place(block: number, index: number): number {
    return this.memory.arena.cells[block + DATA]! + index * this.element.width
  }

  /** Whether its elements are kept as they are here, and own nothing. */
  isLike(other: BlockShape): other is ListShape {
    return other instanceof ListShape && other.element === this.element && this.plain
  }

  /** The elements of a list like this one, or of this very list, behind its own. */
  addList(block: number, from: number): void {
    const [before, count] = [this.size(block), this.size(from)]
    if (count === 0) return
    const { arena } = this.memory
    this.makeRoom(block, before + count)
    arena.cells[block + COUNT] = before + count
    const [target, source] = [this.place(block, before), this.place(from, 0)]
    arena.cells.copyWithin(target, source, source + count * this.element.width)
  }

  /** A list of so many elements that are yet to be written. */
  makeRoomFor(count: number): number {
    const block = this.make()
    if (count === 0) return block
    this.makeRoom(block, count)
    this.memory.arena.cells[block + COUNT] = count
    return block
  }

  /** The cells of a new last element. */
  private append(block: number): number {
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    if (count === arena.cells[block + CAPACITY]) this.makeRoom(block, count + 1)
    arena.cells[block + COUNT] = count + 1
    return this.place(block, count)
  }

  private makeRoom(block: number, count: number): void {
    const { arena } = this.memory
    const before = arena.cells[block + CAPACITY]!
    if (count <= before) return
    const { width } = this.element
    let capacity = before === 0 ? FIRST_CAPACITY : before * 2
    while (capacity < count) capacity *= 2
    const data = arena.take(capacity * width)
    const old = arena.cells[block + DATA]!
    arena.cells.copyWithin(data, old, old + this.size(block) * width)
    if (before > 0) arena.give(old, before * width)
    arena.cells[block + DATA] = data
    arena.cells[block + CAPACITY] = capacity
  }
}
