/**
 * A secondary index on one attribute: which rows hold a value, or a value in a range.
 *
 * Entries are pairs | row u32 | key u32 | sorted by key, then row, as one array of 64-bit numbers
 * that the platform sorts without a comparator. A key is 32 bits of the value: a hash of a string's
 * bytes, or the upper half of a double in an order-preserving form. Keys only propose; every row is
 * held against the column before it is answered, so an index can be coarse but never wrong.
 *
 * A write just marks its row as dirty. Dirty rows are left out of the sorted part and looked at one
 * by one, until there are enough of them to merge. The first look-up of a small table builds the
 * index; that of a large one is answered by a scan, while the index is built in pieces. An index of a
 * large table is merged in pieces, too; rows written meanwhile are dirty anew.
 */
import type { AttributeValue } from '#catalog/types.ts'
import type { Column } from '../columns/column.ts'
import { valueKind } from '../columns/kinds.ts'
import { hashBytes } from '../ids/hash.ts'
import type { Bits } from '../memory/bits.ts'
import { compareBytes } from '../memory/compare.ts'
import type { Meter } from '../memory/growable.ts'
import { makePairs, runThrough, sortPairs, sortPieceCount } from '../memory/pairs.ts'
import { DirtyRows } from './dirty-rows.ts'

/** Rows that the first look-up takes in at once. */
const BUILT_AT_ONCE_MAX = 20_000
const ROWS_PER_PIECE = 4_096
/** Of more rows a scan, which others interrupt, takes as long: a look-up is done in one go. */
const FOUND_COUNT_MAX = 65_536
const DIRTY_COUNT_KEPT = 4_096
const DIRTY_SHARE = 32
/** Dirty rows that one look-up of a large table looks at; where there are more, a scan serves. */
const DIRTY_LOOKED_AT_MAX = 65_536
/** Entries that one piece of a merge passes. */
const MERGED_PER_PIECE = 16_384

/** The rows an index covers. */
export interface IndexedRows {
  readonly rowCount: number
  readonly deleted: Bits
}

/** Inclusive bounds; an absent one is open. */
export interface ValueRange {
  readonly low?: number | bigint
  readonly high?: number | bigint
}

/** Keys that are looked at, both inclusive. */
interface KeySpan {
  readonly lowKey: number
  readonly highKey: number
}

/** Where rows with one of some values may stand, and which of them have it. */
interface ValueTest {
  readonly keys: Iterable<number>
  readonly accepts: (row: number) => boolean
}

/** What an index held at one moment. */
export interface IndexContents {
  /** | row | key |, ascending by key, dirty rows among them. */
  readonly pairs: Uint32Array
  readonly dirty: readonly number[]
}

/** Sorted pairs, of which there may be fewer than there is room for. */
interface Entries {
  readonly words: Uint32Array<ArrayBuffer>
  readonly count: number
}

const encoder = new TextEncoder()
const doubles = new Float64Array(1)
const words = new Uint32Array(doubles.buffer)

export class ColumnIndex {
  readonly name: string
  readonly column: Column
  readonly #rows: IndexedRows
  readonly #meter: Meter
  /** Null until the first look-up. */
  #entries: Entries | null = null
  #isBuilding = false
  #builtShare = 0
  #isReleased = false
  #dirty = new DirtyRows()
  /** What a merge takes in that is under way; null: none is. */
  #taken: DirtyRows | null = null

  constructor(name: string, column: Column, rows: IndexedRows, meter: Meter) {
    this.name = name
    this.column = column
    this.#rows = rows
    this.#meter = meter
  }

  /** The index or its table is gone. */
  release(): void {
    this.#isReleased = true
    this.#setEntries(null)
  }

  #setEntries(entries: Entries | null): void {
    const next = this.#isReleased ? null : entries
    this.#meter.bytes += (next?.words.byteLength ?? 0) - (this.#entries?.words.byteLength ?? 0)
    this.#entries = next
  }

  get attributeId(): number {
    return this.column.attribute.id
  }

  get sizeBytes(): number {
    const dirty = this.#dirty.sizeBytes + (this.#taken?.sizeBytes ?? 0)
    return (this.#entries?.words.byteLength ?? 0) + dirty
  }

  /** The row came to be, went, or holds another value. */
  touch(row: number): void {
    if (this.#entries === null && !this.#isBuilding) return
    this.#dirty.add(row)
  }

  /** What takes no time is done within a look-up. */
  get #isSmall(): boolean {
    return this.#rows.rowCount <= BUILT_AT_ONCE_MAX
  }

  get #dirtyCount(): number {
    return this.#dirty.rows.length + (this.#taken?.rows.length ?? 0)
  }

  /** Whether a look-up can be answered, now or after building what takes no time. */
  get isReady(): boolean {
    if (this.#entries === null) return !this.#isBuilding && this.#isSmall
    return this.#isSmall || this.#dirtyCount <= DIRTY_LOOKED_AT_MAX
  }

  /** Whether `work` is to be done behind the work of others. */
  get needsWork(): boolean {
    if (this.#isBuilding || this.#taken !== null || this.#isSmall) return false
    return this.#entries === null || this.#isMergeDue
  }

  get #isMergeDue(): boolean {
    const limit = Math.max(DIRTY_COUNT_KEPT, (this.#entries?.count ?? 0) / DIRTY_SHARE)
    return this.#dirty.rows.length > limit
  }

  /** Builds what is not there, or takes dirty rows in, in pieces of a millisecond or so. */
  work(): Generator<undefined, void> {
    return this.#entries === null ? this.build() : this.#merge(this.#entries)
  }

  get isBuilding(): boolean {
    return this.#isBuilding
  }

  /** Of its building, from 0 to 1; 0 where nothing was begun. */
  get builtShare(): number {
    return this.#builtShare
  }

  /** For who walks through it between other work; null: it is not built. */
  contents(): IndexContents | null {
    if (this.#entries === null) return null
    const { words, count } = this.#entries
    return { pairs: words.subarray(0, count * 2), dirty: [...this.#allDirty()] }
  }

  /** Its column may hold nothing any more. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Neither deleted nor beyond the table. */
  isLive(row: number): boolean {
    return row < this.#rows.rowCount && !this.#rows.deleted.has(row)
  }

  /** Makes the entries in pieces of a millisecond or so; what is written meanwhile is dirty. */
  *build(): Generator<undefined, void> {
    this.#isBuilding = true
    const { rowCount } = this.#rows
    const pieceCount = Math.ceil(rowCount / ROWS_PER_PIECE) + sortPieceCount(rowCount)
    let done = 0
    for (const piece of this.#fill(rowCount)) {
      this.#builtShare = done++ / pieceCount
      yield piece
    }
    this.#builtShare = 1
    this.#isBuilding = false
  }

  *#fill(rowCount: number): Generator<undefined, void> {
    const { deleted } = this.#rows
    const pairs = makePairs(rowCount)
    let next = 0
    for (let row = 0; row < rowCount; row++) {
      if (row % ROWS_PER_PIECE === 0) yield
      if (deleted.has(row)) continue
      pairs.words[next++] = row
      pairs.words[next++] = this.keyOfRow(row)
    }
    yield* sortPairs(pairs, next / 2)
    this.#setEntries({ words: pairs.words, count: next / 2 })
  }

  /**
   * Live rows that hold exactly one of `values`, ascending; null: there may be more than `countMax`.
   * Dirty rows are looked at once, however many values there are.
   */
  equal(
    values: readonly AttributeValue[],
    countMax = Number.POSITIVE_INFINITY,
  ): Uint32Array | null {
    const { keys, accepts } =
      this.column.kind === valueKind.string ? this.#textTest(values) : this.#numberTest(values)
    const spans = [...keys].map((key) => ({ lowKey: key, highKey: key }))
    return this.#collect({ spans, countMax }, accepts)
  }

  #textTest(values: readonly AttributeValue[]): ValueTest {
    const textsByKey = new Map<number, Uint8Array[]>()
    for (const value of values) {
      const bytes = encoder.encode(String(value))
      const key = hashBytes(bytes, 0, bytes.length)
      textsByKey.set(key, [...(textsByKey.get(key) ?? []), bytes])
    }
    const accepts = (row: number) => {
      const bytes = this.column.readBytes(row)
      const texts = textsByKey.get(hashBytes(bytes, 0, bytes.length))
      return texts?.some((text) => compareBytes(bytes, text) === 0) ?? false
    }
    return { keys: textsByKey.keys(), accepts }
  }

  #numberTest(values: readonly AttributeValue[]): ValueTest {
    const wanted = new Set(values.map(numericValue).map(plainNumber))
    const keys = new Set([...wanted].map((value) => keyOfNumber(Number(value))))
    return { keys, accepts: (row) => wanted.has(plainNumber(this.column.readNumber(row))) }
  }

  /** As `equal`, whose number or DATETIME lies within the bounds. */
  range(range: ValueRange, countMax = Number.POSITIVE_INFINITY): Uint32Array | null {
    const { low, high } = range
    const lowKey = low === undefined ? 0 : keyOfNumber(Number(low))
    const highKey = high === undefined ? 0xffffffff : keyOfNumber(Number(high))
    const accepts = (row: number) => {
      const value = this.column.readNumber(row)
      return (low === undefined || value >= low) && (high === undefined || value <= high)
    }
    return this.#collect({ spans: [{ lowKey, highKey }], countMax }, accepts)
  }

  #collect(
    { spans, countMax }: { readonly spans: readonly KeySpan[]; readonly countMax: number },
    accepts: (row: number) => boolean,
  ): Uint32Array | null {
    this.#prepare()
    const { words: pairs, count } = this.#entries!
    const ranges = spans.map(({ lowKey, highKey }) => ({
      start: firstAtLeast(pairs, count, lowKey),
      end: highKey === 0xffffffff ? count * 2 : firstAtLeast(pairs, count, highKey + 1),
    }))
    const entryCount = ranges.reduce((sum, { start, end }) => sum + (end - start) / 2, 0)
    if (entryCount > FOUND_COUNT_MAX) return null
    if (entryCount + this.#dirtyCount > Math.max(countMax, DIRTY_COUNT_KEPT)) return null
    const found: number[] = []
    for (const { start, end } of ranges) {
      for (let i = start; i < end; i += 2) {
        const row = pairs[i]!
        if (!this.#isDirty(row) && this.isLive(row) && accepts(row)) found.push(row)
      }
    }
    for (const row of this.#allDirty()) if (this.isLive(row) && accepts(row)) found.push(row)
    if (found.length > countMax) return null
    return Uint32Array.from(found).sort()
  }

  #prepare(): void {
    if (this.#entries === null) {
      runThrough(this.build())
      return
    }
    if (this.#isSmall && this.#taken === null && this.#isMergeDue) runThrough(this.work())
  }

  /** Each once. */
  #allDirty(): readonly number[] {
    const { rows } = this.#dirty
    if (this.#taken === null) return rows
    return [...rows, ...this.#taken.rows.filter((row) => !this.#dirty.has(row))]
  }

  *#merge(old: Entries): Generator<undefined, void> {
    const taken = this.#dirty
    this.#taken = taken
    this.#dirty = new DirtyRows()
    const added = yield* this.#entriesOf(taken.rows)
    if (!this.#isReleased) {
      const merged = yield* mergeEntries(old, added, taken)
      this.#setEntries(merged)
    }
    this.#taken = null
  }

  *#entriesOf(rows: readonly number[]): Generator<undefined, Entries> {
    const pairs = makePairs(rows.length)
    let next = 0
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_PER_PIECE === 0) yield
      if (this.#isReleased) break
      if (this.#rows.deleted.has(row)) continue
      pairs.words[next++] = row
      pairs.words[next++] = this.keyOfRow(row)
    }
    yield* sortPairs(pairs, next / 2)
    return { words: pairs.words, count: next / 2 }
  }

  /** Equal values have equal keys. */
  keyOfRow(row: number): number {
    if (this.column.kind !== valueKind.string)
      return keyOfNumber(Number(this.column.readNumber(row)))
    const bytes = this.column.readBytes(row)
    return hashBytes(bytes, 0, bytes.length)
  }

  #isDirty(row: number): boolean {
    return this.#dirty.has(row) || (this.#taken?.has(row) ?? false)
  }
}

/** Both in one, without the old entries of some rows. */
function* mergeEntries(
  old: Entries,
  added: Entries,
  without: DirtyRows,
): Generator<undefined, Entries> {
  const { words } = makePairs(old.count + added.count)
  const oldEnd = old.count * 2
  const addedEnd = added.count * 2
  let [at, next] = [0, 0]
  for (let i = 0; i < oldEnd; i += 2) {
    if (i % (MERGED_PER_PIECE * 2) === 0) yield
    const row = old.words[i]!
    if (without.has(row)) continue
    const key = old.words[i + 1]!
    for (; next < addedEnd && isBefore(added.words, next, row, key); next += 2) {
      words[at++] = added.words[next]!
      words[at++] = added.words[next + 1]!
    }
    words[at++] = row
    words[at++] = key
  }
  words.set(added.words.subarray(next, addedEnd), at)
  return { words, count: (at + addedEnd - next) / 2 }
}

function isBefore(words: Uint32Array, at: number, row: number, key: number): boolean {
  const other = words[at + 1]!
  return other < key || (other === key && words[at]! < row)
}

/** The upper 32 bits of a double, in the order of the numbers; one key for NaN of whatever bits. */
function keyOfNumber(value: number): number {
  doubles[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value
  const upper = words[1]!
  return (upper >>> 31 === 1 ? ~upper : upper | 0x80000000) >>> 0
}

/** BOOL columns hold 0 and 1. */
function numericValue(value: AttributeValue): number | bigint {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'bigint' ? value : Number(value)
}

/** One form for one number, so that a set finds it: a bigint only where a double may not be exact. */
export function plainNumber(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
}

/** Position of the first pair whose key is at least `key`. */
function firstAtLeast(pairs: Uint32Array, count: number, key: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (pairs[middle * 2 + 1]! < key) low = middle + 1
    else high = middle
  }
  return low * 2
}
