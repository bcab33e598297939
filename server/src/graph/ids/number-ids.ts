/**
 * The ids of one vertex type with INT, UINT or DATETIME ids: 64-bit values to row and back.
 *
 * Slots as in string-ids.ts, with the value's low and high words in place of the bytes:
 *
 *     | hash u32 | row + 1 u32 (0: free) | low word | high word |
 */
import type { IdTypeName } from '#catalog/types.ts'
import type { IdsView } from '#graph/view.ts'
import { Growable, type Meter, sharedArray } from '../memory/growable.ts'
import { hashPair, wordAt } from './hash.ts'
import {
  allDead,
  type DeadRows,
  doubleSlots,
  homeShift,
  type IdSink,
  noneDead,
  SLOT_WORDS,
  type StoredIds,
} from './string-ids.ts'

const SLOT_COUNT_MIN = 16

const scratchBytes = new Uint8Array(8)
const scratch = new DataView(scratchBytes.buffer)

export class NumberIds {
  readonly kind = 'number'
  readonly type: IdTypeName
  count = 0
  slots: Uint32Array<SharedArrayBuffer>
  readonly #meter: Meter
  readonly #values: Growable<'int64'>
  #shift: number
  #mask: number
  #countMax: number

  constructor(type: IdTypeName, meter: Meter, stored?: StoredIds) {
    this.type = type
    this.#meter = meter
    this.slots = stored?.slots ?? sharedArray('uint32', SLOT_COUNT_MIN * SLOT_WORDS)
    meter.bytes += this.slots.byteLength
    this.#values = new Growable('int64', meter, stored?.values ?? undefined)
    this.count = stored?.count ?? 0
    const slotCount = this.slots.length / SLOT_WORDS
    this.#shift = homeShift(slotCount)
    this.#mask = slotCount - 1
    this.#countMax = slotCount / 2
  }

  get sizeBytes(): number {
    return this.slots.byteLength + this.#values.sizeBytes
  }

  readonly textBytes = 0

  /** As in string-ids.ts, of the id whose 8 little-endian bytes begin at `start`. */
  find(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const slot = this.#probe(wordAt(bytes, start, end), wordAt(bytes, start + 4, end), dead)
    return this.slots[slot + 1]! - 1
  }

  /** As in string-ids.ts. */
  findOrAdd(bytes: Uint8Array, start: number, end: number, dead: DeadRows = noneDead): number {
    const low = wordAt(bytes, start, end)
    const high = wordAt(bytes, start + 4, end)
    let slot = this.#probe(low, high, dead)
    const found = this.slots[slot + 1]!
    if (found !== 0) return found - 1
    const isFull = this.count >= this.#countMax
    if (isFull) this.#double()
    if (isFull || dead.count > 0) slot = this.#probe(low, high, noneDead)
    return this.#add(slot, low, high)
  }

  /** As in string-ids.ts. */
  add(bytes: Uint8Array, start: number, _end: number): number {
    if (this.count >= this.#countMax) this.#double()
    const low = wordAt(bytes, start, start + 8)
    const high = wordAt(bytes, start + 4, start + 8)
    return this.#add(this.#probe(low, high, allDead), low, high)
  }

  /** Adds the id of a row to other ids. @returns its row there */
  copyId(row: number, to: IdSink): number {
    scratch.setBigInt64(0, this.#values.array[row]!, true)
    return to.add(scratchBytes, 0, scratchBytes.length)
  }

  view(): IdsView {
    return {
      type: this.type,
      slots: this.slots,
      slotCount: this.#mask + 1,
      offsets: null,
      bytes: null,
      values: this.#values.array,
    }
  }

  release(): void {
    this.#meter.bytes -= this.slots.byteLength
    this.#values.release()
  }

  #probe(low: number, high: number, dead: DeadRows): number {
    const slots = this.slots
    const hasDead = dead.count > 0
    let index = hashPair(low, high) >>> this.#shift
    for (;;) {
      const slot = index * SLOT_WORDS
      const row = slots[slot + 1]!
      if (row === 0) return slot
      const isSame = slots[slot + 2] === low && slots[slot + 3] === high
      if (isSame && !(hasDead && dead.has(row - 1))) return slot
      index = (index + 1) & this.#mask
    }
  }

  #add(slot: number, low: number, high: number): number {
    const row = this.count
    this.#values.ensure(row + 1)
    this.#values.array[row] = (BigInt(high) << 32n) | BigInt(low)
    const slots = this.slots
    slots[slot] = hashPair(low, high)
    slots[slot + 2] = low
    slots[slot + 3] = high
    Atomics.store(slots, slot + 1, row + 1)
    this.count = row + 1
    return row
  }

  /** Rows at which the table of slots doubles. */
  get countMax(): number {
    return this.#countMax
  }

  #double(): void {
    this.slots = doubleSlots(this.slots)
    this.#meter.bytes += this.slots.byteLength / 2
    const slotCount = this.slots.length / SLOT_WORDS
    this.#shift = homeShift(slotCount)
    this.#mask = slotCount - 1
    this.#countMax = slotCount / 2
  }
}
