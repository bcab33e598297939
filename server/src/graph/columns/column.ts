/**
 * One attribute of one table, as the writer holds it.
 *
 * Numbers begin in the narrowest array and are copied into a wider one at the first value that
 * does not fit: INT and DATETIME 32 bits -> doubles while all are safe integers -> 64 bits, UINT
 * likewise. A STRING column begins as dictionary codes and switches to heap offsets when most values
 * turn out to be distinct. Readers that hold the narrow array keep a consistent, older column.
 *
 * Rows beyond the last written one are zero, and zero means the type's zero in every storage.
 */
import type { Attribute, TupleType } from '#catalog/types.ts'
import type { ColumnStorage, ColumnView, HeapView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { SINGLE_SLICE_BYTES, VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import type { ArrayOfKind, Meter } from '../memory/growable.ts'
import { Heap, heapLength, lengthSize, type WrittenValue } from '../memory/heap.ts'
import { PagedArray } from '../memory/paged.ts'
import { runThrough } from '../memory/pairs.ts'
import type { Versions } from '../memory/versions.ts'
import { copyCodes } from './copy.ts'
import { defaultValueOf, isZero } from './defaults.ts'
import { Dictionary } from './dictionary.ts'
import { DictionaryReview, REVIEW_ROWS_PER_PIECE } from './dictionary-review.ts'
import { HeapMove } from './heap-move.ts'
import {
  arrayKindOf,
  firstStorage,
  kindOf,
  pageShiftOf,
  strideOf,
  tuplesOf,
  type ValueKind,
  valueKind,
} from './kinds.ts'
import { OffsetSwitch } from './offset-switch.ts'
import { putVector, vectorBytes, vectorPlace } from './vectors.ts'
import { isNarrow, WIDENED_AT_ONCE_MAX, Widening, widerStorage } from './widening.ts'

/** Less garbage than this is not worth a copy. */
const GARBAGE_BYTES_MIN = 1024 * 1024
/** More of it, if it is most of the heap, does not wait for a rebuild: `+` on long values makes it fast. */
const GARBAGE_BYTES_MAX = 64 * 1024 * 1024

export interface Memory {
  readonly meter: Meter
  readonly versions: Versions
}

/** A column read from a segment, or handed over by a rebuild. */
export interface StoredColumn {
  readonly storage: ColumnStorage
  readonly data: ArrayOfKind[keyof ArrayOfKind]
  readonly heap: HeapView | null
  /** A rebuild's column goes on with the strings of the one it replaces. */
  readonly successorOf?: Column
}

type Data = PagedArray<keyof ArrayOfKind>

export class Column {
  attribute: Attribute
  readonly kind: ValueKind
  tuples: readonly TupleType[]
  storage: ColumnStorage
  data: Data
  dictionary: Dictionary | null = null
  heap: Heap | null = null
  /** Bytes of the heap that no row refers to any more, as far as they were seen to go. */
  #garbageBytes = 0
  #move: HeapMove | null = null
  #offsetSwitch: OffsetSwitch | null = null
  #widening: Widening | null = null
  readonly #review = new DictionaryReview()
  /** Rows that were written so far, about: what the number of distinct strings is held against. */
  #rowCount: number
  /** Two columns use the strings: neither may reorganise them. */
  sharesStrings = false
  /** Counts widenings and switches: a view or index made before is stale. */
  generation = 0
  readonly #memory: Memory
  /** What new rows hold. Numbers as they are; strings and encoded values as bytes. */
  #default: number | bigint | Uint8Array

  constructor(
    attribute: Attribute,
    tuples: readonly TupleType[],
    memory: Memory,
    stored?: StoredColumn,
  ) {
    this.attribute = attribute
    this.kind = kindOf(attribute.type)
    this.tuples = tuplesOf(attribute, tuples)
    this.#memory = memory
    this.#default = defaultValueOf(attribute)
    this.storage = stored?.storage ?? firstStorage(this.kind)
    this.#rowCount = stored?.data.length ?? 0
    this.data = this.#makeData(stored?.data, stored?.successorOf !== undefined)
    if (this.mayWidenLong) memory.meter.mayWidenLong = true
    if (stored?.successorOf !== undefined) {
      this.dictionary = stored.successorOf.dictionary
      this.heap = stored.successorOf.heap
    } else if (this.storage === 'code') {
      this.dictionary = new Dictionary(memory.meter, stored?.heap ?? undefined)
      if (this.isReviewNear(SINGLE_SLICE_BYTES)) memory.meter.mayReview = true
    } else if (this.storage === 'offset') {
      this.heap = new Heap(memory.meter, stored?.heap?.bytes)
    }
  }

  /** Follows a changed definition: another name or default. The type of an id never changes. */
  redefine(attribute: Attribute, tuples: readonly TupleType[], rowCount: number): this {
    const hasNewDefault = attribute.defaultText !== this.attribute.defaultText
    this.attribute = attribute
    this.tuples = tuplesOf(attribute, tuples)
    this.#default = defaultValueOf(attribute)
    if (hasNewDefault) this.fillDefault(rowCount, this.capacity, false)
    return this
  }

  get sizeBytes(): number {
    const next = (this.#offsetSwitch ?? this.#widening)?.data.sizeBytes ?? 0
    const strings = (this.dictionary?.sizeBytes ?? 0) + (this.heap?.sizeBytes ?? 0)
    return this.data.sizeBytes + next + strings
  }

  ensure(rowCapacity: number): void {
    this.data.ensure(rowCapacity)
    if (this.mayWidenLong) this.#memory.meter.mayWidenLong = true
  }

  get capacity(): number {
    return this.data.capacity
  }

  /** Gives rows `from .. to - 1` the default; fresh rows are zero already. */
  fillDefault(from: number, to: number, isFresh: boolean): void {
    if (isFresh && isZero(this.#default)) return
    const isPlain = this.#move === null && this.#offsetSwitch === null
    const value = isPlain && from < to ? this.#filledValue(isFresh) : null
    if (value === null) for (let row = from; row < to; row++) this.writeDefault(row)
    else {
      this.data.fill(from, to, value)
      this.#rowCount = Math.max(this.#rowCount, to)
    }
  }

  /** What the array holds of a row with the default; null: each row is to be written. */
  #filledValue(isFresh: boolean): number | bigint | null {
    const value = this.#default
    if (typeof value !== 'object') {
      runThrough(this.widenForDefault())
      return value
    }
    if (this.kind === valueKind.vector) return null
    if (this.dictionary !== null) {
      return this.dictionary.codeOf(value, 0, value.length)
    }
    return isFresh ? this.heap!.append(value, 0, value.length) : null
  }

  *widenForDefault(): Generator<undefined, void> {
    if (typeof this.#default !== 'object') yield* this.widenInPieces(this.#default)
  }

  /** The default of a changed definition, if the column has to copy many rows for it; else null. */
  widensLongFor(attribute: Attribute): number | bigint | null {
    if (attribute.defaultText === this.attribute.defaultText) return null
    const value = defaultValueOf(attribute)
    return typeof value !== 'object' && this.widensLong(value) ? value : null
  }

  writeDefault(row: number): void {
    const value = this.#default
    if (typeof value === 'object') this.writeBytes(row, value, { start: 0, length: value.length })
    else this.writeNumber(row, value)
  }

  /** True when a fresh row need not be written to hold the default. */
  get isDefaultZero(): boolean {
    return isZero(this.#default)
  }

  /** An INT, UINT or DATETIME beyond 2^53 is a bigint; anything else a number. */
  readNumber(row: number): number | bigint {
    const { array } = this.data
    return array[this.data.at(row)]!
  }

  writeNumber(row: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#writeBig(row, value)
    else this.writeSafe(row, value)
  }

  /** Some number would make the column copy so many rows that others run between them. */
  get mayWidenLong(): boolean {
    return this.data.capacity > WIDENED_AT_ONCE_MAX && isNarrow(this.kind, this.storage)
  }

  /** Whether a number does, which is to be written behind `widenInPieces`. */
  widensLong(value: number | bigint): boolean {
    return this.mayWidenLong && widerStorage(this.kind, this.storage, value) !== null
  }

  /** Makes room for a wider number, with pauses in which others run that do not write to the column. */
  *widenInPieces(value: number | bigint): Generator<undefined, void> {
    const storage = widerStorage(this.kind, this.storage, value)
    if (storage !== null) yield* this.#widen(storage)
  }

  /** As wide as another column of the attribute, which has all values that this one gets. */
  *widenAs(other: Column): Generator<undefined, void> {
    if (this.isNarrowerThan(other)) yield* this.#widen(other.storage)
  }

  isNarrowerThan(other: Column): boolean {
    return this.kind <= valueKind.datetime && this.storage !== other.storage
  }

  *#widen(storage: ColumnStorage): Generator<undefined, void> {
    const widening = new Widening(storage, this.#makeData(undefined, false, storage))
    this.#widening = widening
    while (!widening.step(this.data)) {
      yield
      if (this.#widening !== widening) return
    }
    this.#widening = null
    this.data.release()
    this.data = widening.data
    this.storage = storage
    this.generation += 1
  }

  /** Writes a number: any for FLOAT and DOUBLE, else a safe integer. */
  writeSafe(row: number, value: number): void {
    const position = this.data.touch(row)
    switch (this.storage) {
      case 'int32':
        if ((value | 0) === value) (this.data.array as Int32Array)[position] = value
        else this.#widenAndWrite(row, value)
        return
      case 'uint32':
        if (value >>> 0 === value) (this.data.array as Uint32Array)[position] = value
        else this.#widenAndWrite(row, value)
        return
      case 'float64':
        ;(this.data.array as Float64Array)[position] = value
        return
      case 'float32':
        ;(this.data.array as Float32Array)[position] = value
        return
      case 'bool':
        ;(this.data.array as Uint8Array)[position] = value
        return
      default:
        this.#writeBig(row, BigInt(value))
    }
  }

  /** STRING, encoded types and vectors: copies the value's bytes. */
  writeBytes(row: number, bytes: Uint8Array, range: { start: number; length: number }): void {
    const { start, length } = range
    if (this.kind === valueKind.vector) {
      const position = this.data.touch(row)
      putVector(vectorPlace(this.data, position), bytes, range)
      return
    }
    if (this.dictionary !== null) {
      this.#writeReference(row, this.dictionary.codeOf(bytes, start, length))
      if (row >= this.#rowCount) this.#rowCount = row + 1
      if (!this.sharesStrings) this.#reviewDictionary(this.dictionary)
      return
    }
    this.#replaces(row)
    this.#writeReference(row, this.heap!.append(bytes, start, length))
  }

  /** As `writeBytes`, of a value in parts: a long one is not put together anywhere else before. */
  writeParts(row: number, parts: readonly Uint8Array[]): void {
    if (this.heap === null) {
      const bytes = Buffer.concat(parts)
      this.writeBytes(row, bytes, { start: 0, length: bytes.length })
      return
    }
    this.#replaces(row)
    this.#writeReference(row, this.heap.appendParts(parts))
  }

  /** Whether a value of so many bytes, or what writing it leads to, takes longer than a piece. */
  isLong(length: number): boolean {
    if (length > VALUE_PIECE_BYTES) return true
    const { dictionary } = this
    if (dictionary === null || this.sharesStrings || this.#offsetSwitch !== null) return false
    return this.#review.isLongDue(dictionary.heap.length + length, this.data.capacity)
  }

  /** Whether so many more bytes of strings may lead to a review of the dictionary that takes long. */
  isReviewNear(sizeBytes: number): boolean {
    return this.dictionary !== null && this.isLong(sizeBytes)
  }

  /** As `writeParts`, with pauses in which others run that do not write to the column. */
  *writeInPieces(row: number, parts: readonly Uint8Array[]): Generator<undefined, void> {
    const { dictionary } = this
    if (dictionary !== null) {
      this.#writeReference(row, yield* dictionary.codeInPieces(parts))
      if (row >= this.#rowCount) this.#rowCount = row + 1
      if (!this.sharesStrings) yield* this.#reviewInPieces(dictionary)
      return
    }
    if (this.#isCompactionDue) yield* this.compactInPieces()
    // A rebuild that moves the values meanwhile makes another heap.
    let heap: Heap | null = null
    let written: WrittenValue | null = null
    while (heap !== this.heap) {
      heap = this.heap!
      written = yield* heap.writeBehind(parts)
    }
    heap!.length = written!.end
    this.#garbageBytes += this.heapLengthAt(row)
    this.#writeReference(row, written!.offset)
  }

  get #isCompactionDue(): boolean {
    return this.#garbageBytes >= GARBAGE_BYTES_MAX && this.isWasteful
  }

  /** What the row holds on the heap becomes garbage. */
  #replaces(row: number): void {
    if (this.#isCompactionDue) this.compact()
    this.#garbageBytes += this.heapLengthAt(row)
  }

  /** As `forget` for an edge's discriminator, by which the dead edge is still found. */
  abandon(row: number): void {
    if (this.heap !== null) this.#garbageBytes += this.heapLengthAt(row)
  }

  /** Takes `abandon` back. */
  reclaim(row: number): void {
    if (this.heap !== null) this.#garbageBytes -= this.heapLengthAt(row)
  }

  /** The row is gone: what it kept on the heap becomes garbage for `compact`. */
  forget(row: number): void {
    if (this.heap === null || this.offsetAt(row) === 0) return
    this.#garbageBytes += this.heapLengthAt(row)
    this.#writeReference(row, 0)
  }

  /** Where a STRING or encoded value lies: bytes of `heapBytes` from the returned start. */
  readBytes(row: number): Uint8Array {
    if (this.kind === valueKind.vector)
      return vectorBytes(vectorPlace(this.data, this.data.at(row)))
    const offset = this.offsetAt(row)
    const bytes = this.heapBytes
    const length = heapLength(bytes, offset)
    const start = offset + lengthSize(length)
    return bytes.subarray(start, start + length)
  }

  get heapBytes(): Uint8Array<SharedArrayBuffer> {
    return (this.dictionary?.heap ?? this.heap!).bytes
  }

  offsetAt(row: number): number {
    const raw = (this.data.array as Uint32Array)[this.data.at(row)]!
    return this.dictionary === null ? raw : this.dictionary.offsetOf(raw)
  }

  view(): ColumnView {
    const heap: HeapView | null =
      this.dictionary?.view() ?? (this.heap && { bytes: this.heap.bytes, offsets: null })
    return {
      attributeId: this.attribute.id,
      name: this.attribute.name,
      type: this.attribute.type,
      tuples: this.tuples,
      storage: this.storage,
      data: this.data.array,
      pages: this.data.shareDirectory(),
      heap,
    }
  }

  /** Bytes of the heap and codes of the dictionary in use: what a segment has to hold. */
  heapUse(): { readonly byteCount: number; readonly codeCount: number } {
    const heap = this.dictionary?.heap ?? this.heap
    return { byteCount: heap?.length ?? 0, codeCount: this.dictionary?.count ?? 0 }
  }

  /** True when most of the heap is values that were overwritten. */
  get isWasteful(): boolean {
    return (
      this.heap !== null &&
      !this.sharesStrings &&
      this.#garbageBytes >= GARBAGE_BYTES_MIN &&
      this.#garbageBytes * 2 > this.heap.length
    )
  }

  /** Moves the values in use to a new heap; readers keep the old one. */
  compact(): void {
    runThrough(this.compactInPieces())
  }

  /** As `compact`, while the column is read and written. Older views are stale after the last piece. */
  *compactInPieces(): Generator<undefined, void> {
    this.#giveMoveUp()
    const move = new HeapMove(new Heap(this.#memory.meter), this.#makeData())
    this.#move = move
    while (!move.step({ data: this.data, heap: this.heap! })) {
      yield
      if (this.#move !== move) return
    }
    this.#move = null
    this.data.release()
    this.heap!.release()
    this.data = move.data
    this.heap = move.heap
    this.#garbageBytes = move.garbageBytes
    this.generation += 1
  }

  #giveMoveUp(): void {
    this.#move?.giveUp()
    this.#move = null
    this.#offsetSwitch?.giveUp()
    this.#offsetSwitch = null
    this.#widening?.giveUp()
    this.#widening = null
    this.#garbageBytes = 0
  }

  /** Takes over from the column this one was made from: the strings are its own from now on. */
  inherit(old: Column): void {
    this.#garbageBytes = old.#garbageBytes
    this.sharesStrings = false
  }

  /** Copies a value from another column of the same attribute. */
  copyFrom(source: Column, sourceRow: number, row: number): void {
    if (this.#sharesStringsWith(source)) {
      const reference = (source.data.array as Uint32Array)[source.data.at(sourceRow)]!
      this.#writeReference(row, reference)
      return
    }
    if (source.dictionary === null && source.heap === null && this.kind !== valueKind.vector) {
      this.writeNumber(row, source.readNumber(sourceRow))
      return
    }
    const bytes = source.readBytes(sourceRow)
    this.writeBytes(row, bytes, { start: 0, length: bytes.length })
  }

  /** Lets go of the rows, not of the strings: another column goes on with them. */
  releaseRows(): void {
    this.#giveMoveUp()
    this.data.release()
  }

  release(): void {
    this.releaseRows()
    this.dictionary?.release(true)
    this.heap?.release()
  }

  #makeData(
    initial?: ArrayOfKind[keyof ArrayOfKind],
    isSeen = false,
    storage = this.storage,
  ): Data {
    const { type } = this.attribute
    const [shift, stride] = [pageShiftOf(type), strideOf(type)]
    const options = { ...this.#memory, kind: arrayKindOf(storage), shift, stride }
    return new PagedArray(initial === undefined ? options : { ...options, initial, isSeen })
  }

  #widenAndWrite(row: number, value: number): void {
    assert(Number.isSafeInteger(value), 'an integer column got a fraction')
    runThrough(this.widenInPieces(value))
    this.writeSafe(row, value)
  }

  #writeBig(row: number, value: bigint): void {
    const narrow = Number(value)
    const isWide = this.storage === 'int64' || this.storage === 'uint64'
    if (!isWide && Number.isSafeInteger(narrow)) {
      this.writeSafe(row, narrow)
      return
    }
    if (!isWide) runThrough(this.widenInPieces(value))
    const position = this.data.touch(row)
    ;(this.data.array as BigInt64Array)[position] = value
  }

  #sharesStringsWith(other: Column): boolean {
    if (this.heap !== null) return this.heap === other.heap
    return this.dictionary !== null && this.dictionary === other.dictionary
  }

  /** Bytes of the row's value on the heap; 0 where there is none. */
  heapLengthAt(row: number): number {
    if (this.heap === null) return 0
    const offset = (this.data.array as Uint32Array)[this.data.at(row)]!
    return offset === 0 ? 0 : heapLength(this.heap.bytes, offset)
  }

  /** `touch` may replace the array, so it comes first. */
  #writeReference(row: number, reference: number): void {
    const position = this.data.touch(row)
    ;(this.data.array as Uint32Array)[position] = reference
    this.#move?.touched(row)
    this.#offsetSwitch?.touched(row, reference)
  }

  #reviewDictionary(old: Dictionary): void {
    if (this.#offsetSwitch !== null) this.#goOnToOffsets(this.#offsetSwitch)
    else if (this.#review.isNear(old)) this.#reviewNow(old)
    else this.#reviewRows(old)
  }

  #reviewNow(old: Dictionary): void {
    if (this.isReviewNear(SINGLE_SLICE_BYTES)) this.#memory.meter.mayReview = true
    if (this.#review.isDue(old)) runThrough(this.#reviewInPieces(old))
    else this.#reviewRows(old)
  }

  *#reviewInPieces(old: Dictionary): Generator<undefined, void> {
    if (this.#offsetSwitch !== null) return this.#goOnToOffsets(this.#offsetSwitch)
    const part = yield* this.#review.usedPart(old, this.data)
    if (part === null) this.#reviewRows(old)
    else {
      yield* this.#recode(part.newCodes)
      this.dictionary = part.dictionary
      old.release(true)
    }
  }

  #reviewRows(old: Dictionary): void {
    const rowCount = Math.min(this.#rowCount, this.data.capacity)
    if (!this.#review.isMostlyDistinct(old, rowCount)) return
    this.#offsetSwitch = new OffsetSwitch(old, this.#makeData())
    this.#goOnToOffsets(this.#offsetSwitch)
  }

  /** Codes and offsets are arrays of one kind, so that each written value does a part of the copy. */
  #goOnToOffsets(change: OffsetSwitch): void {
    if (!change.step(this.data)) return
    this.#offsetSwitch = null
    this.data.release()
    this.data = change.data
    this.storage = 'offset'
    this.#garbageBytes = change.garbageBytes
    this.heap = change.dictionary.heap
    this.dictionary = null
    change.dictionary.release(false)
    this.generation += 1
  }

  /** Other codes for all rows, in pieces. */
  *#recode(newCodes: Uint32Array): Generator<undefined, void> {
    const old = this.data
    const data = this.#makeData()
    data.ensure(old.capacity)
    for (let from = 0; from < old.capacity; from += REVIEW_ROWS_PER_PIECE) {
      const to = Math.min(from + REVIEW_ROWS_PER_PIECE, old.capacity)
      copyCodes(newCodes, old, data, { from, to })
      if (to < old.capacity) yield
    }
    this.data = data
    old.release()
    this.generation += 1
  }
}
