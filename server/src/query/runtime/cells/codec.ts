/**
 * Codecs: how one value lies in cells of the arena, and what can be done with it there.
 *
 * `init` makes a cell hold the type's zero; `fold` is `+=` of an accumulator that lies there
 * (plain values: overwrite). `free` gives back blocks that the cells own.
 */

import { assert } from '#kernel/assert.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { compareDoubles, equalDoubles } from '#kernel/order.ts'
import { integerText, realJson } from '../output/number-text.ts'
import { type PrintedMember, type PrintedPart, printedMembers } from '../output/printed-parts.ts'
import type { Arena } from './arena.ts'
import type { Ropes } from './ropes.ts'
import type { StringTable } from './strings.ts'
import type { Printer, Value } from './value.ts'

export interface Memory {
  readonly arena: Arena
  readonly strings: StringTable
  readonly ropes: Ropes
  /** Blocks that live until the statement or row ends. */
  readonly temporaries: { push(block: number): void }
}

export abstract class Codec {
  readonly memory: Memory
  abstract readonly width: number
  /** The cell holds a collection of its own. */
  readonly isBlock: boolean = false

  /** A value is the one double of its cell, so that tables need not ask the codec. */
  readonly isNumber: boolean = false

  /** The cells own nothing: they are copied as they are and dropped without a look. */
  get isPlain(): boolean {
    return true
  }

  constructor(memory: Memory) {
    this.memory = memory
  }

  abstract read(at: number): Value
  abstract write(at: number, value: Value): void
  abstract hash(value: Value): number
  /** Negative, zero or positive; zero is equality. A total order: see `kernel/order.ts`. */
  abstract compare(left: Value, right: Value): number
  /** `inside`: as an element of a collection, where a DATETIME prints as a number. */
  abstract print(value: Value, printer: Printer, inside: boolean): void
  abstract keyText(value: Value, printer: Printer): Uint8Array
  /** The value before anything was assigned; a collection is shared and must not be changed. */
  abstract zero(): Value

  /** The same, for a holder that changes it: a collection is a temporary of its own. */
  fresh(): Value {
    return this.zero()
  }

  elementAt(_value: Value, _index: number): Value {
    return assert(false, 'a value without elements') as never
  }

  equals(at: number, value: Value): boolean {
    return this.compare(this.read(at), value) === 0
  }

  init(at: number): void {
    this.write(at, this.zero())
  }

  fold(at: number, value: Value): void {
    this.write(at, value)
  }

  /** `+=` of what lies in another cell under the same, or a like, codec. */
  merge(at: number, from: { readonly codec: Codec; readonly at: number }): void {
    this.fold(at, from.codec.read(from.at))
  }

  /** `to` holds nothing yet. */
  copy(from: number, to: number): void {
    this.write(to, this.read(from))
  }

  free(_at: number): void {}
}

const encoder = new TextEncoder()

export type NumberKind = 'INT' | 'UINT' | 'FLOAT' | 'DOUBLE' | 'DATETIME' | 'VERTEX' | 'EDGE'

/** What is one double in a cell. */
abstract class CellCodec extends Codec {
  readonly width = 1
  override readonly isNumber = true

  read(at: number): number {
    return this.memory.arena.cells[at]!
  }

  write(at: number, value: Value): void {
    this.memory.arena.cells[at] = value as number
  }

  override equals(at: number, value: Value): boolean {
    return equalDoubles(this.memory.arena.cells[at]!, value as number)
  }

  hash(value: Value): number {
    return hashNumber(value as number)
  }
}

/** Every number, and what is told by one. */
export class NumberCodec extends CellCodec {
  readonly kind: NumberKind

  constructor(memory: Memory, kind: NumberKind) {
    super(memory)
    this.kind = kind
  }

  compare(left: Value, right: Value): number {
    return compareDoubles(left as number, right as number)
  }

  zero(): Value {
    return this.kind === 'VERTEX' || this.kind === 'EDGE' ? -1 : 0
  }

  print(value: Value, printer: Printer, inside: boolean): void {
    const number = value as number
    if (this.kind === 'VERTEX') printer.vertexId(number)
    else if (this.kind === 'EDGE') printer.edge(number)
    else if (this.kind === 'DATETIME' && !inside) printer.raw(`"${formatDatetime(number)}"`)
    else printer.raw(this.text(number))
  }

  keyText(value: Value, printer: Printer): Uint8Array {
    if (this.kind === 'VERTEX') return printer.vertexIdBytes(value as number)
    return encoder.encode(this.text(value as number).replaceAll('"', ''))
  }

  private text(value: number): string {
    if (this.kind === 'FLOAT') return realJson(value, 7)
    if (this.kind === 'DOUBLE') return realJson(value, 16)
    return integerText(value, this.kind === 'UINT')
  }
}

const scratch = new DataView(new ArrayBuffer(8))

/** Equal for what is equal in the total order: both zeros, and NaN of whatever bits. */
export function hashNumber(value: number): number {
  // Small integers, the usual keys (vertices, codes), need no look at their bits.
  const integer = value | 0
  if (integer === value) return mix(integer)
  scratch.setFloat64(0, Number.isNaN(value) ? Number.NaN : value)
  return mix(scratch.getInt32(0) ^ Math.imul(scratch.getInt32(4), 0x9e3779b1))
}

export function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** INT and UINT of wide queries. */
export class WideCodec extends Codec {
  readonly width = 1
  readonly unsigned: boolean

  constructor(memory: Memory, unsigned: boolean) {
    super(memory)
    this.unsigned = unsigned
  }

  read(at: number): bigint {
    const value = this.memory.arena.ints[at]!
    return this.unsigned ? BigInt.asUintN(64, value) : value
  }

  write(at: number, value: Value): void {
    this.memory.arena.ints[at] = value as bigint
  }

  hash(value: Value): number {
    const low = Number(BigInt.asIntN(32, value as bigint))
    return mix(low ^ Math.imul(Number(BigInt.asIntN(32, (value as bigint) >> 32n)), 0x9e3779b1))
  }

  compare(left: Value, right: Value): number {
    return (left as bigint) < (right as bigint) ? -1 : left === right ? 0 : 1
  }

  zero(): Value {
    return 0n
  }

  print(value: Value, printer: Printer): void {
    printer.raw(String(value))
  }

  keyText(value: Value): Uint8Array {
    return encoder.encode(String(value))
  }
}

export class BoolCodec extends Codec {
  readonly width = 1

  read(at: number): boolean {
    return this.memory.arena.cells[at] !== 0
  }

  write(at: number, value: Value): void {
    this.memory.arena.cells[at] = value === true ? 1 : 0
  }

  hash(value: Value): number {
    return value === true ? 1 : 0
  }

  compare(left: Value, right: Value): number {
    return Number(left) - Number(right)
  }

  zero(): Value {
    return false
  }

  print(value: Value, printer: Printer): void {
    printer.raw(value === true ? 'true' : 'false')
  }

  keyText(value: Value): Uint8Array {
    return encoder.encode(String(value))
  }
}

export class StringCodec extends CellCodec {
  compare(left: Value, right: Value): number {
    return this.memory.strings.compare(left as number, right as number)
  }

  zero(): Value {
    return 0
  }

  print(value: Value, printer: Printer): void {
    printer.string(value as number)
  }

  keyText(value: Value, printer: Printer): Uint8Array {
    return printer.stringBytes(value as number)
  }
}

/** A JSON text, which prints as it is. */
export class JsonCodec extends StringCodec {
  private readonly empty: string

  constructor(memory: Memory, isArray: boolean) {
    super(memory)
    this.empty = isArray ? '[]' : '{}'
  }

  override zero(): Value {
    return this.memory.strings.intern(this.empty)
  }

  override print(value: Value, printer: Printer): void {
    printer.utf8(this.memory.strings.text(value as number))
  }
}

export interface TupleCodecField {
  readonly name: string
  readonly codec: Codec
}

export class TupleCodec extends Codec {
  readonly width: number
  readonly fields: readonly TupleCodecField[]
  private readonly printed: readonly PrintedMember[]

  constructor(memory: Memory, fields: readonly TupleCodecField[]) {
    super(memory)
    this.fields = fields
    // Rows that keep nothing of what they matched are counted all the same.
    this.width = Math.max(
      1,
      fields.reduce((sum, { codec }) => sum + codec.width, 0),
    )
    this.printed = printedMembers(fields.map(({ name }) => name))
  }

  read(at: number): Value {
    let cell = at
    return this.fields.map(({ codec }) => {
      const value = codec.read(cell)
      cell += codec.width
      return value
    })
  }

  write(at: number, value: Value): void {
    let cell = at
    this.fields.forEach(({ codec }, i) => {
      codec.write(cell, (value as readonly Value[])[i]!)
      cell += codec.width
    })
  }

  override get isPlain(): boolean {
    return this.fields.every(({ codec }) => codec.isPlain)
  }

  override free(at: number): void {
    let cell = at
    for (const { codec } of this.fields) {
      codec.free(cell)
      cell += codec.width
    }
  }

  hash(value: Value): number {
    return this.fields.reduce(
      (hash, { codec }, i) => mix(hash ^ codec.hash((value as readonly Value[])[i]!)),
      17,
    )
  }

  compare(left: Value, right: Value): number {
    const [a, b] = [left as readonly Value[], right as readonly Value[]]
    for (let i = 0; i < this.fields.length; i++) {
      const order = this.fields[i]!.codec.compare(a[i]!, b[i]!)
      if (order !== 0) return order
    }
    return 0
  }

  zero(): Value {
    return this.fields.map(({ codec }) => codec.zero())
  }

  print(value: Value, printer: Printer): void {
    printer.open('{')
    for (const { key, part } of this.printed) {
      printer.key(key)
      this.printPart(part, value as readonly Value[], printer, false)
    }
    printer.close('}')
  }

  private printPart(
    part: PrintedPart,
    values: readonly Value[],
    printer: Printer,
    inside: boolean,
  ): void {
    if (part.kind === 'list') {
      printer.open('[')
      for (const item of part.items) this.printPart(item, values, printer, true)
      printer.close(']')
    } else if (part.nullFlag >= 0 && values[part.nullFlag] === true) printer.raw('null')
    else this.fields[part.field]!.codec.print(values[part.field]!, printer, inside)
  }

  keyText(value: Value, printer: Printer): Uint8Array {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const parts = this.fields.map(({ codec }, i) =>
      decoder.decode(codec.keyText((value as readonly Value[])[i]!, printer)),
    )
    return encoder.encode(parts.join(','))
  }
}
