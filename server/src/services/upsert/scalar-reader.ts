/**
 * Scalar values of a payload, from JSON bytes to frame bytes. Numbers of up to 15
 * digits are read without a text; longer ones exactly, through BigInt or the correctly rounding
 * `Number`.
 *
 * An export also holds what clients cannot send but queries can store: NaN and the infinities as
 * texts, DATETIME in epoch seconds.
 */
import type { ScalarTypeName } from '#catalog/types.ts'
import type { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { parseDatetimeBytes } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { INTEGER_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { JsonBytes } from './json-bytes.ts'

const ZERO = 0x30
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
const UINT64_MAX = 2n ** 64n - 1n

/** 10^0 .. 10^15, all exact. */
const powersOfTen = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/** Bounds of INT(k) and UINT(k) tuple fields by k bytes. */
export interface IntegerRange {
  readonly min: bigint
  readonly max: bigint
}

export function integerRange(isUnsigned: boolean, sizeBytes: number): IntegerRange {
  const bits = BigInt(sizeBytes * 8)
  return isUnsigned
    ? { min: 0n, max: 2n ** bits - 1n }
    : { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n }
}

/**
 * Reads the scalar at the reader and appends it to the frame.
 * @throws DbError INVALID_PAYLOAD when the JSON value is of another type or out of range
 */
export function readScalar(reader: JsonBytes, writer: FrameWriter, kind: ScalarTypeName): void {
  const first = reader.peek()
  switch (kind) {
    case 'INT':
    case 'UINT':
      readInteger(reader, writer, kind === 'UINT')
      return
    case 'DOUBLE':
      writer.float64(readNumber(reader, first, kind))
      return
    case 'FLOAT': {
      const value = Math.fround(readNumber(reader, first, kind))
      if (!Number.isFinite(value) && !reader.isExport) throw unconvertible(reader, kind)
      writer.float32(value)
      return
    }
    case 'BOOL':
      if (first !== 0x74 && first !== 0x66) throw unconvertible(reader, kind)
      writer.byte(reader.word() === 0x74 ? 1 : 0)
      return
    case 'STRING':
      if (first !== 0x22) throw unconvertible(reader, kind)
      reader.string()
      writer.lengthAndBytes(reader.text, reader.textStart, reader.textEnd)
      return
    case 'DATETIME':
      readDatetime(reader, writer)
  }
}

/** An integer at the reader as a bigint, within a range: ids and narrow tuple fields. */
export function readExactInteger(
  reader: JsonBytes,
  kind: 'INT' | 'UINT',
  range: IntegerRange,
): bigint {
  const first = reader.peek()
  if (!beginsNumber(first)) throw unconvertible(reader, kind)
  const value = integerOf(reader.numberText())
  if (value === null || value < range.min || value > range.max) throw unconvertible(reader, kind)
  return value
}

/** The value at the reader does not fit; `Null JSON value` when it is null. */
export function unconvertible(reader: JsonBytes, kind: string): DbError {
  const byte = reader.peek()
  if (byte === 0x6e) {
    reader.word()
    return new DbError('INVALID_PAYLOAD', 'Null JSON value')
  }
  // Where the reader has not passed the value yet, something else than a value may stand there.
  if (byte < 0 || !'"[{}],-0123456789tf'.includes(String.fromCharCode(byte))) {
    return reader.malformed('no value')
  }
  const name = kind === 'DATETIME' ? 'Datetime' : kind
  return new DbError('INVALID_PAYLOAD', `value cannot be converted to ${name}`)
}

function readInteger(reader: JsonBytes, writer: FrameWriter, isUnsigned: boolean): void {
  const { bytes } = reader
  const isNegative = bytes[reader.at] === 0x2d
  const start = reader.at + (isNegative ? 1 : 0)
  let at = start
  let value = 0
  for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[at]! - ZERO) {
    value = value * 10 + digit
    at++
  }
  const length = at - start
  const isPlain = length > 0 && length <= 15 && endsNumber(bytes[at])
  if (!isPlain || (bytes[start] === ZERO && length > 1) || (isNegative && isUnsigned)) {
    readLongInteger(reader, writer, isUnsigned)
    return
  }
  reader.at = at
  if (isNegative) value = -value
  writer.int64(lowBits(value), highBits(value))
}

function readLongInteger(reader: JsonBytes, writer: FrameWriter, isUnsigned: boolean): void {
  const range = isUnsigned ? { min: 0n, max: UINT64_MAX } : { min: INT64_MIN, max: INT64_MAX }
  writer.bigint64(readExactInteger(reader, isUnsigned ? 'UINT' : 'INT', range))
}

/** `1e3` and `5.0` are integers, too; a fraction is not. */
function integerOf(text: string): bigint | null {
  if (text.length > INTEGER_SIZE_CHARS_MAX) return null
  if (/^-?\d+$/.test(text)) return BigInt(text)
  const value = Number(text)
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

function lowBits(value: number): number {
  return (value % 0x1_0000_0000) | 0
}

function highBits(value: number): number {
  return Math.floor(value / 0x1_0000_0000) | 0
}

function readNumber(reader: JsonBytes, first: number, kind: 'FLOAT' | 'DOUBLE'): number {
  if (!beginsNumber(first)) {
    const special = reader.isExport && first === 0x22 ? readNotFinite(reader) : undefined
    if (special === undefined) throw unconvertible(reader, kind)
    return special
  }
  const start = reader.at
  const value = readPlainNumber(reader, first === 0x2d)
  if (!Number.isNaN(value)) return value
  reader.at = start
  const rounded = Number(reader.numberText())
  if (!Number.isFinite(rounded)) throw unconvertible(reader, kind)
  return rounded
}

const notFinite: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

function readNotFinite(reader: JsonBytes): number | undefined {
  reader.string()
  return notFinite.get(reader.textOf())
}

/**
 * A number of at most 15 digits without an exponent: mantissa and power of ten are exact, so one
 * division rounds correctly. @returns NaN for any other
 */
function readPlainNumber(reader: JsonBytes, isNegative: boolean): number {
  const { bytes } = reader
  const start = reader.at + (isNegative ? 1 : 0)
  let at = start
  let mantissa = 0
  for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[at]! - ZERO) {
    mantissa = mantissa * 10 + digit
    at++
  }
  const wholeLength = at - start
  if (wholeLength === 0 || (wholeLength > 1 && bytes[start] === ZERO)) return Number.NaN
  let fractionLength = 0
  if (bytes[at] === 0x2e) {
    const pointAt = at++
    for (let digit = bytes[at]! - ZERO; digit >= 0 && digit <= 9; digit = bytes[at]! - ZERO) {
      mantissa = mantissa * 10 + digit
      at++
    }
    fractionLength = at - pointAt - 1
    if (fractionLength === 0) return Number.NaN
  }
  if (wholeLength + fractionLength > 15 || !endsNumber(bytes[at])) return Number.NaN
  reader.at = at
  const value = mantissa / powersOfTen[fractionLength]!
  return isNegative ? -value : value
}

function readDatetime(reader: JsonBytes, writer: FrameWriter): void {
  if (reader.isExport && beginsNumber(reader.peek())) {
    readInteger(reader, writer, false)
    return
  }
  if (reader.peek() !== 0x22) throw unconvertible(reader, 'DATETIME')
  reader.string()
  const seconds = parseDatetimeBytes(reader.text, reader.textStart, reader.textEnd)
  if (Number.isNaN(seconds)) throw unconvertible(reader, 'DATETIME')
  writer.int64(lowBits(seconds), highBits(seconds))
}

function beginsNumber(byte: number): boolean {
  return byte === 0x2d || (byte >= ZERO && byte <= 0x39)
}

/** Not a byte that would go on a number: `.`, `e`, `E`, a sign, a letter; the end is fine. */
function endsNumber(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x2c || byte === 0x5d || byte === undefined || byte <= 0x20
}
