/**
 * Attribute values of every type, from JSON bytes to frame bytes. Scalars go straight into the
 * frame; collections and tuples are put together beside it first, since the frame wants their
 * size before and their elements sorted.
 */
import type { AttributeType, ElementType, TupleField, TupleType } from '#catalog/types.ts'
import {
  joinCounted,
  sortMapEntries,
  sortUnique,
  type TupleLookup,
} from '#graph/mutate/frame-values.ts'
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { DbError } from '#kernel/errors.ts'
import type { JsonBytes } from './json-bytes.ts'
import { integerRange, readExactInteger, readScalar, unconvertible } from './scalar-reader.ts'

const encoder = new TextEncoder()
const listName = ['keylist', 'keyList'].map((name) => encoder.encode(name))
const valueName = ['valuelist', 'valueList'].map((name) => encoder.encode(name))

/** Reads the value at the reader and appends it in the position of a field. */
export function readAttributeValue(
  reader: JsonBytes,
  writer: FrameWriter,
  type: AttributeType,
  tuples: TupleLookup,
): void {
  switch (type.kind) {
    case 'LIST':
      readList(reader, writer, { element: type.element, tuples })
      return
    case 'SET': {
      const elements = readElements(reader, type.element, { kind: 'SET', tuples })
      append(writer, joinCounted(sortUnique(elements)))
      return
    }
    case 'MAP':
      append(writer, readMap(reader, type, tuples))
      return
    case 'TUPLE':
      append(writer, readTuple(reader, tuples(type.name)))
      return
    case 'FIXED_BINARY':
      readFixedBinary(reader, writer, type.length)
      return
    case 'VECTOR':
      readVector(reader, writer, type.dimension)
      return
    default:
      readScalar(reader, writer, type.kind)
  }
}

function append(writer: FrameWriter, encoded: Uint8Array): void {
  writer.lengthAndBytes(encoded, 0, encoded.length)
}

/** The largest memory that stays for the next list. */
const LIST_KEPT_BYTES_MAX = 2 ** 20
let listScratch = new FrameWriter(0, 1_024)

/** The elements are written behind each other: an array of each would take the loop for long. */
function readList(
  reader: JsonBytes,
  writer: FrameWriter,
  { element, tuples }: { readonly element: ElementType; readonly tuples: TupleLookup },
): void {
  if (reader.peek() !== 0x5b) throw unconvertible(reader, 'LIST')
  reader.at++
  const elements = listScratch
  const start = elements.used
  let count = 0
  try {
    for (let isFirst = true; reader.nextMember(0x5d, isFirst); isFirst = false) {
      if (element.kind === 'TUPLE') {
        const tuple = readTuple(reader, tuples(element.name))
        elements.raw(tuple, 0, tuple.length)
      } else readScalar(reader, elements, element.kind)
      count++
    }
    writer.varint(varintSize(count) + elements.used - start)
    writer.varint(count)
    writer.raw(elements.bytes, start, elements.used)
  } finally {
    elements.used = start
    if (elements.bytes.length > LIST_KEPT_BYTES_MAX) listScratch = new FrameWriter(0, 1_024)
  }
}

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
  return size
}

interface ElementContext {
  /** What the value as a whole should have been, for messages. */
  readonly kind: string
  readonly tuples: TupleLookup
}

/** The encoded elements of the array at the reader. */
function readElements(
  reader: JsonBytes,
  type: ElementType,
  { kind, tuples }: ElementContext,
): Uint8Array[] {
  if (reader.peek() !== 0x5b) throw unconvertible(reader, kind)
  reader.at++
  const elements: Uint8Array[] = []
  for (let isFirst = true; reader.nextMember(0x5d, isFirst); isFirst = false) {
    elements.push(readElement(reader, type, tuples))
  }
  return elements
}

const scratch = new FrameWriter(0, 1_024)

function readElement(reader: JsonBytes, type: ElementType, tuples: TupleLookup): Uint8Array {
  if (type.kind === 'TUPLE') return readTuple(reader, tuples(type.name))
  const start = scratch.used
  try {
    readScalar(reader, scratch, type.kind)
    return scratch.bytes.slice(start, scratch.used)
  } finally {
    scratch.used = start
  }
}

/** Where the two lists of `{"keylist": …, "valuelist": …}` begin; the reader stands behind both. */
interface KeyedLists {
  readonly keysAt: number
  readonly valuesAt: number
}

function findLists(reader: JsonBytes, kind: string): KeyedLists {
  if (reader.peek() !== 0x7b) throw unconvertible(reader, kind)
  reader.at++
  let keysAt = -1
  let valuesAt = -1
  for (let isFirst = true; reader.nextMember(0x7d, isFirst); isFirst = false) {
    reader.key()
    reader.peek()
    if (listName.some((name) => reader.textEquals(name))) keysAt = reader.at
    else if (valueName.some((name) => reader.textEquals(name))) valuesAt = reader.at
    else throw keyedListsExpected(kind)
    reader.skipValue()
  }
  if (keysAt < 0 || valuesAt < 0) throw keyedListsExpected(kind)
  return { keysAt, valuesAt }
}

function keyedListsExpected(kind: string): DbError {
  return new DbError(
    'INVALID_PAYLOAD',
    `value cannot be converted to ${kind}: it must be an object of 'keylist' and 'valuelist'`,
  )
}

function readMap(
  reader: JsonBytes,
  type: { readonly key: ElementType; readonly value: ElementType },
  tuples: TupleLookup,
): Uint8Array {
  const { keysAt, valuesAt } = findLists(reader, 'MAP')
  const behind = reader.at
  reader.at = keysAt
  const keys = readElements(reader, type.key, { kind: 'MAP', tuples })
  reader.at = valuesAt
  const values = readElements(reader, type.value, { kind: 'MAP', tuples })
  reader.at = behind
  if (keys.length !== values.length) throw unequalLengths('MAP')
  const entries = keys.map((key, index) => ({ key, value: values[index]! }))
  return joinCounted(sortMapEntries(entries))
}

function unequalLengths(kind: string): DbError {
  const message = `value cannot be converted to ${kind}: 'keylist' and 'valuelist' differ in length`
  return new DbError('INVALID_PAYLOAD', message)
}

/** The encoded fields in declaration order; fields not named are zero. */
function readTuple(reader: JsonBytes, tuple: TupleType): Uint8Array {
  const { keysAt, valuesAt } = findLists(reader, tuple.name)
  const behind = reader.at
  reader.at = keysAt
  const names = readFieldNames(reader, tuple)
  reader.at = valuesAt
  const encoded = readFieldValues(reader, tuple, names)
  reader.at = behind
  const writer = new FrameWriter(0, 256)
  const start = writer.used
  tuple.fields.forEach((field, index) => {
    const bytes = encoded[index] ?? zeroOf(field)
    writer.raw(bytes, 0, bytes.length)
  })
  return writer.bytes.slice(start, writer.used)
}

/** The field number of each name in the keylist. */
function readFieldNames(reader: JsonBytes, tuple: TupleType): number[] {
  if (reader.peek() !== 0x5b) throw unconvertible(reader, tuple.name)
  reader.at++
  const fields: number[] = []
  for (let isFirst = true; reader.nextMember(0x5d, isFirst); isFirst = false) {
    if (reader.peek() !== 0x22) throw unconvertible(reader, tuple.name)
    reader.string()
    const name = reader.textOf()
    const field = tuple.fields.findIndex((candidate) => candidate.name === name)
    if (field < 0) {
      throw new DbError('INVALID_PAYLOAD', `Unknown field '${name}' of tuple ${tuple.name}`)
    }
    fields.push(field)
  }
  return fields
}

function readFieldValues(
  reader: JsonBytes,
  tuple: TupleType,
  names: readonly number[],
): (Uint8Array | undefined)[] {
  if (reader.peek() !== 0x5b) throw unconvertible(reader, tuple.name)
  reader.at++
  const encoded: (Uint8Array | undefined)[] = []
  let count = 0
  for (let isFirst = true; reader.nextMember(0x5d, isFirst); isFirst = false) {
    const field = names[count++]
    if (field === undefined) throw unequalLengths(tuple.name)
    encoded[field] = readField(reader, tuple.fields[field]!)
  }
  if (count !== names.length) throw unequalLengths(tuple.name)
  return encoded
}

function readField(reader: JsonBytes, field: TupleField): Uint8Array {
  if (field.length !== undefined && (field.type === 'INT' || field.type === 'UINT')) {
    const range = integerRange(field.type === 'UINT', field.length)
    const value = readExactInteger(reader, field.type, range)
    return encodedBy((writer) => writer.bigint64(value))
  }
  if (field.length !== undefined && field.type === 'STRING' && reader.peek() === 0x22) {
    reader.string()
    const kept = [...reader.textOf()].slice(0, field.length).join('')
    return encodedBy((writer) => writer.text(kept))
  }
  return readElement(reader, { kind: field.type }, noTuples)
}

function zeroOf(field: TupleField): Uint8Array {
  switch (field.type) {
    case 'STRING':
    case 'BOOL':
      return new Uint8Array(1)
    case 'FLOAT':
      return new Uint8Array(4)
    default:
      return new Uint8Array(8)
  }
}

function encodedBy(write: (writer: FrameWriter) => void): Uint8Array {
  const writer = new FrameWriter(0, 64)
  const start = writer.used
  write(writer)
  return writer.bytes.slice(start, writer.used)
}

/** Tuple fields are scalars only. */
const noTuples: TupleLookup = (name) => {
  throw new Error(`assertion failed: tuple ${name} inside a tuple`)
}

/** A string whose UTF-8 has exactly `length` bytes.. */
function readFixedBinary(reader: JsonBytes, writer: FrameWriter, length: number): void {
  const kind = `FIXED_BINARY(${length})`
  if (reader.peek() !== 0x22) throw unconvertible(reader, kind)
  reader.string()
  if (reader.textEnd - reader.textStart !== length) {
    throw new DbError(
      'INVALID_PAYLOAD',
      `value cannot be converted to ${kind}: not ${length} bytes`,
    )
  }
  writer.lengthAndBytes(reader.text, reader.textStart, reader.textEnd)
}

/** So many numbers, straight into the frame: their size is known before they are read. */
function readVector(reader: JsonBytes, writer: FrameWriter, dimension: number): void {
  if (reader.peek() !== 0x5b) throw unconvertible(reader, `VECTOR(${dimension})`)
  reader.at++
  writer.varint(dimension * 4)
  let count = 0
  for (let isFirst = true; reader.nextMember(0x5d, isFirst); isFirst = false) {
    if (++count > dimension) break
    readScalar(reader, writer, 'FLOAT')
  }
  if (count === dimension) return
  const found = count > dimension ? 'more' : `${count}`
  throw new DbError(
    'INVALID_PAYLOAD',
    `value cannot be converted to VECTOR(${dimension}): it has ${found} numbers`,
  )
}
