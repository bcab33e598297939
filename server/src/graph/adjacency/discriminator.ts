/**
 * Discriminators: the attributes that tell parallel edges between the same two vertices apart.
 *
 * A key is the attributes' values as a mutation frame writes them, behind each other. Parallel base
 * edges stand in ascending key order: numbers by value, strings by their bytes.
 */
import type { Column } from '../columns/column.ts'
import { valueKind } from '../columns/kinds.ts'
import { compareBytes } from '../memory/compare.ts'

export interface DiscriminatorKey {
  readonly bytes: Uint8Array
  readonly view: DataView
  start: number
  end: number
}

export function emptyKey(): DiscriminatorKey {
  const bytes = new Uint8Array(0)
  return { bytes, view: new DataView(bytes.buffer), start: 0, end: 0 }
}

/** Order of the edge in `row` against a key: negative when the edge comes first. */
export function compareToKey(
  columns: readonly Column[],
  row: number,
  key: DiscriminatorKey,
): number {
  let position = key.start
  for (const column of columns) {
    const order = compareField(column, row, key, position)
    if (order !== 0) return order
    position += fieldSizeAt(column, key, position)
  }
  return 0
}

/** The key of the edge in `row`, in bytes of its own. */
export function keyOfRow(columns: readonly Column[], row: number): DiscriminatorKey {
  const parts = columns.map((column) => encodeOne(column, row))
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = new Uint8Array(size)
  let position = 0
  for (const part of parts) {
    bytes.set(part, position)
    position += part.length
  }
  return { bytes, view: new DataView(bytes.buffer), start: 0, end: size }
}

/** Writes the key's values into the columns of a new edge. */
export function writeKey(columns: readonly Column[], row: number, key: DiscriminatorKey): void {
  let position = key.start
  for (const column of columns) {
    writeOne(column, row, key, position)
    position += fieldSizeAt(column, key, position)
  }
}

export function fieldSizeAt(column: Column, key: DiscriminatorKey, position: number): number {
  switch (column.kind) {
    case valueKind.bool:
      return 1
    case valueKind.float:
      return 4
    case valueKind.string:
    case valueKind.encoded: {
      const { start, length } = bytesAt(key, position)
      return start + length - position
    }
    default:
      return 8
  }
}

function bytesAt(key: DiscriminatorKey, position: number): { start: number; length: number } {
  let start = position
  let length = 0
  let scale = 1
  for (;;) {
    const byte = key.bytes[start++]!
    length += (byte & 127) * scale
    if (byte < 128) return { start, length }
    scale *= 128
  }
}

export function fieldNumberAt(
  column: Column,
  key: DiscriminatorKey,
  position: number,
): number | bigint {
  switch (column.kind) {
    case valueKind.bool:
      return key.bytes[position]!
    case valueKind.float:
      return key.view.getFloat32(position, true)
    case valueKind.double:
      return key.view.getFloat64(position, true)
    default: {
      const isUnsigned = column.kind === valueKind.uint
      const low = key.view.getUint32(position, true)
      const high = isUnsigned
        ? key.view.getUint32(position + 4, true)
        : key.view.getInt32(position + 4, true)
      const value = high * 2 ** 32 + low
      return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low)
    }
  }
}

export interface WrittenField {
  readonly key: DiscriminatorKey
  position: number
  /** False: of a batch without that flag, which is compared as it was before. */
  readonly unwrittenIsEmpty: boolean
}

/** Whether the value of a row is the one that a frame holds at a position; all NaNs are equal. */
export function isFieldEqual(
  column: Column,
  row: number,
  { key, position, unwrittenIsEmpty }: WrittenField,
): boolean {
  const isReal = column.kind === valueKind.float || column.kind === valueKind.double
  if (isReal)
    return Object.is(
      Number(column.readNumber(row)) + 0,
      Number(fieldNumberAt(column, key, position)) + 0,
    )
  if (unwrittenIsEmpty && isNeverWritten(column, row)) {
    const { start, length } = bytesAt(key, position)
    return key.bytes.subarray(start, start + length).every((byte) => byte === 0)
  }
  return compareField(column, row, key, position) === 0
}

/** A collection without a value is empty, a tuple all zeros; a vector is not there. */
function isNeverWritten(column: Column, row: number): boolean {
  const { kind, attribute } = column
  if (kind !== valueKind.encoded || attribute.type.kind === 'VECTOR') return false
  return column.readBytes(row).length === 0
}

function compareField(
  column: Column,
  row: number,
  key: DiscriminatorKey,
  position: number,
): number {
  if (column.kind === valueKind.string || column.kind === valueKind.encoded) {
    const { start, length } = bytesAt(key, position)
    return compareBytes(column.readBytes(row), key.bytes.subarray(start, start + length))
  }
  const own = column.readNumber(row)
  const other = fieldNumberAt(column, key, position)
  if (own < other) return -1
  return own > other ? 1 : 0
}

function writeOne(column: Column, row: number, key: DiscriminatorKey, position: number): void {
  if (column.kind === valueKind.string || column.kind === valueKind.encoded) {
    column.writeBytes(row, key.bytes, bytesAt(key, position))
  } else {
    column.writeNumber(row, fieldNumberAt(column, key, position))
  }
}

function encodeOne(column: Column, row: number): Uint8Array {
  if (column.kind === valueKind.string || column.kind === valueKind.encoded) {
    const value = column.readBytes(row)
    const head: number[] = []
    let rest = value.length
    for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128)
    head.push(rest)
    return new Uint8Array([...head, ...value])
  }
  const view = new DataView(new ArrayBuffer(8))
  const value = column.readNumber(row)
  if (column.kind === valueKind.bool) return new Uint8Array([Number(value)])
  if (column.kind === valueKind.float) {
    view.setFloat32(0, Number(value), true)
    return new Uint8Array(view.buffer, 0, 4)
  }
  if (column.kind === valueKind.double) view.setFloat64(0, Number(value), true)
  else view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true)
  return new Uint8Array(view.buffer)
}
