/**
 * The union of two encoded sets, or what one encoded map makes of another, in steps: both may hold
 * millions of items. Items ascend by their keys, and of equal keys the second value's item stays.
 */
import type { AttributeType } from '#catalog/types.ts'
import type { EncodedReader } from './encoded.ts'

/** As a list it has the form of a set. */
type ItemType = AttributeType & { readonly kind: 'LIST' | 'SET' | 'MAP' }

/** Bytes that a step compares and copies, about; an item counts as more than it is. */
const STEP_BYTES = 512 * 1024
const ITEM_COST_BYTES = 32
/** From here on a call of the platform costs less than the loop. */
const NATIVE_SIZE_BYTES_MIN = 64

export class ItemMerge {
  #count = 0
  readonly #type: ItemType
  readonly #first: ItemWalk
  readonly #second: ItemWalk
  readonly #merged: Uint8Array
  #used = 0

  constructor(type: ItemType, first: EncodedReader, second: EncodedReader) {
    this.#type = type
    this.#first = new ItemWalk(first)
    this.#second = new ItemWalk(second)
    this.#merged = new Uint8Array(first.bytes.length + second.bytes.length)
    this.#first.next(type)
    this.#second.next(type)
  }

  /** What it has made when it is done. */
  get parts(): readonly Uint8Array[] {
    return [encodedCount(this.#count), this.#merged.subarray(0, this.#used)]
  }

  /** @returns whether the merge is done */
  step(): boolean {
    const [first, second] = [this.#first, this.#second]
    let left = STEP_BYTES
    while (left > 0) {
      if (first.isOver && second.isOver) return true
      const order = first.isOver ? 1 : second.isOver ? -1 : compareKeys(first, second)
      const taken = order < 0 ? first : second
      left -= ITEM_COST_BYTES + this.#take(taken)
      if (order === 0) first.next(this.#type)
      taken.next(this.#type)
    }
    return false
  }

  /** @returns the size of the item */
  #take({ bytes, start, end }: ItemWalk): number {
    const size = end - start
    if (size < NATIVE_SIZE_BYTES_MIN) {
      for (let at = 0; at < size; at++) this.#merged[this.#used + at] = bytes[start + at]!
    } else this.#merged.set(bytes.subarray(start, end), this.#used)
    this.#used += size
    this.#count += 1
    return size
  }
}

export function encodedCount(count: number): Uint8Array {
  const head: number[] = []
  let rest = count
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128)
  return new Uint8Array([...head, rest])
}

/** The items of an encoded set or map, one after the other. */
class ItemWalk {
  readonly bytes: Uint8Array
  /** Of the item at hand; its key, which is the whole element of a set, comes first. */
  start = 0
  keyEnd = 0
  end = 0
  isOver = false
  readonly #reader: EncodedReader
  #left: number

  constructor(reader: EncodedReader) {
    this.bytes = reader.bytes
    this.#reader = reader
    this.#left = reader.bytes.length === 0 ? 0 : reader.varint()
  }

  next(type: ItemType): void {
    const reader = this.#reader
    this.isOver = this.#left === 0
    if (this.isOver) return
    this.#left -= 1
    this.start = reader.position
    reader.skipElement(type.kind === 'MAP' ? type.key : type.element)
    this.keyEnd = reader.position
    if (type.kind === 'MAP') reader.skipElement(type.value)
    this.end = reader.position
  }
}

function compareKeys(one: ItemWalk, other: ItemWalk): number {
  const [sizeOne, sizeOther] = [one.keyEnd - one.start, other.keyEnd - other.start]
  const size = Math.min(sizeOne, sizeOther)
  if (size >= NATIVE_SIZE_BYTES_MIN) {
    const key = one.bytes.subarray(one.start, one.keyEnd)
    return Buffer.compare(key, other.bytes.subarray(other.start, other.keyEnd))
  }
  for (let at = 0; at < size; at++) {
    const difference = one.bytes[one.start + at]! - other.bytes[other.start + at]!
    if (difference !== 0) return difference
  }
  return sizeOne - sizeOther
}
