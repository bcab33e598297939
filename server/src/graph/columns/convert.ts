/**
 * A column made from another one whose attribute has got a wider type (`catalog/widening.ts`), in
 * pieces of a millisecond or so. Nothing writes meanwhile; the old column stays as it is.
 */
import type { Attribute } from '#catalog/types.ts'
import { widenedText } from '#catalog/widening.ts'
import { DATETIME_SIZE_BYTES, writeDatetime } from '#kernel/datetime.ts'
import { compareBytes } from '../memory/compare.ts'
import { Column } from './column.ts'
import type { TableRows } from './columns-of.ts'
import { EncodedReader } from './encoded.ts'
import { valueKind } from './kinds.ts'

const ROWS_PER_PIECE = 4_096
/** Bytes of a 64-bit integer and of a double, as elements of collections are encoded. */
const ELEMENT_SIZE_BYTES = 8
const encoder = new TextEncoder()

export function convertColumn(source: Column, attribute: Attribute, rows: TableRows): Column {
  const pieces = convertInPieces(source, attribute, rows)
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}

/** Rows of what was deleted hold nothing. A value that the new type has not is taken as near as it gets. */
export function* convertInPieces(
  source: Column,
  attribute: Attribute,
  { memory, rowCount, isDead }: TableRows,
): Generator<undefined, Column> {
  const column = new Column(attribute, [], memory)
  column.ensure(rowCount)
  const convert = converterOf(source, column)
  let isDone = false
  try {
    for (let row = 0; row < rowCount; row++) {
      if (row % ROWS_PER_PIECE === 0) yield
      if (!isDead(row)) convert(row)
    }
    column.fillDefault(rowCount, column.capacity, true)
    isDone = true
    return column
  } finally {
    if (!isDone) column.release()
  }
}

function converterOf(source: Column, column: Column): (row: number) => void {
  switch (column.kind) {
    case valueKind.double:
      return (row) => column.writeSafe(row, Number(source.readNumber(row)))
    case valueKind.string:
      return textConverter(source, column)
    case valueKind.encoded:
      return (row) => {
        const bytes = doublesOf(source, row)
        column.writeBytes(row, bytes, { start: 0, length: bytes.length })
      }
    default:
      return (row) => column.writeNumber(row, source.readNumber(row))
  }
}

function textConverter(source: Column, column: Column): (row: number) => void {
  const { type } = source.attribute
  const isBool = type.kind === 'BOOL'
  // No number, truth value or date has more characters, and all are ASCII.
  const buffer = new Uint8Array(32)
  const write = (row: number, length: number) =>
    column.writeBytes(row, buffer, { start: 0, length })
  if (type.kind === 'DATETIME') {
    return (row) => {
      writeDatetime(buffer, 0, Number(source.readNumber(row)))
      write(row, DATETIME_SIZE_BYTES)
    }
  }
  return (row) => {
    const value = source.readNumber(row)
    const text = widenedText(type, isBool ? value !== 0 : value)
    write(row, encoder.encodeInto(text, buffer).written)
  }
}

/** LIST or SET of integers as one of doubles: as many elements, those of a SET in their new order. */
function doublesOf(source: Column, row: number): Uint8Array {
  const bytes = source.readBytes(row).slice()
  if (bytes.length === 0) return bytes
  const reader = new EncodedReader(bytes, [])
  const count = reader.varint()
  const start = reader.position
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = start; at < bytes.length; at += ELEMENT_SIZE_BYTES) {
    view.setFloat64(at, Number(view.getBigInt64(at, true)), true)
  }
  if (source.attribute.type.kind === 'SET') sortElements(bytes.subarray(start), count)
  return bytes
}

function sortElements(bytes: Uint8Array, count: number): void {
  const elementAt = (index: number) =>
    bytes.slice(index * ELEMENT_SIZE_BYTES, (index + 1) * ELEMENT_SIZE_BYTES)
  const sorted = Array.from({ length: count }, (_, index) => elementAt(index)).sort(compareBytes)
  sorted.forEach((element, index) => {
    bytes.set(element, index * ELEMENT_SIZE_BYTES)
  })
}
