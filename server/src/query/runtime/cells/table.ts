/**
 * Hash tables: entries lie side by side in insertion order, key cells then value cells; beside them
 * open-addressing slots with entry numbers. Tables of up to eight entries have no slots and are
 * searched from front to back. Removing moves the last entry into the gap.
 */
import { BlockShape, CAPACITY, COUNT, DATA, SLOT_COUNT, SLOTS } from './block.ts'
import { type Codec, hashNumber, type Memory } from './codec.ts'
import type { Value } from './value.ts'

const SMALL = 8
const FIRST_CAPACITY = 4

export interface TableParts {
  readonly key: Codec
  readonly valueWidth: number
  readonly plainValues: boolean
}

export abstract class TableShape extends BlockShape {
  readonly key: Codec
  /** Cells after the key that belong to an entry. */
  readonly valueWidth: number
  readonly entryWidth: number
  /** Entries own nothing: tables are copied and cleared as wholes. */
  private readonly plain: boolean
  /** Keys are doubles: the usual ones (vertices, codes, numbers) are found without the codec. */
  private readonly numeric: boolean

  constructor(memory: Memory, id: number, parts: TableParts) {
    super(memory, id)
    this.key = parts.key
    this.valueWidth = parts.valueWidth
    this.entryWidth = parts.key.width + parts.valueWidth
    this.numeric = parts.key.isNumber
    this.plain = parts.key.isPlain && parts.plainValues
  }

  /** A table of so many entries that are yet to be written, to be read from front to back only. */
  makeRoomFor(count: number): number {
    const block = this.make()
    if (count === 0) return block
    const { arena } = this.memory
    const data = arena.take(count * this.entryWidth)
    arena.cells[block + DATA] = data
    arena.cells[block + CAPACITY] = count
    arena.cells[block + COUNT] = count
    return block
  }

  protected abstract initValue(at: number): void
  protected abstract freeValue(at: number): void
  protected abstract copyValue(from: number, to: number): void

  keyAt(block: number, index: number): Value {
    return this.key.read(this.entry(block, index))
  }

  hasKey(block: number, key: Value): boolean {
    return this.find(block, key, this.hashOf(key)) >= 0
  }

  /** First value cell of a key's entry, or -1. */
  lookup(block: number, key: Value): number {
    const index = this.find(block, key, this.hashOf(key))
    return index < 0 ? -1 : this.valueCell(block, index)
  }

  valueCell(block: number, index: number): number {
    return this.entry(block, index) + this.key.width
  }

  /** First value cell of a key's entry, which is made when it is not there. */
  ensure(block: number, key: Value): number {
    const hash = this.hashOf(key)
    const known = this.find(block, key, hash)
    if (known >= 0) return this.valueCell(block, known)
    const index = this.append(block)
    const at = this.entry(block, index)
    this.key.write(at, key)
    this.initValue(at + this.key.width)
    this.insertSlot(block, hash, index)
    return this.valueCell(block, index)
  }

  /** Whether an entry is one number and nothing else. */
  get isNumberSet(): boolean {
    return this.numeric && this.entryWidth === 1
  }

  removeKey(block: number, key: Value): boolean {
    const hash = this.hashOf(key)
    const index = this.find(block, key, hash)
    if (index < 0) return false
    this.memory.arena.setChanges++
    const { cells } = this.memory.arena
    const last = cells[block + COUNT]! - 1
    if (cells[block + SLOT_COUNT]! > 0) {
      this.dropSlot(block, this.slotOf(block, hash, index))
      if (index < last) {
        const moved = this.slotOf(block, this.hashOf(this.keyAt(block, last)), last)
        cells[cells[block + SLOTS]! + moved] = index + 1
      }
    }
    const at = this.entry(block, index)
    this.key.free(at)
    this.freeValue(at + this.key.width)
    const from = this.entry(block, last)
    cells.copyWithin(at, from, from + this.entryWidth)
    cells[block + COUNT] = last
    return true
  }

  /** The slot that holds the number of an entry. */
  private slotOf(block: number, hash: number, index: number): number {
    const { cells } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const slots = cells[block + SLOTS]!
    let slot = hash & mask
    while (cells[slots + slot] !== index + 1) slot = (slot + 1) & mask
    return slot
  }

  /** Empties a slot and moves back those after it that would not be found across the gap. */
  private dropSlot(block: number, emptied: number): void {
    const { cells } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const slots = cells[block + SLOTS]!
    let gap = emptied
    for (let slot = (gap + 1) & mask; cells[slots + slot] !== 0; slot = (slot + 1) & mask) {
      const entry = cells[slots + slot]! - 1
      const home = this.hashOf(this.keyAt(block, entry)) & mask
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue
      cells[slots + gap] = entry + 1
      gap = slot
    }
    cells[slots + gap] = 0
  }

  clear(block: number): void {
    const { arena } = this.memory
    arena.setChanges++
    const count = this.plain ? 0 : this.memory.arena.cells[block + COUNT]!
    for (let i = 0; i < count; i++) {
      const at = this.entry(block, i)
      this.key.free(at)
      this.freeValue(at + this.key.width)
    }
    const { cells } = arena
    const capacity = cells[block + CAPACITY]!
    if (capacity > 0) arena.give(cells[block + DATA]!, capacity * this.entryWidth)
    if (cells[block + SLOT_COUNT]! > 0)
      arena.give(cells[block + SLOTS]!, cells[block + SLOT_COUNT]!)
    cells.fill(0, block + COUNT, block + SLOTS + 1)
  }

  copy(block: number): number {
    const copy = this.make()
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    this.copyExtra(block, copy)
    if (this.plain && count > 0) {
      this.copyCells(block, copy)
      return copy
    }
    for (let i = 0; i < count; i++) {
      const index = this.append(copy)
      this.key.copy(this.entry(block, i), this.entry(copy, index))
      const from = this.valueCell(block, i)
      this.copyValue(from, this.valueCell(copy, index))
    }
    if (count > SMALL) this.fillSlots(copy)
    return copy
  }

  private copyCells(block: number, copy: number): void {
    const { arena } = this.memory
    arena.setChanges++
    const capacity = arena.cells[block + CAPACITY]!
    const slotCount = arena.cells[block + SLOT_COUNT]!
    const data = arena.take(capacity * this.entryWidth)
    const slots = slotCount > 0 ? arena.take(slotCount) : 0
    const { cells } = arena
    const from = cells[block + DATA]!
    cells.copyWithin(data, from, from + cells[block + COUNT]! * this.entryWidth)
    const oldSlots = cells[block + SLOTS]!
    if (slotCount > 0) cells.copyWithin(slots, oldSlots, oldSlots + slotCount)
    cells[copy + COUNT] = cells[block + COUNT]!
    cells[copy + CAPACITY] = capacity
    cells[copy + DATA] = data
    cells[copy + SLOT_COUNT] = slotCount
    cells[copy + SLOTS] = slots
  }

  protected copyExtra(_from: number, _to: number): void {}

  /** First cell of an entry. */
  entry(block: number, index: number): number {
    return this.memory.arena.cells[block + DATA]! + index * this.entryWidth
  }

  /** Distinct keys. */
  entryCount(block: number): number {
    return this.memory.arena.cells[block + COUNT]!
  }

  private hashOf(key: Value): number {
    return this.numeric ? hashNumber(key as number) : this.key.hash(key)
  }

  private find(block: number, key: Value, hash: number): number {
    // NaN is not found by `===`.
    return this.numeric && !Number.isNaN(key)
      ? this.findNumber(block, key as number, hash)
      : this.findAny(block, key, hash)
  }

  private findNumber(block: number, key: number, hash: number): number {
    const { cells } = this.memory.arena
    const data = cells[block + DATA]!
    const width = this.entryWidth
    const slotCount = cells[block + SLOT_COUNT]!
    if (slotCount === 0) {
      const count = cells[block + COUNT]!
      for (let i = 0; i < count; i++) if (cells[data + i * width] === key) return i
      return -1
    }
    const slots = cells[block + SLOTS]!
    for (let slot = hash & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
      const index = cells[slots + slot]! - 1
      if (index < 0 || cells[data + index * width] === key) return index
    }
  }

  private findAny(block: number, key: Value, hash: number): number {
    const { cells } = this.memory.arena
    const slotCount = cells[block + SLOT_COUNT]!
    if (slotCount === 0) return this.scan(block, key)
    const slots = cells[block + SLOTS]!
    let slot = hash & (slotCount - 1)
    for (;;) {
      const index = cells[slots + slot]! - 1
      if (index < 0) return -1
      if (this.key.equals(this.entry(block, index), key)) return index
      slot = (slot + 1) & (slotCount - 1)
    }
  }

  private scan(block: number, key: Value): number {
    const count = this.memory.arena.cells[block + COUNT]!
    for (let i = 0; i < count; i++) {
      if (this.key.equals(this.entry(block, i), key)) return i
    }
    return -1
  }

  private append(block: number): number {
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    if (count === arena.cells[block + CAPACITY]) this.grow(block, count)
    if (this.isNumberSet) arena.setChanges++
    arena.cells[block + COUNT] = count + 1
    return count
  }

  private grow(block: number, count: number): void {
    const { arena } = this.memory
    const capacity = count === 0 ? FIRST_CAPACITY : count * 2
    const data = arena.take(capacity * this.entryWidth)
    const before = arena.cells[block + DATA]!
    arena.cells.copyWithin(data, before, before + count * this.entryWidth)
    if (count > 0) arena.give(before, count * this.entryWidth)
    arena.cells[block + DATA] = data
    arena.cells[block + CAPACITY] = capacity
  }

  private insertSlot(block: number, hash: number, index: number): void {
    const { cells } = this.memory.arena
    const slotCount = cells[block + SLOT_COUNT]!
    if (index >= SMALL && (index + 1) * 2 > slotCount) this.fillSlots(block)
    else if (slotCount > 0) this.putSlot(block, hash, index)
  }

  private fillSlots(block: number): void {
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    const before = arena.cells[block + SLOT_COUNT]!
    if (before > 0) arena.give(arena.cells[block + SLOTS]!, before)
    let slotCount = SMALL * 4
    while (slotCount < count * 4) slotCount *= 2
    const slots = arena.take(slotCount)
    arena.cells[block + SLOT_COUNT] = slotCount
    arena.cells[block + SLOTS] = slots
    for (let i = 0; i < count; i++) this.putSlot(block, this.hashOf(this.keyAt(block, i)), i)
  }

  private putSlot(block: number, hash: number, index: number): void {
    const { cells } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const slots = cells[block + SLOTS]!
    let slot = hash & mask
    while (cells[slots + slot] !== 0) slot = (slot + 1) & mask
    cells[slots + slot] = index + 1
  }
}
