/**
 * Collections and tuples in their encoded form (docs/formats/mutation-frame.md): walking, decoding
 * and merging them. No bytes at all mean the empty collection or a tuple of zeros.
 */
import type {
  AttributeType,
  AttributeValue,
  ElementType,
  ScalarTypeName,
  TupleType,
} from '#catalog/types.ts'
import { assert } from '#kernel/assert.ts'
import { compareBytes } from '../memory/compare.ts'
import { decodeVector } from './vectors.ts'

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class EncodedReader {
  position: number
  readonly bytes: Uint8Array
  readonly tuples: readonly TupleType[]
  readonly #view: DataView

  constructor(bytes: Uint8Array, tuples: readonly TupleType[], position = 0) {
    this.bytes = bytes
    this.tuples = tuples
    this.position = position
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.bytes[this.position++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }

  scalar(type: ScalarTypeName): number | bigint | boolean | string {
    switch (type) {
      case 'STRING':
        return this.#text()
      case 'BOOL':
        return this.bytes[this.position++] !== 0
      case 'FLOAT':
        this.position += 4
        return this.#view.getFloat32(this.position - 4, true)
      case 'DOUBLE':
        this.position += 8
        return this.#view.getFloat64(this.position - 8, true)
      default:
        return this.#integer(type === 'UINT')
    }
  }

  tupleOf(name: string): TupleType {
    const tuple = this.tuples.find((candidate) => candidate.name === name)
    assert(tuple !== undefined, `no tuple type ${name}`)
    return tuple
  }

  element(type: ElementType): AttributeValue {
    if (type.kind !== 'TUPLE') return this.scalar(type.kind)
    return this.tupleOf(type.name).fields.map((field) => this.scalar(field.type))
  }

  skipElement(type: ElementType): void {
    if (type.kind !== 'TUPLE') {
      this.#skipScalar(type.kind)
      return
    }
    for (const field of this.tupleOf(type.name).fields) this.#skipScalar(field.type)
  }

  #skipScalar(type: ScalarTypeName): void {
    if (type === 'BOOL') this.position += 1
    else if (type === 'FLOAT') this.position += 4
    else if (type === 'STRING') {
      const length = this.varint()
      this.position += length
    } else this.position += 8
  }

  #text(): string {
    const length = this.varint()
    const start = this.position
    this.position += length
    return decoder.decode(this.bytes.slice(start, start + length))
  }

  #integer(isUnsigned: boolean): number | bigint {
    const low = this.#view.getUint32(this.position, true)
    const high = isUnsigned
      ? this.#view.getUint32(this.position + 4, true)
      : this.#view.getInt32(this.position + 4, true)
    this.position += 8
    const value = high * 2 ** 32 + low
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low)
  }
}

/** The value of a whole encoded attribute. */
export function decodeValue(
  type: AttributeType,
  bytes: Uint8Array,
  tuples: readonly TupleType[],
): AttributeValue {
  const reader = new EncodedReader(bytes, tuples)
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      return decodeCounted(reader, () => reader.element(type.element))
    case 'MAP':
      return decodeCounted(reader, () => [reader.element(type.key), reader.element(type.value)])
    case 'FIXED_BINARY':
      return bytes.length === 0 ? new Uint8Array(type.length) : bytes.slice()
    case 'VECTOR':
      return decodeVector(bytes)
    case 'TUPLE':
      return bytes.length === 0 ? zeroTuple(reader.tupleOf(type.name)) : reader.element(type)
    default:
      return reader.scalar(type.kind)
  }
}

/** A tuple whose fields all hold their type's zero. */
export function zeroTuple(tuple: TupleType): AttributeValue[] {
  return tuple.fields.map((field) => {
    if (field.type === 'STRING') return ''
    return field.type === 'BOOL' ? false : 0
  })
}

function decodeCounted(reader: EncodedReader, one: () => AttributeValue): AttributeValue[] {
  if (reader.bytes.length === 0) return []
  const values: AttributeValue[] = []
  for (let count = reader.varint(); count > 0; count--) values.push(one())
  return values
}

interface Item {
  /** What orders and identifies the item: the element, or the key of a pair. */
  readonly key: Uint8Array
  /** The whole item as it is encoded. */
  readonly whole: Uint8Array
}

/**
 * What op `+` makes of two encoded values, in parts: LIST append, SET union, MAP merge in which the new
 * value of a key replaces the old one. Tuples and FIXED_BINARY are replaced.
 */
export function addEncoded(
  type: AttributeType,
  tuples: readonly TupleType[],
  old: Uint8Array,
  added: Uint8Array,
): readonly Uint8Array[] {
  switch (type.kind) {
    case 'LIST':
      return joinLists(old, added, tuples)
    case 'SET':
    case 'MAP':
      return joinItems(
        mergeItems(
          itemsOf(type, new EncodedReader(old, tuples)),
          itemsOf(type, new EncodedReader(added, tuples)),
        ),
      )
    default:
      return [added]
  }
}

/** The elements stay as they are, so that a list grows without being read. */
function joinLists(old: Uint8Array, added: Uint8Array, tuples: readonly TupleType[]): Uint8Array[] {
  if (old.length === 0 || added.length === 0) return [old.length === 0 ? added : old]
  const [first, second] = [new EncodedReader(old, tuples), new EncodedReader(added, tuples)]
  const head = encodedCount(first.varint() + second.varint())
  return [head, old.subarray(first.position), added.subarray(second.position)]
}

function encodedCount(count: number): Uint8Array {
  const head: number[] = []
  let rest = count
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128)
  return new Uint8Array([...head, rest])
}

function itemsOf(
  type: AttributeType & { kind: 'LIST' | 'SET' | 'MAP' },
  reader: EncodedReader,
): Item[] {
  if (reader.bytes.length === 0) return []
  const items: Item[] = []
  for (let count = reader.varint(); count > 0; count--) {
    const start = reader.position
    reader.skipElement(type.kind === 'MAP' ? type.key : type.element)
    const key = reader.bytes.subarray(start, reader.position)
    if (type.kind === 'MAP') reader.skipElement(type.value)
    items.push({ key, whole: reader.bytes.subarray(start, reader.position) })
  }
  return items
}

/** Both ascend by key; of equal keys the second list's item stays. */
function mergeItems(first: readonly Item[], second: readonly Item[]): Item[] {
  const merged: Item[] = []
  let i = 0
  let j = 0
  while (i < first.length || j < second.length) {
    const order =
      i === first.length ? 1 : j === second.length ? -1 : compareItems(first[i]!, second[j]!)
    if (order === 0) i += 1
    merged.push(order < 0 ? first[i++]! : second[j++]!)
  }
  return merged
}

function compareItems(a: Item, b: Item): number {
  return compareBytes(a.key, b.key)
}

function joinItems(items: readonly Item[]): Uint8Array[] {
  return [encodedCount(items.length), ...items.map(({ whole }) => whole)]
}
