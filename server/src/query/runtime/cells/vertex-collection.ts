/**
 * Sets of vertices: numbers side by side as they came, two to a cell of the arena, and beside many
 * of them open-addressing slots of one word each. They take a quarter of the memory of a table of
 * doubles, and two that are compared are read from front to back.
 *
 * A set that is filled by itself, as that of the source of a hop is, has its members marked by
 * number meanwhile, so that nothing is looked for. Slots are made when a set is looked into, or is
 * so large that somebody will.
 */
import { CAPACITY, COUNT, DATA, SLOT_COUNT, SLOTS } from './block.ts'
import { mix } from './codec.ts'
import { SetShape } from './table-shapes.ts'
import type { Value } from './value.ts'

/** So many are looked for from front to back, more by slots. */
const SEARCHED_MAX = 16
/** More have slots before anybody asks: threads that count in a set make none. */
const UNASKED_MAX = 256
const FIRST_CAPACITY = 4
const MARKS_MIN = 1024
const FIRST_SLOT_COUNT = 64
/** Numbers, and slots, that a cell holds. */
export const WORDS_PER_CELL = 2

export class VertexCollectionShape extends SetShape {
  /** Its entries are no doubles. */
  override get isNumberSet(): boolean {
    return false
  }

  override keyAt(block: number, index: number): Value {
    return this.memory.arena.words[this.firstWord(block) + index]!
  }

  override hasKey(block: number, key: Value): boolean {
    return this.indexOf(block, key as number) >= 0
  }

  /** The set whose members are marked; 0: none. */
  private marked = 0
  /** By number plus one (-1 is the unknown vertex): 1 for those members, 0 for all others. */
  private marks = new Uint8Array(0)

  override add(block: number, value: Value): void {
    const vertex = value as number
    if (block === this.marked) {
      if (this.marks[vertex + 1] === 1) return
    } else if (this.size(block) === 0) this.beginMarks(block)
    else if (this.indexOf(block, vertex) >= 0) return
    if (block === this.marked) this.mark(vertex)
    this.put(block, vertex)
  }

  /** Numbers without repeats, from a place in an array on. */
  addAll(block: number, ...[numbers, first, count]: readonly [Int32Array, number, number]): void {
    if (this.size(block) > 0) {
      for (let i = 0; i < count; i++) this.add(block, numbers[first + i]!)
      return
    }
    let capacity = FIRST_CAPACITY
    while (capacity < count) capacity *= 2
    if (capacity > this.memory.arena.cells[block + CAPACITY]!) this.makeRoom(block, capacity)
    const { arena } = this.memory
    arena.setChanges++
    const start = this.firstWord(block)
    const { words } = arena
    for (let i = 0; i < count; i++) words[start + i] = numbers[first + i]!
    arena.cells[block + COUNT] = count
    if (count > UNASKED_MAX) this.makeSlots(block)
  }

  private beginMarks(block: number): void {
    this.endMarks()
    this.marked = block
  }

  /** Before members go, and when another set is to be marked. */
  private endMarks(): void {
    const { marked, marks } = this
    if (marked === 0) return
    const { words } = this.memory.arena
    const first = this.firstWord(marked)
    const end = first + this.size(marked)
    for (let at = first; at < end; at++) marks[words[at]! + 1] = 0
    this.marked = 0
  }

  private mark(vertex: number): void {
    if (vertex + 1 >= this.marks.length) {
      const before = this.marks
      const length = Math.max(MARKS_MIN, (vertex + 2) * 2)
      this.memory.arena.memory.take(length - before.length)
      this.marks = new Uint8Array(length)
      this.marks.set(before)
    }
    this.marks[vertex + 1] = 1
  }

  private put(block: number, vertex: number): void {
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    if (count === arena.cells[block + CAPACITY]) {
      this.makeRoom(block, Math.max(FIRST_CAPACITY, count * 2))
    }
    arena.setChanges++
    arena.cells[block + COUNT] = count + 1
    arena.words[this.firstWord(block) + count] = vertex
    const slotCount = arena.cells[block + SLOT_COUNT]!
    if (slotCount === 0 && count < UNASKED_MAX) return
    if ((count + 1) * 2 > slotCount) this.makeSlots(block)
    else this.takeSlot(block, vertex, count)
  }

  /** The last number moves into the gap. */
  override removeKey(block: number, key: Value): boolean {
    const index = this.indexOf(block, key as number)
    if (index < 0) return false
    if (block === this.marked) this.endMarks()
    const { arena } = this.memory
    const { cells, words } = arena
    arena.setChanges++
    const last = cells[block + COUNT]! - 1
    const start = this.firstWord(block)
    const moved = words[start + last]!
    if (cells[block + SLOT_COUNT]! > 0) {
      this.emptySlot(block, this.findSlot(block, key as number, index))
      if (index < last) words[this.firstSlot(block) + this.findSlot(block, moved, last)] = index + 1
    }
    words[start + index] = moved
    cells[block + COUNT] = last
    return true
  }

  override clear(block: number): void {
    if (block === this.marked) this.endMarks()
    const { arena } = this.memory
    const { cells } = arena
    arena.setChanges++
    const capacity = cells[block + CAPACITY]!
    if (capacity > 0) arena.give(cells[block + DATA]!, capacity / WORDS_PER_CELL)
    this.releaseSlots(block)
    cells.fill(0, block + COUNT, block + SLOTS + 1)
  }

  override copy(block: number): number {
    const copy = this.make()
    const { arena } = this.memory
    const count = arena.cells[block + COUNT]!
    if (count === 0) return copy
    this.makeRoom(copy, arena.cells[block + CAPACITY]!)
    arena.setChanges++
    const from = this.firstWord(block)
    arena.words.copyWithin(this.firstWord(copy), from, from + count)
    arena.cells[copy + COUNT] = count
    if (count > UNASKED_MAX) this.makeSlots(copy)
    return copy
  }

  private firstWord(block: number): number {
    return this.memory.arena.cells[block + DATA]! * WORDS_PER_CELL
  }

  private firstSlot(block: number): number {
    return this.memory.arena.cells[block + SLOTS]! * WORDS_PER_CELL
  }

  private indexOf(block: number, vertex: number): number {
    const count = this.size(block)
    if (count > SEARCHED_MAX && this.memory.arena.cells[block + SLOT_COUNT] === 0) {
      this.makeSlots(block)
    }
    const { cells, words } = this.memory.arena
    const start = this.firstWord(block)
    const slotCount = cells[block + SLOT_COUNT]!
    if (slotCount === 0) {
      const end = start + count
      for (let at = start; at < end; at++) if (words[at] === vertex) return at - start
      return -1
    }
    const slots = cells[block + SLOTS]! * WORDS_PER_CELL
    for (let slot = mix(vertex) & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
      const index = words[slots + slot]! - 1
      if (index < 0 || words[start + index] === vertex) return index
    }
  }

  private makeRoom(block: number, capacity: number): void {
    const { arena } = this.memory
    const data = arena.take(capacity / WORDS_PER_CELL)
    const { cells, words } = arena
    const before = cells[block + DATA]!
    const count = cells[block + COUNT]!
    const from = before * WORDS_PER_CELL
    words.copyWithin(data * WORDS_PER_CELL, from, from + count)
    if (count > 0) arena.give(before, cells[block + CAPACITY]! / WORDS_PER_CELL)
    cells[block + DATA] = data
    cells[block + CAPACITY] = capacity
  }

  private makeSlots(block: number): void {
    const { arena } = this.memory
    this.releaseSlots(block)
    const count = arena.cells[block + COUNT]!
    let slotCount = FIRST_SLOT_COUNT
    while (slotCount < count * 3) slotCount *= 2
    const slots = arena.take(slotCount / WORDS_PER_CELL)
    arena.cells[block + SLOT_COUNT] = slotCount
    arena.cells[block + SLOTS] = slots
    const start = this.firstWord(block)
    for (let i = 0; i < count; i++) this.takeSlot(block, arena.words[start + i]!, i)
  }

  private releaseSlots(block: number): void {
    const { arena } = this.memory
    const slotCount = arena.cells[block + SLOT_COUNT]!
    if (slotCount > 0) arena.give(arena.cells[block + SLOTS]!, slotCount / WORDS_PER_CELL)
    arena.cells[block + SLOT_COUNT] = 0
  }

  private takeSlot(block: number, vertex: number, index: number): void {
    const { cells, words } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const slots = this.firstSlot(block)
    let slot = mix(vertex) & mask
    while (words[slots + slot] !== 0) slot = (slot + 1) & mask
    words[slots + slot] = index + 1
  }

  /** The slot that holds the place of a number. */
  private findSlot(block: number, vertex: number, index: number): number {
    const { cells, words } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const slots = this.firstSlot(block)
    let slot = mix(vertex) & mask
    while (words[slots + slot] !== index + 1) slot = (slot + 1) & mask
    return slot
  }

  /** Empties a slot and moves back those after it that would not be found across the gap. */
  private emptySlot(block: number, emptied: number): void {
    const { cells, words } = this.memory.arena
    const mask = cells[block + SLOT_COUNT]! - 1
    const [slots, start] = [this.firstSlot(block), this.firstWord(block)]
    let gap = emptied
    for (let slot = (gap + 1) & mask; words[slots + slot] !== 0; slot = (slot + 1) & mask) {
      const index = words[slots + slot]! - 1
      const home = mix(words[start + index]!) & mask
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue
      words[slots + gap] = index + 1
      gap = slot
    }
    words[slots + gap] = 0
  }
}
