/**
 * Attribute values between JavaScript and the bytes of docs/formats/mutation-frame.md. For writes
 * of queries, tests and tools; the upsert parser writes the same bytes without these values.
 */
import type { AttributeType, AttributeValue, ElementType, TupleType } from '#catalog/types.ts'
import { assert, unreachable } from '#kernel/assert.ts'
import { decodeVector, encodeVector } from '../columns/vectors.ts'
import { compareBytes } from '../memory/compare.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { FrameWriter } from './frame-writer.ts'

/** Looks a tuple up by name; the catalogue's tuples, usually. */
export type TupleLookup = (name: string) => TupleType

export function tupleLookup(tuples: readonly TupleType[]): TupleLookup {
  return (name) => {
    const tuple = tuples.find((candidate) => candidate.name === name)
    assert(tuple !== undefined, `no tuple ${name}`)
    return tuple
  }
}

/** Appends one value in the position of a field. */
export function writeValue(
  writer: FrameWriter,
  type: AttributeType,
  value: AttributeValue,
  tuples: TupleLookup,
): void {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
    case 'MAP':
    case 'TUPLE':
    case 'VECTOR':
    case 'FIXED_BINARY': {
      const bytes = encodeNested(type, value, tuples)
      writer.lengthAndBytes(bytes, 0, bytes.length)
      return
    }
    default:
      writeElement(writer, type, value, tuples)
  }
}

/** The encoded form of a collection, tuple or FIXED_BINARY, without its length. */
export function encodeNested(
  type: AttributeType,
  value: AttributeValue,
  tuples: TupleLookup,
): Uint8Array {
  switch (type.kind) {
    case 'FIXED_BINARY':
      assert(value instanceof Uint8Array && value.length === type.length, 'not that many bytes')
      return value
    case 'VECTOR':
      return encodeVector(elementsOf(value) as readonly number[])
    case 'LIST':
      return joinCounted(elementsOf(value).map((item) => encodeElement(type.element, item, tuples)))
    case 'SET':
      return joinCounted(
        sortUnique(elementsOf(value).map((item) => encodeElement(type.element, item, tuples))),
      )
    case 'MAP':
      return joinCounted(
        sortMapEntries(
          elementsOf(value).map((pair) => {
            const [key, item] = elementsOf(pair)
            return {
              key: encodeElement(type.key, key!, tuples),
              value: encodeElement(type.value, item!, tuples),
            }
          }),
        ),
      )
    default:
      return encodeElement(type as ElementType, value, tuples)
  }
}

/** Ascending by bytes, each once. */
export function sortUnique(encoded: readonly Uint8Array[]): Uint8Array[] {
  return encoded
    .toSorted(compareBytes)
    .filter((bytes, index, all) => index === 0 || compareBytes(all[index - 1]!, bytes) !== 0)
}

/** Ascending by key bytes; of equal keys the last one counts. Keys and values then alternate. */
export function sortMapEntries(
  entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
): Uint8Array[] {
  return entries
    .toSorted((left, right) => compareBytes(left.key, right.key))
    .filter((entry, index, all) => {
      const next = all[index + 1]
      return next === undefined || compareBytes(entry.key, next.key) !== 0
    })
    .map((entry) => concat([entry.key, entry.value]))
}

/** A count and the parts behind each other. */
export function joinCounted(parts: readonly Uint8Array[]): Uint8Array {
  const writer = scratch()
  const start = writer.used
  writer.varint(parts.length)
  for (const part of parts) writer.raw(part, 0, part.length)
  return writer.bytes.slice(start, writer.used)
}

/** Reads one field's value; INT, UINT and DATETIME are numbers while they are safe integers. */
export function readValue(
  cursor: FrameCursor,
  type: AttributeType,
  tuples: TupleLookup,
): AttributeValue {
  switch (type.kind) {
    case 'LIST':
    case 'SET':
      cursor.varint()
      return readMany(cursor, () => readElement(cursor, type.element, tuples))
    case 'MAP':
      cursor.varint()
      return readMany(cursor, () => [
        readElement(cursor, type.key, tuples),
        readElement(cursor, type.value, tuples),
      ])
    case 'FIXED_BINARY':
      return readBytes(cursor)
    case 'VECTOR':
      return decodeVector(readBytes(cursor))
    case 'TUPLE':
      cursor.varint()
      return readElement(cursor, type, tuples)
    default:
      return readElement(cursor, type, tuples)
  }
}

function writeElement(
  writer: FrameWriter,
  type: ElementType,
  value: AttributeValue,
  tuples: TupleLookup,
): void {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
    case 'DATETIME':
      writer.bigint64(BigInt(value as number | bigint))
      return
    case 'FLOAT':
      writer.float32(Number(value))
      return
    case 'DOUBLE':
      writer.float64(Number(value))
      return
    case 'BOOL':
      writer.byte(value === true ? 1 : 0)
      return
    case 'STRING':
      writer.text(value as string)
      return
    case 'TUPLE': {
      const fields = tuples(type.name).fields
      const values = elementsOf(value)
      fields.forEach((field, index) => {
        writeElement(writer, { kind: field.type }, values[index]!, tuples)
      })
      return
    }
    default:
      unreachable(type)
  }
}

function encodeElement(type: ElementType, value: AttributeValue, tuples: TupleLookup): Uint8Array {
  const writer = scratch()
  const start = writer.used
  writeElement(writer, type, value, tuples)
  return writer.bytes.slice(start, writer.used)
}

function readElement(cursor: FrameCursor, type: ElementType, tuples: TupleLookup): AttributeValue {
  switch (type.kind) {
    case 'INT':
    case 'DATETIME':
      return exact(cursor.bigint64())
    case 'UINT':
      return exact(BigInt.asUintN(64, cursor.bigint64()))
    case 'FLOAT':
      return cursor.float32()
    case 'DOUBLE':
      return cursor.float64()
    case 'BOOL':
      return cursor.byte() !== 0
    case 'STRING':
      return decoder.decode(readBytes(cursor))
    case 'TUPLE':
      return tuples(type.name).fields.map((field) =>
        readElement(cursor, { kind: field.type }, tuples),
      )
    default:
      return unreachable(type)
  }
}

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function readBytes(cursor: FrameCursor): Uint8Array {
  const length = cursor.varint()
  cursor.skip(length)
  return cursor.bytes.subarray(cursor.at - length, cursor.at)
}

function readMany(cursor: FrameCursor, readOne: () => AttributeValue): AttributeValue[] {
  return Array.from({ length: cursor.varint() }, readOne)
}

function exact(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function elementsOf(value: AttributeValue): readonly AttributeValue[] {
  assert(Array.isArray(value), 'not an array')
  return value as readonly AttributeValue[]
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

function scratch(): FrameWriter {
  return new FrameWriter(0, 256)
}
