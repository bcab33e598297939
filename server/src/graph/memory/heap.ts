/**
 * Append-only bytes: every value is an unsigned LEB128 byte length and then its bytes.
 *
 * Offset 0 holds the empty value, so zeroed columns read as empty. What is overwritten in a column
 * stays here as garbage until a rebuild; nothing in place ever changes, so readers need no copy.
 */
import { assert } from '#kernel/assert.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { Growable, type Meter } from './growable.ts'

/** Offsets are unsigned 32-bit. */
export const HEAP_SIZE_BYTES_MAX = 2 ** 32 - 1

export class Heap {
  bytes: Uint8Array<SharedArrayBuffer>
  /** Bytes in use. */
  length: number
  readonly #memory: Growable<'uint8'>
  readonly #meter: Meter

  constructor(meter: Meter, initial?: Uint8Array<SharedArrayBuffer>) {
    this.#meter = meter
    this.#memory = new Growable('uint8', meter, initial)
    this.length = initial?.length ?? 1
    if (this.length > VALUE_PIECE_BYTES) meter.mayHoldLong = true
    this.#memory.ensure(this.length)
    this.bytes = this.#memory.array
  }

  get sizeBytes(): number {
    return this.#memory.sizeBytes
  }

  /** Copies `length` bytes of `source` from `start`; returns where the value begins. */
  append(source: Uint8Array, start: number, length: number): number {
    if (length === 0) return 0
    const offset = this.length
    const position = this.#begin(length)
    copyBytes(source, start, { target: this.bytes, position, length })
    this.length = position + length
    return offset
  }

  /** Parts that are one value together. @returns where it begins */
  appendParts(parts: readonly Uint8Array[]): number {
    const length = sizeOf(parts)
    if (length === 0) return 0
    const offset = this.length
    let position = this.#begin(length)
    for (const part of parts) {
      this.bytes.set(part, position)
      position += part.length
    }
    this.length = position
    return offset
  }

  /**
   * Writes a value behind the end, with pauses in which nobody may append. It becomes a part of the
   * heap when `length` is set to its `end`.
   */
  *writeBehind(parts: readonly Uint8Array[]): Generator<undefined, WrittenValue> {
    const length = sizeOf(parts)
    const offset = this.length
    const start = this.#begin(length)
    let position = start
    for (const part of parts) {
      for (let at = 0; at < part.length; at += VALUE_PIECE_BYTES) {
        const piece = part.subarray(at, at + VALUE_PIECE_BYTES)
        this.bytes.set(piece, position)
        position += piece.length
        yield
        assert(this.length === offset, 'a heap got a value while another one was written')
      }
    }
    return { offset, start, length, end: position }
  }

  /** Makes room for a value and writes its length. @returns where its bytes begin */
  #begin(length: number): number {
    if (length > VALUE_PIECE_BYTES) this.#meter.mayHoldLong = true
    this.#reserve(length + 5)
    const { bytes } = this
    let position = this.length
    let rest = length
    while (rest > 127) {
      bytes[position++] = (rest & 127) | 128
      rest >>>= 7
    }
    bytes[position++] = rest
    return position
  }

  /** Copies bytes without a length in front, for values whose ends are known elsewhere. */
  appendRaw(source: Uint8Array, start: number, length: number): void {
    this.#reserve(length)
    copyBytes(source, start, { target: this.bytes, position: this.length, length })
    this.length += length
  }

  release(): void {
    this.#memory.release()
  }

  #reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    assert(this.length + size <= HEAP_SIZE_BYTES_MAX, 'heap is full')
    this.#memory.ensure(this.length + size)
    const { array } = this.#memory
    // Memory grows by more than was asked for: what lies behind the last offset is not for use.
    this.bytes = array.length > HEAP_SIZE_BYTES_MAX ? array.subarray(0, HEAP_SIZE_BYTES_MAX) : array
  }
}

/** A value behind the end of a heap. */
export interface WrittenValue {
  readonly offset: number
  /** Of its bytes, behind their length. */
  readonly start: number
  readonly length: number
  readonly end: number
}

export function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((size, { length }) => size + length, 0)
}

interface Destination {
  readonly target: Uint8Array
  readonly position: number
  readonly length: number
}

/** Short values byte by byte: `set` with a subarray costs more than it saves below 64 bytes. */
function copyBytes(source: Uint8Array, start: number, destination: Destination): void {
  const { target, position, length } = destination
  if (length > 64) {
    target.set(source.subarray(start, start + length), position)
    return
  }
  for (let i = 0; i < length; i++) target[position + i] = source[start + i]!
}

/** Byte length of the value at `offset`. */
export function heapLength(bytes: Uint8Array, offset: number): number {
  let value = 0
  let shift = 0
  let position = offset
  let byte = bytes[position++]!
  while (byte > 127) {
    value += (byte & 127) * 2 ** shift
    shift += 7
    byte = bytes[position++]!
  }
  return value + byte * 2 ** shift
}

/** How many bytes the length in front of a value of `length` bytes takes. */
export function lengthSize(length: number): number {
  let size = 1
  for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) size += 1
  return size
}
