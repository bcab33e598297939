/**
 * Distinct strings of one column, each under a dense code. Code 0 is the empty string.
 *
 * Readers need only the heap and the offsets; the hash from bytes to code is the writer's own. A
 * full hash is replaced in steps, as in ids/slot-table.ts.
 */
import { crc32 } from 'node:zlib'
import type { HeapView } from '#graph/view.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { hashBytes, mix } from '../ids/hash.ts'
import { allocateWords } from '../memory/allocate.ts'
import { type ByteRange, holdsAt } from '../memory/compare.ts'
import { Growable, type Meter } from '../memory/growable.ts'
import { Heap, heapLength, lengthSize } from '../memory/heap.ts'

/** Codes that one piece of a new dictionary looks at. */
const CODES_PER_PIECE = 16_384
/** Slots of a full hash that one added string copies into the next one. */
const SLOTS_PER_STEP = 32
/** From here on a checksum of the platform is faster. Hashes of strings are stored nowhere. */
const NATIVE_SIZE_BYTES_MIN = 4_096

function hashString(bytes: Uint8Array, start: number, length: number): number {
  if (length < NATIVE_SIZE_BYTES_MIN) return hashBytes(bytes, start, length)
  return mix(crc32(bytes.subarray(start, start + length)))
}

/** Some of the strings of a dictionary, and the new code of each old one; 0 for those left out. */
export interface DictionaryPart {
  readonly dictionary: Dictionary
  readonly newCodes: Uint32Array
}

export class Dictionary {
  count = 1
  readonly heap: Heap
  readonly #offsets: Growable<'uint32'>
  /** Pairs of hash and code; code 0 marks a free slot, since '' is answered without a look. */
  #slots: Uint32Array
  /** Of twice the size, while it is filled. */
  #nextSlots: Uint32Array | null = null
  /** Words of `#slots` that were copied into it. */
  #copied = 0
  readonly #meter: Meter

  constructor(meter: Meter, stored?: HeapView) {
    this.#meter = meter
    this.heap = new Heap(meter, stored?.bytes)
    this.#offsets = new Growable('uint32', meter, stored?.offsets ?? undefined)
    this.#offsets.ensure(1)
    this.#slots = allocateWords(32)
    this.#meter.bytes += this.#slots.byteLength
    if (stored !== undefined) this.#reindex(stored.offsets!.length)
  }

  get sizeBytes(): number {
    return this.heap.sizeBytes + this.#offsets.sizeBytes + this.#slotBytes
  }

  offsetOf(code: number): number {
    return this.#offsets.array[code]!
  }

  /** What the string of a code takes in the heap. */
  heapSizeOf(code: number): number {
    const length = heapLength(this.heap.bytes, this.offsetOf(code))
    return lengthSize(length) + length
  }

  /** Some of the strings, in pieces between which none may be added. */
  *partOf(codes: Uint8Array): Generator<undefined, DictionaryPart> {
    const dictionary = new Dictionary(this.#meter)
    const newCodes = new Uint32Array(this.count)
    let pieceEnd = VALUE_PIECE_BYTES
    for (let code = 1; code < this.count; code++) {
      if (code % CODES_PER_PIECE === 0) yield
      if (codes[code] !== 1) continue
      const offset = this.offsetOf(code)
      const length = heapLength(this.heap.bytes, offset)
      const start = offset + lengthSize(length)
      newCodes[code] =
        length > VALUE_PIECE_BYTES
          ? yield* dictionary.codeInPieces([this.heap.bytes.subarray(start, start + length)])
          : dictionary.codeOf(this.heap.bytes, start, length)
      if (dictionary.heap.length < pieceEnd) continue
      pieceEnd = dictionary.heap.length + VALUE_PIECE_BYTES
      yield
    }
    return { dictionary, newCodes }
  }

  /** The code of some bytes, or -1 when no row ever held them. */
  find(bytes: Uint8Array, start: number, length: number): number {
    if (length === 0) return 0
    const slot = this.#probe(hashString(bytes, start, length), { bytes, start, length })
    const code = this.#slots[slot + 1]!
    return code === 0 ? -1 : code
  }

  /** The code of some bytes, a new one if they are new. */
  codeOf(bytes: Uint8Array, start: number, length: number): number {
    if (length === 0) return 0
    const hash = hashString(bytes, start, length)
    const slot = this.#probe(hash, { bytes, start, length })
    const found = this.#slots[slot + 1]!
    return found === 0 ? this.#add(slot, hash, this.heap.append(bytes, start, length)) : found
  }

  /** As `codeOf`, of a long string in parts, with pauses in which none may be added. */
  *codeInPieces(parts: readonly Uint8Array[]): Generator<undefined, number> {
    const { heap } = this
    const { offset, start, length, end } = yield* heap.writeBehind(parts)
    if (length === 0) return 0
    const hash = hashString(heap.bytes, start, length)
    const slot = this.#probe(hash, { bytes: heap.bytes, start, length })
    const found = this.#slots[slot + 1]!
    if (found !== 0) return found
    heap.length = end
    return this.#add(slot, hash, offset)
  }

  #add(slot: number, hash: number, offset: number): number {
    const code = this.count
    this.#offsets.ensure(code + 1)
    this.#offsets.array[code] = offset
    this.#slots[slot] = hash
    this.#slots[slot + 1] = code
    if (slot < this.#copied) place(this.#nextSlots!, hash, code)
    this.count = code + 1
    if (this.count * 4 > this.#slots.length) this.#makeRoom()
    return code
  }

  view(): HeapView {
    return { bytes: this.heap.bytes, offsets: this.#offsets.array }
  }

  /** Lets go of codes and hash, and of the heap unless somebody else uses it on. */
  release(withHeap: boolean): void {
    this.#offsets.release()
    this.#meter.bytes -= this.#slotBytes
    if (withHeap) this.heap.release()
  }

  #probe(hash: number, value: ByteRange): number {
    const slots = this.#slots
    const mask = slots.length / 2 - 1
    let index = hash & mask
    for (;;) {
      const slot = index * 2
      const code = slots[slot + 1]!
      if (code === 0 || (slots[slot] === hash && this.#holds(code, value))) return slot
      index = (index + 1) & mask
    }
  }

  #holds(code: number, value: ByteRange): boolean {
    const heap = this.heap.bytes
    const offset = this.#offsets.array[code]!
    const length = heapLength(heap, offset)
    if (length !== value.length) return false
    return holdsAt(heap, offset + lengthSize(length), value)
  }

  get #slotBytes(): number {
    return this.#slots.byteLength + (this.#nextSlots?.byteLength ?? 0)
  }

  /** Copies the next slots; after the last one the next hash takes the place of the full one. */
  #makeRoom(): void {
    const next = this.#nextSlots ?? this.#beginNext()
    const slots = this.#slots
    const end = Math.min(this.#copied + SLOTS_PER_STEP * 2, slots.length)
    for (let slot = this.#copied; slot < end; slot += 2) {
      if (slots[slot + 1] !== 0) place(next, slots[slot]!, slots[slot + 1]!)
    }
    this.#copied = end
    if (end < slots.length) return
    this.#meter.bytes -= slots.byteLength
    this.#slots = next
    this.#nextSlots = null
    this.#copied = 0
  }

  #beginNext(): Uint32Array {
    this.#nextSlots = allocateWords(this.#slots.length * 2)
    this.#meter.bytes += this.#nextSlots.byteLength
    return this.#nextSlots
  }

  #reindex(count: number): void {
    this.count = count
    let slotCount = 16
    while (slotCount < count * 4) slotCount *= 2
    this.#meter.bytes += slotCount * 8 - this.#slots.byteLength
    this.#slots = allocateWords(slotCount * 2)
    const heap = this.heap.bytes
    for (let code = 1; code < count; code++) {
      const offset = this.#offsets.array[code]!
      const length = heapLength(heap, offset)
      place(this.#slots, hashString(heap, offset + lengthSize(length), length), code)
    }
  }
}

function place(slots: Uint32Array, hash: number, code: number): void {
  const mask = slots.length / 2 - 1
  let index = hash & mask
  while (slots[index * 2 + 1] !== 0) index = (index + 1) & mask
  slots[index * 2] = hash
  slots[index * 2 + 1] = code
}
