/**
 * One field of an upsert run: reads a value from the frame and lets the column have it by the
 * operation code. On a new vertex or edge every operation sets. A code that does not fit the type
 * sets as well: services refuse it before it gets here, and replay must decide the same way.
 */

import { addEncoded } from '../columns/add-encoded.ts'
import type { Column } from '../columns/column.ts'
import { valueKind } from '../columns/kinds.ts'
import { ItemMerge } from '../columns/merge-items.ts'
import { compareBytes } from '../memory/compare.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { fieldOp } from './frame-format.ts'

const INT64_BITS = 64

export interface Field {
  readonly column: Column
  readonly op: number
}

/** A value that takes long, in pieces of a millisecond or so; others run between them. */
type Pieces = Generator<undefined, void>

/** Applies the fields of one entry after the other. */
export class EntryFields {
  readonly #fields: readonly Field[]
  readonly #cursor: FrameCursor
  #rest: Pieces | null = null

  constructor(fields: readonly Field[], cursor: FrameCursor) {
    this.#fields = fields
    this.#cursor = cursor
  }

  /** An entry has begun whose values are not all written yet. */
  get isUnderWay(): boolean {
    return this.#rest !== null
  }

  /** @returns whether the values are written; else `goOn` is to be called until it says so */
  apply(row: number, isNew: boolean): boolean {
    const fields = this.#fields
    for (let index = 0; index < fields.length; index++) {
      const pieces = applyField(fields[index]!, this.#cursor, row, isNew)
      if (pieces === null) continue
      this.#rest = this.#rowRest(pieces, { index, row, isNew })
      return false
    }
    return true
  }

  goOn(): boolean {
    if (this.#rest?.next().done === false) return false
    this.#rest = null
    return true
  }

  skip(): void {
    for (const field of this.#fields) skipField(field, this.#cursor)
  }

  *#rowRest(
    first: Pieces,
    {
      index,
      row,
      isNew,
    }: { readonly index: number; readonly row: number; readonly isNew: boolean },
  ): Pieces {
    yield* first
    for (const field of this.#fields.slice(index + 1)) {
      const pieces = applyField(field, this.#cursor, row, isNew)
      if (pieces !== null) yield* pieces
    }
  }
}

/** Reads the field's value of the current entry and applies it to `row`; null: it is written. */
function applyField(field: Field, cursor: FrameCursor, row: number, isNew: boolean): Pieces | null {
  const { column } = field
  const op = isNew ? fieldOp.set : field.op
  switch (column.kind) {
    case valueKind.int:
    case valueKind.datetime:
    case valueKind.uint:
      return applyInteger(column, cursor, row, op)
    case valueKind.float:
      applyFloating(column, row, op, cursor.float32())
      return null
    case valueKind.double:
      applyFloating(column, row, op, cursor.float64())
      return null
    case valueKind.bool:
      applyBool(column, row, op, cursor.byte())
      return null
    default:
      return applyBytes(column, cursor, row, op)
  }
}

/** Steps over the field's value of the current entry. */
export function skipField(field: Field, cursor: FrameCursor): void {
  cursor.skipValue(field.column.attribute.type)
}

function applyInteger(column: Column, cursor: FrameCursor, row: number, op: number): Pieces | null {
  const at = cursor.at
  cursor.skip(8)
  const low = cursor.view.getUint32(at, true)
  const high =
    column.kind === valueKind.uint
      ? cursor.view.getUint32(at + 4, true)
      : cursor.view.getInt32(at + 4, true)
  const safe = high * 4_294_967_296 + low
  const value = Number.isSafeInteger(safe) ? safe : (BigInt(high) << 32n) | BigInt(low)
  const written = op === fieldOp.set ? value : mergedInteger(column, row, op, value)
  return written === null ? null : writeInteger(column, row, written)
}

function writeInteger(column: Column, row: number, value: number | bigint): Pieces | null {
  const isShort = typeof value === 'number' && (value | 0) === value
  if (!isShort && column.widensLong(value)) return widenAndWrite(column, row, value)
  if (typeof value === 'number') column.writeSafe(row, value)
  else column.writeNumber(row, value)
  return null
}

function* widenAndWrite(column: Column, row: number, value: number | bigint): Pieces {
  yield* column.widenInPieces(value)
  column.writeNumber(row, value)
}

/** What the operation makes of the row's number and another one; null: the old one stays. */
export function mergedInteger(
  column: Column,
  row: number,
  op: number,
  value: number | bigint,
): number | bigint | null {
  const old = column.readNumber(row)
  switch (op) {
    case fieldOp.ignoreIfExists:
      return null
    case fieldOp.max:
      return value > old ? value : null
    case fieldOp.min:
      return value < old ? value : null
    case fieldOp.add: {
      const sum = Number(old) + Number(value)
      const isExact = typeof old === 'number' && typeof value === 'number'
      if (isExact && Number.isSafeInteger(sum)) return sum
      return wrap(column, BigInt(old) + BigInt(value))
    }
    case fieldOp.and:
      return wrap(column, BigInt(old) & BigInt(value))
    case fieldOp.or:
      return wrap(column, BigInt(old) | BigInt(value))
    default:
      return value
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

function applyBytes(column: Column, cursor: FrameCursor, row: number, op: number): Pieces | null {
  const length = cursor.varint()
  const start = cursor.at
  cursor.skip(length)
  if (op === fieldOp.ignoreIfExists) return null
  if (op === fieldOp.set && !column.isLong(length)) {
    column.writeBytes(row, cursor.bytes, { start, length })
    return null
  }
  const value = cursor.bytes.subarray(start, start + length)
  if (op === fieldOp.set) return column.writeInPieces(row, [value])
  const old = column.readBytes(row)
  const merged = mergeBytes(column, op, { old, value })
  if (merged === null) return null
  if (column.isLong(old.length + length)) return mergeInPieces(column, row, merged)
  column.writeParts(row, merged instanceof ItemMerge ? partsOf(merged) : merged)
  return null
}

function* mergeInPieces(column: Column, row: number, merged: Merged): Pieces {
  if (!(merged instanceof ItemMerge)) return yield* column.writeInPieces(row, merged)
  while (!merged.step()) yield
  yield* column.writeInPieces(row, merged.parts)
}

function partsOf(merge: ItemMerge): readonly Uint8Array[] {
  while (!merge.step());
  return merge.parts
}

/** A value in parts, or what makes one. */
type Merged = readonly Uint8Array[] | ItemMerge

/** What the operation makes of the old and the new value; null: the old one stays. */
function mergeBytes(
  column: Column,
  op: number,
  { old, value }: { readonly old: Uint8Array; readonly value: Uint8Array },
): Merged | null {
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
