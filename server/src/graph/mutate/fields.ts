/**
 * One field of an upsert run: reads a value from the frame and lets the column have it by the
 * operation code. On a new vertex or edge every operation sets. A code that does not fit the type
 * sets as well: services refuse it before it gets here, and replay must decide the same way.
 */
import type { Column } from '../columns/column.ts'
import { addEncoded } from '../columns/encoded.ts'
import { valueKind } from '../columns/kinds.ts'
import { compareBytes } from '../memory/compare.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { fieldOp } from './frame-format.ts'

const INT64_BITS = 64

export interface Field {
  readonly column: Column
  readonly op: number
}

/** Reads the field's value of the current entry and applies it to `row`. */
export function applyField(field: Field, cursor: FrameCursor, row: number, isNew: boolean): void {
  const { column } = field
  const op = isNew ? fieldOp.set : field.op
  switch (column.kind) {
    case valueKind.int:
    case valueKind.datetime:
    case valueKind.uint:
      applyInteger(column, cursor, row, op)
      return
    case valueKind.float:
      applyFloating(column, row, op, cursor.float32())
      return
    case valueKind.double:
      applyFloating(column, row, op, cursor.float64())
      return
    case valueKind.bool:
      applyBool(column, row, op, cursor.byte())
      return
    default:
      applyBytes(column, cursor, row, op)
  }
}

/** Steps over the field's value of the current entry. */
export function skipField(field: Field, cursor: FrameCursor): void {
  cursor.skipValue(field.column.attribute.type)
}

function applyInteger(column: Column, cursor: FrameCursor, row: number, op: number): void {
  const at = cursor.at
  cursor.skip(8)
  const low = cursor.view.getUint32(at, true)
  const high =
    column.kind === valueKind.uint
      ? cursor.view.getUint32(at + 4, true)
      : cursor.view.getInt32(at + 4, true)
  const value = high * 4_294_967_296 + low
  if (Number.isSafeInteger(value)) {
    if (op === fieldOp.set) column.writeSafe(row, value)
    else mergeInteger(column, row, op, value)
  } else {
    const exact = (BigInt(high) << 32n) | BigInt(low)
    if (op === fieldOp.set) column.writeNumber(row, exact)
    else mergeInteger(column, row, op, exact)
  }
}

function mergeInteger(column: Column, row: number, op: number, value: number | bigint): void {
  const old = column.readNumber(row)
  switch (op) {
    case fieldOp.ignoreIfExists:
      return
    case fieldOp.max:
      if (value > old) column.writeNumber(row, value)
      return
    case fieldOp.min:
      if (value < old) column.writeNumber(row, value)
      return
    case fieldOp.add: {
      const sum = Number(old) + Number(value)
      if (typeof old === 'number' && typeof value === 'number' && Number.isSafeInteger(sum)) {
        column.writeSafe(row, sum)
      } else {
        column.writeNumber(row, wrap(column, BigInt(old) + BigInt(value)))
      }
      return
    }
    case fieldOp.and:
      column.writeNumber(row, wrap(column, BigInt(old) & BigInt(value)))
      return
    case fieldOp.or:
      column.writeNumber(row, wrap(column, BigInt(old) | BigInt(value)))
      return
    default:
      column.writeNumber(row, value)
  }
}

/** 64-bit sums wrap around, as the machine's would. */
function wrap(column: Column, value: bigint): bigint {
  return column.kind === valueKind.uint
    ? BigInt.asUintN(INT64_BITS, value)
    : BigInt.asIntN(INT64_BITS, value)
}

function applyFloating(column: Column, row: number, op: number, value: number): void {
  if (op === fieldOp.set) {
    column.writeSafe(row, value)
    return
  }
  const old = Number(column.readNumber(row))
  switch (op) {
    case fieldOp.ignoreIfExists:
      return
    case fieldOp.add:
      column.writeSafe(row, old + value)
      return
    case fieldOp.max:
      if (value > old) column.writeSafe(row, value)
      return
    case fieldOp.min:
      if (value < old) column.writeSafe(row, value)
      return
    default:
      column.writeSafe(row, value)
  }
}

function applyBool(column: Column, row: number, op: number, value: number): void {
  if (op === fieldOp.set) {
    column.writeSafe(row, value)
    return
  }
  if (op === fieldOp.ignoreIfExists) return
  const old = Number(column.readNumber(row))
  if (op === fieldOp.and) column.writeSafe(row, old & value)
  else if (op === fieldOp.or) column.writeSafe(row, old | value)
  else column.writeSafe(row, value)
}

function applyBytes(column: Column, cursor: FrameCursor, row: number, op: number): void {
  const length = cursor.varint()
  const start = cursor.at
  cursor.skip(length)
  if (op === fieldOp.set) {
    column.writeBytes(row, cursor.bytes, { start, length })
    return
  }
  if (op === fieldOp.ignoreIfExists) return
  const value = cursor.bytes.subarray(start, start + length)
  const merged = mergeBytes(column, row, op, value)
  if (merged !== null) column.writeParts(row, merged)
}

/** What the operation makes of the old and the new value, in parts; null: the old one stays. */
function mergeBytes(
  column: Column,
  row: number,
  op: number,
  value: Uint8Array,
): readonly Uint8Array[] | null {
  const old = column.readBytes(row)
  switch (op) {
    case fieldOp.add:
      if (column.kind !== valueKind.string) {
        return addEncoded(column.attribute.type, column.tuples, old, value)
      }
      return [old, value]
    case fieldOp.max:
      return compareBytes(value, old) > 0 ? [value] : null
    case fieldOp.min:
      return compareBytes(value, old) < 0 ? [value] : null
    default:
      return [value]
  }
}
