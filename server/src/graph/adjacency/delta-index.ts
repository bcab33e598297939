/**
 * Finds a delta edge by source, target and discriminator.
 *
 * The hash is split into 256 open-addressing tables that grow one at a time, so that no insert
 * stalls for a rehash of everything. All of them hold about the same number of edges. Each table has a
 * different load factor at which it grows; with equal ones all tables would grow within a few thousand
 * edges. A slot is | hash i32 | delta index + 1 i32 |; the hash is stored, so growing never looks at the edges. The caller compares the edge itself. Hashes are signed, since
 * larger numbers would be boxed on their way through calls.
 *
 * Almost each edge goes to memory that is not in the cache. So the last ones wait until somebody searches, or
 * until they are many: one behind the other they wait for memory together, where each of them would alone.
 */
import { allocateWords } from '../memory/allocate.ts'
import type { Meter } from '../memory/growable.ts'

const TABLE_BITS = 8
const TABLE_COUNT = 1 << TABLE_BITS
const SLOT_COUNT_MIN = 8
/** Of the table that is the last to grow; the first one grows at half of it. */
const LOAD_MAX = 5 / 8
const WAITING_COUNT_MAX = 512
const nothing = new Int32Array(0)

export class DeltaIndex {
  readonly #tables: (Int32Array | null)[] = new Array(TABLE_COUNT).fill(null)
  readonly #counts = new Uint32Array(TABLE_COUNT)
  /** How many edges each table takes before it grows. */
  readonly #countsMax = new Uint32Array(TABLE_COUNT)
  readonly #meter: Meter
  /** Hashes of the last edges, which are in no table yet. */
  #waiting = nothing
  #waitingCount = 0
  /** Behind the last edge. */
  #end = 0
  /** What `#fetch` has read, so that reading it is not left out. */
  #fetched = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  get sizeBytes(): number {
    return this.#tables.reduce((sum, table) => sum + (table?.byteLength ?? 0), 0)
  }

  /** The table a hash belongs to; null while it is empty. */
  tableOf(hash: number): Int32Array | null {
    if (this.#waitingCount > 0) this.#placeWaiting()
    return this.#tables[hash & (TABLE_COUNT - 1)]!
  }

  /** @param index one more than that of the edge before */
  add(hash: number, index: number): void {
    if (this.#waitingCount === WAITING_COUNT_MAX) this.#placeWaiting()
    if (this.#waiting === nothing) this.#waiting = new Int32Array(WAITING_COUNT_MAX)
    this.#waiting[this.#waitingCount++] = hash
    this.#end = index + 1
  }

  /** What memory is lacking for goes on waiting. */
  #placeWaiting(): void {
    const waiting = this.#waiting
    const count = this.#waitingCount
    const first = this.#end - count
    let placed = 0
    this.#fetch(waiting, count)
    try {
      for (; placed < count; placed++) this.#place(waiting[placed]!, first + placed)
    } finally {
      waiting.copyWithin(0, placed, count)
      this.#waitingCount = count - placed
    }
  }

  /** Reads the home slots, so that the processor waits for many of them together: `place` would go on from each alone. */
  #fetch(hashes: Int32Array, count: number): void {
    let read = this.#fetched
    for (let i = 0; i < count; i++) {
      const table = this.#tables[hashes[i]! & (TABLE_COUNT - 1)]
      if (table != null) read ^= table[homeSlot(table, hashes[i]!) + 1]!
    }
    this.#fetched = read
  }

  #place(hash: number, index: number): void {
    const number = hash & (TABLE_COUNT - 1)
    const count = this.#counts[number]! + 1
    if (count > this.#countsMax[number]!) this.#grow(number)
    this.#counts[number] = count
    place(this.#tables[number]!, hash, index + 1)
  }

  release(): void {
    for (const table of this.#tables) this.#meter.bytes -= table?.byteLength ?? 0
    this.#tables.fill(null)
    this.#counts.fill(0)
    this.#countsMax.fill(0)
    this.#waiting = nothing
    this.#waitingCount = 0
  }

  #grow(number: number): void {
    const old = this.#tables[number]!
    const next = new Int32Array(
      allocateWords(old === null ? SLOT_COUNT_MIN * 2 : old.length * 2).buffer,
    )
    if (old !== null) {
      for (let slot = 0; slot < old.length; slot += 2) {
        if (old[slot + 1] !== 0) place(next, old[slot]!, old[slot + 1]!)
      }
    }
    this.#meter.bytes += next.byteLength - (old?.byteLength ?? 0)
    this.#tables[number] = next
    this.#countsMax[number] = countMax(number, next.length / 2)
  }
}

/**
 * From one load to twice that load, in equal steps: however many edges there are, the next so many make
 * about the same share of the tables grow.
 */
function countMax(number: number, slotCount: number): number {
  return Math.floor((slotCount * LOAD_MAX * (1 + number / TABLE_COUNT)) / 2)
}

/** First word of the home slot of a hash. */
export function homeSlot(table: Int32Array, hash: number): number {
  return ((hash >>> TABLE_BITS) & (table.length / 2 - 1)) * 2
}

function place(table: Int32Array, hash: number, value: number): void {
  let slot = homeSlot(table, hash)
  while (table[slot + 1] !== 0) slot = (slot + 2) & (table.length - 1)
  table[slot] = hash
  table[slot + 1] = value
}
