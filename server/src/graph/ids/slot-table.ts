/**
 * The open-addressing table from the ids of one vertex type to their rows.
 *
 * A slot has 16 bytes, so that a look-up usually touches one cache line:
 *
 *     | tag u32 | row + 1 u32 (0: free) | low word | high word |
 *
 * The tag is a hash, the words are the id or its beginning. The home slot comes from the upper bits
 * of the tag, so copying into a table of twice the size reads both tables once, front to back.
 *
 * A full table is replaced in steps, so that no row that is added waits for the copy of all others:
 * each one copies the next slots into a table of twice the size, which takes the place of the full
 * one after the last of them. Until then look-ups use the full table alone. An entry is written into
 * both if its slot was already copied.
 */
import { type Meter, sharedArray } from '../memory/growable.ts'

export const SLOT_WORDS = 4
const SLOT_COUNT_MIN = 16
/**
 * Slots that one added row copies: a table that was half full is 5/8 full at the end. A batch that is
 * applied in one turn adds some thousand rows, and the table they copy into is memory that is new to the system.
 */
const SLOTS_PER_STEP = 8
/** A table this full is replaced at once: one that was stored while it was copied, time and again. */
const FULL_SHARE = 3 / 4

type Words = Uint32Array<SharedArrayBuffer>

/** What a slot holds beside its row. */
export interface SlotKey {
  readonly tag: number
  readonly low: number
  readonly high: number
}

/** How far a tag is shifted to give its home slot. */
export function homeShift(slotCount: number): number {
  return 32 - Math.log2(slotCount)
}

export class SlotTable {
  words: Words
  /** How far a tag is shifted to give its home slot. */
  shift = 0
  /** Slots less one. */
  mask = 0
  /** Rows from which on the table is replaced. */
  countMax = 0
  readonly #meter: Meter
  #next: Words | null = null
  /** Words of `words` that were copied into `#next`. */
  #copied = 0
  /** What `fetch` has read, so that reading it is not left out. */
  #fetched = 0

  constructor(meter: Meter, stored?: Words) {
    this.#meter = meter
    this.words = stored ?? sharedArray('uint32', SLOT_COUNT_MIN * SLOT_WORDS)
    meter.bytes += this.words.byteLength
    this.#measure()
  }

  get sizeBytes(): number {
    return this.words.byteLength + (this.#next?.byteLength ?? 0)
  }

  /** Bytes of the table that so many rows in all would need beside those that are there. */
  neededBytes(rowCount: number): number {
    if (rowCount < this.countMax) return 0
    if (this.#next !== null && rowCount < this.countMax * 2) return 0
    return 2 * (this.#next ?? this.words).byteLength
  }

  /**
   * Makes room for one more row.
   * @param count rows that the table has
   * @returns whether slots have moved: one that was found before is to be looked for again
   * @throws DbError MEMORY_LIMIT: nothing has changed
   */
  makeRoom(count: number): boolean {
    if (count < this.countMax) return false
    const next = this.#next ?? this.#begin()
    const isFull = count >= (this.mask + 1) * FULL_SHARE
    const wordCount = isFull ? this.words.length : SLOTS_PER_STEP * SLOT_WORDS
    const end = Math.min(this.#copied + wordCount, this.words.length)
    copySlots(this.words, next, { start: this.#copied, end })
    this.#copied = end
    if (end < this.words.length) return false
    this.#meter.bytes -= this.words.byteLength
    this.words = next
    this.#next = null
    this.#copied = 0
    this.#measure()
    return true
  }

  /** Reads the home slots of tags, so that they are in the cache. */
  fetch(tags: Uint32Array, count: number): void {
    const { words, shift } = this
    let read = 0
    for (let i = 0; i < count; i++) read ^= words[(tags[i]! >>> shift) * SLOT_WORDS + 1]!
    this.#fetched = read
    if (this.#next !== null) this.#fetchNext(this.#next, tags, count)
  }

  /** Of those that are written into both tables. */
  #fetchNext(next: Words, tags: Uint32Array, count: number): void {
    const { shift } = this
    const nextShift = shift - 1
    let read = this.#fetched
    for (let i = 0; i < count; i++) {
      const tag = tags[i]!
      if ((tag >>> shift) * SLOT_WORDS >= this.#copied) continue
      read ^= next[(tag >>> nextShift) * SLOT_WORDS + 1]!
    }
    this.#fetched = read
  }

  /**
   * Writes an entry into a slot that is free or belongs to a dead row of the same id. The row comes
   * last: readers on other threads find whole entries.
   * @param slot first word of the slot
   * @param isRead somebody reads an older version. Otherwise nobody reads now, and who begins sees all of
   *   it: an atomic store would wait for those before it
   */
  set(slot: number, row: number, key: SlotKey, isRead: boolean): void {
    write(this.words, slot, key)
    if (isRead) Atomics.store(this.words, slot + 1, row + 1)
    else this.words[slot + 1] = row + 1
    // There a dead row of the id keeps its slot: look-ups pass over it.
    if (slot >= this.#copied) return
    const next = this.#next!
    const nextSlot = freeSlot(next, key.tag)
    write(next, nextSlot, key)
    next[nextSlot + 1] = row + 1
  }

  release(): void {
    this.#meter.bytes -= this.sizeBytes
    this.#next = null
    this.#copied = 0
  }

  #begin(): Words {
    this.#next = sharedArray('uint32', this.words.length * 2)
    this.#meter.bytes += this.#next.byteLength
    return this.#next
  }

  #measure(): void {
    const slotCount = this.words.length / SLOT_WORDS
    this.shift = homeShift(slotCount)
    this.mask = slotCount - 1
    this.countMax = slotCount / 2
  }
}

/** All but the row. */
function write(words: Words, slot: number, { tag, low, high }: SlotKey): void {
  words[slot] = tag
  words[slot + 2] = low
  words[slot + 3] = high
}

/** The first free slot from a tag's home slot on. */
function freeSlot(words: Words, tag: number): number {
  const slotCount = words.length / SLOT_WORDS
  let index = tag >>> homeShift(slotCount)
  while (words[index * SLOT_WORDS + 1] !== 0) index = (index + 1) & (slotCount - 1)
  return index * SLOT_WORDS
}

/** Copies the entries between two words into a table of twice the size. */
function copySlots(
  from: Words,
  to: Words,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const slotCount = to.length / SLOT_WORDS
  const shift = homeShift(slotCount)
  const mask = slotCount - 1
  for (let slot = start; slot < end; slot += SLOT_WORDS) {
    if (from[slot + 1] === 0) continue
    let index = from[slot]! >>> shift
    while (to[index * SLOT_WORDS + 1] !== 0) index = (index + 1) & mask
    const target = index * SLOT_WORDS
    to[target] = from[slot]!
    to[target + 1] = from[slot + 1]!
    to[target + 2] = from[slot + 2]!
    to[target + 3] = from[slot + 3]!
  }
}
