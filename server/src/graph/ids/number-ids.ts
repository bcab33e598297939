/**
 * The ids of one vertex type with INT, UINT or DATETIME ids: 64-bit values to row and back.
 *
 * The words of a slot (slot-table.ts) are the low and the high word of the value, the tag is their hash.
 */
import type { IdTypeName } from '#catalog/types.ts'
import type { IdsView } from '#graph/view.ts'
import { Growable, type Meter } from '../memory/growable.ts'
import { hashPair, wordAt } from './hash.ts'
import { SLOT_WORDS, SlotTable } from './slot-table.ts'
import { allDead, type DeadRows, type IdSink, noneDead, type StoredIds } from './string-ids.ts'

const scratchBytes = new Uint8Array(8)
const scratch = new DataView(scratchBytes.buffer)

export class NumberIds {
  readonly kind = 'number'
  readonly type: IdTypeName
  count = 0
  readonly slots: SlotTable
  readonly #values: Growable<'int64'>

  constructor(type: IdTypeName, meter: Meter, stored?: StoredIds) {
    this.type = type
    this.slots = new SlotTable(meter, stored?.slots)
    this.#values = new Growable('int64', meter, stored?.values ?? undefined)
    this.count = stored?.count ?? 0
  }

  get sizeBytes(): number {
    return this.slots.sizeBytes + this.#values.sizeBytes
  }

  readonly textBytes = 0

  /** As in string-ids.ts. */
  tagOf(bytes: Uint8Array, start: number, end: number): number {
    return hashPair(wordAt(bytes, start, end), wordAt(bytes, start + 4, end))
  }

  /** As in string-ids.ts, of the id whose 8 little-endian bytes begin at `start`. */
  find(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const slot = this.#probe(wordAt(bytes, start, end), wordAt(bytes, start + 4, end), dead)
    return this.slots.words[slot + 1]! - 1
  }

  /** As in string-ids.ts. */
  findOrAdd(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const low = wordAt(bytes, start, end)
    const high = wordAt(bytes, start + 4, end)
    let slot = this.#probe(low, high, dead)
    const found = this.slots.words[slot + 1]!
    if (found !== 0) return found - 1
    const haveMoved = this.slots.makeRoom(this.count)
    if (haveMoved || dead.count > 0) slot = this.#probe(low, high, noneDead)
    return this.#add(slot, low, high, false)
  }

  /** As in string-ids.ts. */
  add(bytes: Uint8Array, start: number, _end: number): number {
    this.slots.makeRoom(this.count)
    const low = wordAt(bytes, start, start + 8)
    const high = wordAt(bytes, start + 4, start + 8)
    return this.#add(this.#probe(low, high, allDead), low, high, true)
  }

  /** Adds the id of a row to other ids. @returns its row there */
  copyId(row: number, to: IdSink): number {
    scratch.setBigInt64(0, this.#values.array[row]!, true)
    return to.add(scratchBytes, 0, scratchBytes.length)
  }

  view(): IdsView {
    return {
      type: this.type,
      slots: this.slots.words,
      slotCount: this.slots.mask + 1,
      offsets: null,
      bytes: null,
      values: this.#values.array,
    }
  }

  release(): void {
    this.slots.release()
    this.#values.release()
  }

  #probe(low: number, high: number, dead: DeadRows): number {
    const { words, shift, mask } = this.slots
    const hasDead = dead.count > 0
    let index = hashPair(low, high) >>> shift
    for (;;) {
      const slot = index * SLOT_WORDS
      const row = words[slot + 1]!
      if (row === 0) return slot
      const isSame = words[slot + 2] === low && words[slot + 3] === high
      if (isSame && !(hasDead && dead.has(row - 1))) return slot
      index = (index + 1) & mask
    }
  }

  #add(slot: number, low: number, high: number, isRead: boolean): number {
    const row = this.count
    this.#values.ensure(row + 1)
    this.#values.array[row] = (BigInt(high) << 32n) | BigInt(low)
    this.slots.set(slot, row, { tag: hashPair(low, high), low, high }, isRead)
    this.count = row + 1
    return row
  }
}
