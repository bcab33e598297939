/**
 * The ids of one vertex type with STRING ids: UTF-8 bytes to row and back.
 *
 * The words of a slot (slot-table.ts) are bytes 0 to 3 and 4 to 7 of the id. The tag is 28 bits of
 * hash above four bits of min(length, 9): the slot alone identifies ids of up to 8 bytes, longer ones
 * are compared with `bytes`.
 * Rows are never removed: a deleted vertex keeps its row and its slot until a rebuild makes the table
 * anew. An id that was deleted and comes back has a new row, so several slots may hold one id; at most
 * one of their rows is alive in any version.
 */
import type { IdsView } from '#graph/view.ts'
import { Growable, type Meter } from '../memory/growable.ts'
import { Heap } from '../memory/heap.ts'
import { hashBytes, wordAt } from './hash.ts'
import { SLOT_WORDS, SlotTable } from './slot-table.ts'

/** What a segment holds of the ids. */
export interface StoredIds {
  readonly count: number
  readonly slots: Uint32Array<SharedArrayBuffer>
  readonly offsets: Uint32Array<SharedArrayBuffer> | null
  readonly bytes: Uint8Array<SharedArrayBuffer> | null
  readonly values: BigInt64Array<SharedArrayBuffer> | null
}

export function tagOf(bytes: Uint8Array, start: number, length: number): number {
  return ((hashBytes(bytes, start, length) & ~15) | Math.min(length, 9)) >>> 0
}

/** Ids that others are copied into. */
export interface IdSink {
  add(bytes: Uint8Array, start: number, end: number): number
}

/** Rows that a look-up passes over: the tombstones of the table. */
export interface DeadRows {
  readonly count: number
  has(row: number): boolean
}

export const noneDead: DeadRows = { count: 0, has: () => false }
export const allDead: DeadRows = { count: Number.POSITIVE_INFINITY, has: () => true }

export class StringIds {
  readonly kind = 'string'
  count = 0
  readonly slots: SlotTable
  offsets: Uint32Array<SharedArrayBuffer>
  readonly #offsets: Growable<'uint32'>
  readonly #heap: Heap

  constructor(meter: Meter, stored?: StoredIds) {
    this.slots = new SlotTable(meter, stored?.slots)
    this.#offsets = new Growable('uint32', meter, stored?.offsets ?? undefined)
    this.#offsets.ensure(1)
    this.offsets = this.#offsets.array
    this.#heap = new Heap(meter, stored?.bytes ?? undefined)
    if (!stored?.bytes) this.#heap.length = 0
    this.count = stored?.count ?? 0
  }

  get sizeBytes(): number {
    return this.slots.sizeBytes + this.#offsets.sizeBytes + this.#heap.sizeBytes
  }

  /** Bytes of all ids together. */
  get textBytes(): number {
    return this.#heap.length
  }

  /** By which the slot of an id is found. */
  tagOf(bytes: Uint8Array, start: number, end: number): number {
    return tagOf(bytes, start, end - start)
  }

  /** The row of an id, or -1; rows in `dead` are passed over. */
  find(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const slot = this.#probe(bytes, { start, end }, dead)
    return this.slots.words[slot + 1]! - 1
  }

  /**
   * The row of an id, which is `count` of before the call when it is new. Nobody may be reading an
   * older version: the slot of a dead row of the same id is given to the new one.
   */
  findOrAdd(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const range = { start, end }
    let slot = this.#probe(bytes, range, dead)
    const found = this.slots.words[slot + 1]!
    if (found !== 0) return found - 1
    const haveMoved = this.slots.makeRoom(this.count)
    if (haveMoved || dead.count > 0) slot = this.#probe(bytes, range, noneDead)
    return this.#add(slot, bytes, range, false)
  }

  /** A new row for an id that has no living one; dead ones stay to be found by older versions. */
  add(bytes: Uint8Array, start: number, end: number): number {
    this.slots.makeRoom(this.count)
    return this.#add(this.#probe(bytes, { start, end }, allDead), bytes, { start, end }, true)
  }

  /** Adds the id of a row to other ids. @returns its row there */
  copyId(row: number, to: IdSink): number {
    return to.add(this.#heap.bytes, this.offsets[row]!, this.offsets[row + 1]!)
  }

  view(): IdsView {
    return {
      type: 'STRING',
      slots: this.slots.words,
      slotCount: this.slots.mask + 1,
      offsets: this.offsets,
      bytes: this.#heap.bytes,
      values: null,
    }
  }

  release(): void {
    this.slots.release()
    this.#offsets.release()
    this.#heap.release()
  }

  /** First word of the slot that holds a row of the id not dead, or of the free one behind it. */
  #probe(bytes: Uint8Array, range: Range, dead: DeadRows): number {
    const { start, end } = range
    const length = end - start
    const tag = tagOf(bytes, start, length)
    const first = wordAt(bytes, start, end)
    const second = length > 4 ? wordAt(bytes, start + 4, end) : 0
    const { words, shift, mask } = this.slots
    const hasDead = dead.count > 0
    let index = tag >>> shift
    for (;;) {
      const slot = index * SLOT_WORDS
      const row = words[slot + 1]!
      if (row === 0) return slot
      if (words[slot] === tag && words[slot + 2] === first && words[slot + 3] === second) {
        const isSame = length <= 8 || this.#isSame(row - 1, bytes, range)
        if (isSame && !(hasDead && dead.has(row - 1))) return slot
      }
      index = (index + 1) & mask
    }
  }

  #isSame(row: number, bytes: Uint8Array, range: Range): boolean {
    return sameRange(this.#heap.bytes, this.offsets, row, { bytes, ...range })
  }

  #add(slot: number, bytes: Uint8Array, range: Range, isRead: boolean): number {
    const { start, end } = range
    const row = this.count
    this.#heap.appendRaw(bytes, start, end - start)
    this.#offsets.ensure(row + 2)
    this.offsets = this.#offsets.array
    this.offsets[row + 1] = this.#heap.length
    const key = {
      tag: tagOf(bytes, start, end - start),
      low: wordAt(bytes, start, end),
      high: end - start > 4 ? wordAt(bytes, start + 4, end) : 0,
    }
    this.slots.set(slot, row, key, isRead)
    this.count = row + 1
    return row
  }
}

interface Range {
  readonly start: number
  readonly end: number
}

interface Key extends Range {
  readonly bytes: Uint8Array
}

/** True when the id of `row` is exactly the key; the first 8 bytes are known to agree. */
export function sameRange(heap: Uint8Array, offsets: Uint32Array, row: number, key: Key): boolean {
  const heapStart = offsets[row]!
  const length = offsets[row + 1]! - heapStart
  if (length !== key.end - key.start) return false
  for (let i = 8; i < length; i++) {
    if (heap[heapStart + i] !== key.bytes[key.start + i]) return false
  }
  return true
}
