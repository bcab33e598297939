/**
 * Blocks: collections and composite accumulators in the arena. The first cell of a block is the
 * number of its shape, so any block can be folded into, read, iterated and printed by itself.
 *
 * Header of every block: shape, count, capacity, data block, slot count, slot block, and two cells
 * for the shape's own use.
 */
import { assert } from '#kernel/assert.ts'
import { Codec, type Memory } from './codec.ts'
import type { Printer, Value } from './value.ts'

export const HEADER_CELLS = 8
export const COUNT = 1
export const CAPACITY = 2
export const DATA = 3
export const SLOT_COUNT = 4
export const SLOTS = 5
export const EXTRA = 6

export abstract class BlockShape {
  readonly id: number
  readonly memory: Memory
  private emptyBlock = 0

  constructor(memory: Memory, id: number) {
    this.memory = memory
    this.id = id
  }

  make(): number {
    const block = this.memory.arena.take(HEADER_CELLS)
    this.memory.arena.cells[block] = this.id
    return block
  }

  size(block: number): number {
    return this.memory.arena.cells[block + COUNT]!
  }

  free(block: number): void {
    this.clear(block)
    this.memory.arena.give(block, HEADER_CELLS)
  }

  /** An empty block that is never changed: what reading something missing yields. */
  empty(): number {
    if (this.emptyBlock === 0) this.emptyBlock = this.make()
    return this.emptyBlock
  }

  abstract clear(block: number): void
  abstract copy(block: number): number
  /** What an expression that names the accumulator yields. */
  read(block: number): Value {
    return block
  }

  abstract print(block: number, printer: Printer): void

  // What only some shapes can do.
  add(_block: number, _value: Value): void {
    assert(false, 'this collection takes no elements')
  }

  /** A plain fold into a composite that is not a collection. */
  fold(_block: number, _value: Value): void {
    assert(false, 'this accumulator takes no plain value')
  }

  elementAt(_block: number, _index: number): Value {
    return assert(false, 'this collection has no elements by index') as never
  }

  has(_block: number, _value: Value): boolean {
    return assert(false, 'this collection cannot be searched') as never
  }

  hash(block: number): number {
    return this.size(block)
  }

  compare(left: number, right: number): number {
    return left - right
  }
}

/** Collections as values, and as owned members of other collections. */
export class BlockCodec extends Codec {
  readonly width = 1
  override readonly isBlock = true

  override get isPlain(): boolean {
    return false
  }

  readonly shape: BlockShape
  private readonly shapeOf: (block: number) => BlockShape

  constructor(memory: Memory, shape: BlockShape, shapeOf: (block: number) => BlockShape) {
    super(memory)
    this.shape = shape
    this.shapeOf = shapeOf
  }

  read(at: number): Value {
    return this.memory.arena.cells[at]!
  }

  /** Stores a copy: members are owned. */
  write(at: number, value: Value): void {
    const copy = this.shapeOf(value as number).copy(value as number)
    this.memory.arena.cells[at] = copy
  }

  /** Plain values are replaced. */
  override fold(at: number, value: Value): void {
    this.free(at)
    this.write(at, value)
  }

  override init(at: number): void {
    const block = this.shape.make()
    this.memory.arena.cells[at] = block
  }

  override free(at: number): void {
    const block = this.memory.arena.cells[at]!
    if (block !== 0) this.shapeOf(block).free(block)
    this.memory.arena.cells[at] = 0
  }

  hash(value: Value): number {
    return this.shapeOf(value as number).hash(value as number)
  }

  compare(left: Value, right: Value): number {
    return this.shapeOf(left as number).compare(left as number, right as number)
  }

  zero(): Value {
    return this.shape.empty()
  }

  override fresh(): Value {
    const block = this.shape.make()
    this.memory.temporaries.push(block)
    return block
  }

  override elementAt(value: Value, index: number): Value {
    return this.shapeOf(value as number).elementAt(value as number, index)
  }

  print(value: Value, printer: Printer): void {
    this.shapeOf(value as number).print(value as number, printer)
  }

  keyText(): Uint8Array {
    return new Uint8Array(0)
  }
}

/** A single value with a codec, as a block: Min and Max of tuples. */
export class CellShape extends BlockShape {
  readonly codec: Codec

  constructor(memory: Memory, id: number, codec: Codec) {
    super(memory, id)
    this.codec = codec
  }

  override make(): number {
    const block = this.memory.arena.take(1 + this.codec.width)
    this.memory.arena.cells[block] = this.id
    this.codec.init(block + 1)
    return block
  }

  override free(block: number): void {
    this.codec.free(block + 1)
    this.memory.arena.give(block, 1 + this.codec.width)
  }

  clear(block: number): void {
    this.codec.free(block + 1)
    this.codec.init(block + 1)
  }

  copy(block: number): number {
    const copy = this.memory.arena.take(1 + this.codec.width)
    this.memory.arena.cells[copy] = this.id
    this.codec.copy(block + 1, copy + 1)
    return copy
  }

  override read(block: number): Value {
    return this.codec.read(block + 1)
  }

  override fold(block: number, value: Value): void {
    this.codec.fold(block + 1, value)
  }

  /** What another one of the type was given. */
  merge(block: number, from: number): void {
    this.codec.merge(block + 1, { codec: this.codec, at: from + 1 })
  }

  print(block: number, printer: Printer): void {
    this.codec.print(this.codec.read(block + 1), printer, false)
  }
}
