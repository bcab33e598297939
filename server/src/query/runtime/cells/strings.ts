/**
 * Strings of a query, each kept once: a STRING in generated code is a number, its code here.
 * Equal strings have equal codes; code 0 is the empty string. Bytes are UTF-8; they and the tables
 * count against the query's memory.
 */
import type { MemoryBudget } from './memory.ts'

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()
const FIRST_BYTES = 4096
const FIRST_CODES = 256

/** A text on the heap and what a function makes of it: two bytes a unit each. */
const TEXT_SIZE_FACTOR = 4
/** A character as an element of an array. */
const CHARACTER_SIZE_BYTES = 40

export class StringTable {
  private bytes = new Uint8Array(FIRST_BYTES)
  private used = 0
  private offsets = new Float64Array(FIRST_CODES)
  private hashes = new Uint32Array(FIRST_CODES)
  private count = 0
  private slots = new Int32Array(FIRST_CODES * 2)
  private scratch = new Uint8Array(256)
  private readonly memory: MemoryBudget

  constructor(memory: MemoryBudget) {
    this.memory = memory
    memory.take(FIRST_BYTES + FIRST_CODES * 20 + this.scratch.length)
    this.internBytes(this.scratch, 0, 0)
  }

  intern(text: string): number {
    this.scratchFor(text.length * 3)
    const { written } = encoder.encodeInto(text, this.scratch)
    return this.internBytes(this.scratch, 0, written)
  }

  internBytes(source: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(source, start, end)
    const mask = this.slots.length - 1
    let slot = hash & mask
    for (;;) {
      const code = this.slots[slot]! - 1
      if (code < 0) return this.append(source, { start, end }, hash)
      if (this.hashes[code] === hash && this.sameBytes(code, source, { start, end })) return code
      slot = (slot + 1) & mask
    }
  }

  /** @throws DbError `QUERY_MEMORY_LIMIT` when it is too long for the heap */
  text(code: number): string {
    const bytes = this.view(code)
    this.memory.checkOperation(bytes.length * TEXT_SIZE_FACTOR)
    return decoder.decode(bytes)
  }

  /** The bytes of a string; valid until the next one is interned. */
  view(code: number): Uint8Array {
    return this.bytes.subarray(this.offsets[code]!, this.offsets[code + 1]!)
  }

  concat(left: number, right: number): number {
    if (left === 0) return right
    if (right === 0) return left
    const a = this.view(left)
    const b = this.view(right)
    const length = a.length + b.length
    this.scratchFor(length)
    this.scratch.set(a)
    this.scratch.set(b, a.length)
    return this.internBytes(this.scratch, 0, length)
  }

  /** The code of several strings in a row. */
  join(codes: readonly number[]): number {
    const length = codes.reduce((sum, code) => sum + this.view(code).length, 0)
    this.scratchFor(length)
    let at = 0
    for (const code of codes) {
      const part = this.view(code)
      this.scratch.set(part, at)
      at += part.length
    }
    return this.internBytes(this.scratch, 0, length)
  }

  /** @throws DbError `QUERY_MEMORY_LIMIT` when a string of so many units is too much */
  reserve(length: number): void {
    this.memory.checkOperation(length * TEXT_SIZE_FACTOR)
  }

  /** @throws DbError `QUERY_MEMORY_LIMIT` when an array of so many characters is too much */
  reserveCharacters(length: number): void {
    this.memory.checkOperation(length * CHARACTER_SIZE_BYTES)
  }

  private scratchFor(length: number): void {
    if (this.scratch.length >= length) return
    this.memory.take(length * 2)
    this.memory.give(this.scratch.length)
    this.scratch = new Uint8Array(length * 2)
  }

  /** Order of the UTF-8 bytes, which is the order of code points. */
  compare(left: number, right: number): number {
    if (left === right) return 0
    let a = this.offsets[left]!
    let b = this.offsets[right]!
    const aEnd = this.offsets[left + 1]!
    const bEnd = this.offsets[right + 1]!
    while (a < aEnd && b < bEnd) {
      const difference = this.bytes[a++]! - this.bytes[b++]!
      if (difference !== 0) return difference
    }
    return aEnd - a - (bEnd - b)
  }

  private sameBytes(code: number, source: Uint8Array, range: ByteRange): boolean {
    const from = this.offsets[code]!
    const length = range.end - range.start
    if (this.offsets[code + 1]! - from !== length) return false
    for (let i = 0; i < length; i++) {
      if (this.bytes[from + i] !== source[range.start + i]) return false
    }
    return true
  }

  private append(source: Uint8Array, range: ByteRange, hash: number): number {
    const code = this.count
    const length = range.end - range.start
    if (this.used + length > this.bytes.length) this.growBytes(this.used + length)
    if (code + 2 > this.offsets.length) this.growCodes()
    this.bytes.set(source.subarray(range.start, range.end), this.used)
    this.used += length
    this.offsets[code + 1] = this.used
    this.hashes[code] = hash
    this.count++
    if (this.count * 2 > this.slots.length) this.growSlots()
    else insertSlot(this.slots, hash, code)
    return code
  }

  private growBytes(needed: number): void {
    let length = this.bytes.length
    while (length < needed) length *= 2
    this.memory.take(length)
    const grown = new Uint8Array(length)
    grown.set(this.bytes)
    this.memory.give(this.bytes.length)
    this.bytes = grown
  }

  private growCodes(): void {
    const length = this.offsets.length * 2
    this.memory.take(length * 12)
    const offsets = new Float64Array(length)
    offsets.set(this.offsets)
    const hashes = new Uint32Array(length)
    hashes.set(this.hashes)
    this.memory.give(this.offsets.length * 12)
    this.offsets = offsets
    this.hashes = hashes
  }

  private growSlots(): void {
    const length = this.slots.length * 2
    this.memory.take(length * 4)
    this.memory.give(this.slots.length * 4)
    this.slots = new Int32Array(length)
    for (let code = 0; code < this.count; code++) insertSlot(this.slots, this.hashes[code]!, code)
  }
}

interface ByteRange {
  readonly start: number
  readonly end: number
}

function insertSlot(slots: Int32Array, hash: number, code: number): void {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = code + 1
}

/** FNV-1a with a final mix, so that the low bits are usable as a slot. */
export function hashBytes(source: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ source[i]!, 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) >>> 0
}
