/**
 * Collections and tuples in their encoded form (docs/formats/mutation-frame.md): walking and decoding
 * them. No bytes at all mean the empty collection or a tuple of zeros.
 */
import type {
  AttributeType,
  AttributeValue,
  ElementType,
  ScalarTypeName,
  TupleType,
} from '#catalog/types.ts'
import { assert } from '#kernel/assert.ts'
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
