/**
 * One array of one kind over shared memory that grows.
 *
 * `array` is always a view of fixed length: views that track the length of a growable buffer load
 * 6.8 times slower. Growing makes a new view; old views keep working on the bytes they cover, so a
 * pinned reader needs no notice. Small arrays live in plain buffers and grow by copying, because
 * a reservation costs a memory mapping of which a process has only some ten thousands; from 256 KB on
 * an array lives in a growable buffer whose reservation leaves room for 64 times its size, and for 4 GiB.
 */

import type { ColumnArray } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { reservationBytes } from '#kernel/shared-memory.ts'
import { allocateShared, growShared, obtained } from './allocate.ts'

/** Bytes of shared memory in use, kept up by everything that allocates any. */
export interface Meter {
  bytes: number
  /** Of these, what belongs to no table: vector indexes. Absent: nothing. */
  besideTables?: number
  /** Some heap may hold a value that is written in pieces. Absent: none does. */
  mayHoldLong?: boolean
  /** The dictionary of some column may soon be looked through. Absent: none is. */
  mayReview?: boolean
  /** Some number column may have to copy many rows for a wider value. Absent: none has. */
  mayWidenLong?: boolean
}

export type ArrayKind = 'uint8' | 'int32' | 'uint32' | 'float32' | 'float64' | 'int64' | 'uint64'

interface ArrayMaker<T extends ColumnArray> {
  readonly elementSize: number
  make(buffer: SharedArrayBuffer, length: number): T
}

export interface ArrayOfKind {
  uint8: Uint8Array<SharedArrayBuffer>
  int32: Int32Array<SharedArrayBuffer>
  uint32: Uint32Array<SharedArrayBuffer>
  float32: Float32Array<SharedArrayBuffer>
  float64: Float64Array<SharedArrayBuffer>
  int64: BigInt64Array<SharedArrayBuffer>
  uint64: BigUint64Array<SharedArrayBuffer>
}

const makers: { readonly [K in ArrayKind]: ArrayMaker<ArrayOfKind[K]> } = {
  uint8: { elementSize: 1, make: (buffer, length) => new Uint8Array(buffer, 0, length) },
  int32: { elementSize: 4, make: (buffer, length) => new Int32Array(buffer, 0, length) },
  uint32: { elementSize: 4, make: (buffer, length) => new Uint32Array(buffer, 0, length) },
  float32: { elementSize: 4, make: (buffer, length) => new Float32Array(buffer, 0, length) },
  float64: { elementSize: 8, make: (buffer, length) => new Float64Array(buffer, 0, length) },
  int64: { elementSize: 8, make: (buffer, length) => new BigInt64Array(buffer, 0, length) },
  uint64: { elementSize: 8, make: (buffer, length) => new BigUint64Array(buffer, 0, length) },
}

/** A zeroed array of exactly `length` elements, not growable: for what is built once. */
export function sharedArray<K extends ArrayKind>(kind: K, length: number): ArrayOfKind[K] {
  const maker = makers[kind] as ArrayMaker<ArrayOfKind[K]>
  return maker.make(allocateShared(length * maker.elementSize), length)
}

/** As `sharedArray`, with room to grow in place: for what a rebuild makes and later rows extend. */
export function growableArray<K extends ArrayKind>(kind: K, length: number): ArrayOfKind[K] {
  const maker = makers[kind] as ArrayMaker<ArrayOfKind[K]>
  const sizeBytes = length * maker.elementSize
  return maker.make(allocateShared(sizeBytes, reservationBytes(sizeBytes)), length)
}

/** Bytes read from a segment as an array of a kind, copied only if they are not aligned. */
export function viewOfKind<K extends ArrayKind>(
  kind: K,
  bytes: Uint8Array<SharedArrayBuffer>,
): ArrayOfKind[K] {
  const maker = makers[kind] as ArrayMaker<ArrayOfKind[K]>
  const length = bytes.byteLength / maker.elementSize
  assert(Number.isInteger(length), 'a blob is no whole number of elements')
  if (bytes.byteOffset === 0) return maker.make(bytes.buffer, length)
  const buffer = allocateShared(bytes.byteLength)
  new Uint8Array(buffer).set(bytes)
  return maker.make(buffer, length)
}

export class Growable<K extends ArrayKind> {
  array: ArrayOfKind[K]
  readonly kind: K
  readonly #meter: Meter
  readonly #maker: ArrayMaker<ArrayOfKind[K]>
  /** By how much the buffer at hand grew in place. */
  #grownBytes = 0

  /** @param initial taken over as it is when given, for instance a segment's column. */
  constructor(kind: K, meter: Meter, initial?: ArrayOfKind[K]) {
    this.kind = kind
    this.#meter = meter
    this.#maker = makers[kind] as ArrayMaker<ArrayOfKind[K]>
    this.array = initial ?? this.#maker.make(new SharedArrayBuffer(0), 0)
    meter.bytes += this.array.buffer.byteLength
  }

  get sizeBytes(): number {
    return this.array.buffer.byteLength
  }

  /** Makes room for `length` elements and some more; new elements are 0. */
  ensure(length: number): void {
    if (length > this.array.length) this.#grow(length, this.array.length < 65_536 ? 2 : 1.25)
  }

  /** As `ensure`, with hardly any room beyond `length`: for spare pages. */
  ensureTight(length: number): void {
    if (length > this.array.length) this.#grow(length, 1)
  }

  /** Lets go of the memory; readers that hold the array keep it alive. */
  release(): void {
    this.#meter.bytes -= this.array.buffer.byteLength
    this.#countGrown()
    this.array = this.#maker.make(new SharedArrayBuffer(0), 0)
  }

  #countGrown(): void {
    obtained.bytes += this.#grownBytes
    this.#grownBytes = 0
  }

  #grow(lengthMin: number, factor: number): void {
    const size = this.#maker.elementSize
    const length = Math.max(lengthMin, Math.ceil(this.array.length * factor), 64)
    const bytes = roundUp(length * size, length * size < 65_536 ? 256 : 65_536)
    const old = this.array.buffer
    const oldBytes = old.byteLength
    if (old.growable && bytes <= old.maxByteLength) {
      growShared(old, bytes)
      this.#grownBytes += bytes - oldBytes
      this.array = this.#maker.make(old, bytes / size)
    } else {
      const buffer = allocateShared(bytes, reservationBytes(bytes), this.array.byteLength)
      new Uint8Array(buffer).set(new Uint8Array(old, this.array.byteOffset, this.array.byteLength))
      this.array = this.#maker.make(buffer, bytes / size)
      this.#countGrown()
    }
    this.#meter.bytes += bytes - oldBytes
  }
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}
