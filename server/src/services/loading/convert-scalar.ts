/** Tokens of loading jobs as JSON texts of numbers, texts, dates and truth values. */
import type { TupleField } from '#catalog/types.ts'
import { formatDatetime, isDatetime, parseDatetime } from '#kernel/datetime.ts'
import { integerRange } from '../upsert/scalar-reader.ts'

/** JSON text; undefined: the value does not fit; null: nothing was given. */
export type Converted = string | null | undefined

/** A field of a tuple: as a scalar, but narrow integers have a range of their own. */
export function fieldText({ type, length }: TupleField, token: string): Converted {
  const text = scalarText(type, token)
  const isInteger = type === 'INT' || type === 'UINT'
  if (length === undefined || !isInteger || typeof text !== 'string') return text
  const { min, max } = integerRange(type === 'UINT', length)
  const value = BigInt(text)
  return value >= min && value <= max ? text : undefined
}

/**
 * An empty token is a text of its own only for STRING: for all others nothing was given, and blanks around
 * them do not count.
 */
export function scalarText(kind: string, token: string): Converted {
  if (kind === 'STRING') return JSON.stringify(token)
  const text = exactText(kind, token)
  if (text !== undefined) return text
  const trimmed = token.trim()
  return trimmed.length === token.length ? undefined : exactText(kind, trimmed)
}

function exactText(kind: string, token: string): Converted {
  if (token === '') return null
  switch (kind) {
    case 'INT':
    case 'UINT':
      return wholeText(kind, token)
    case 'BOOL':
      return boolText(token)
    case 'DATETIME':
      return datetimeText(token)
    case 'FLOAT':
    case 'DOUBLE':
      return nonFinite.has(token) ? JSON.stringify(token) : realText(kind, token)
    default:
      return undefined
  }
}

/** Digits in the range of 64 bits. */
export function wholeText(kind: 'INT' | 'UINT', token: string): string | undefined {
  // Most are written as JSON has them, and far from the limits.
  if (/^(0|[1-9]\d{0,14})$/.test(token)) return token
  if (!/^[+-]?\d{1,20}$/.test(token)) return undefined
  const value = BigInt(token.replace(/^\+/, ''))
  const inRange = kind === 'INT' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)
  return inRange === value ? value.toString() : undefined
}

/** As exports write what queries can store, and no client can send. */
const nonFinite = new Set(['NaN', 'inf', '-inf'])

/** Digits with a point and an exponent or without, in the range of the type. */
export function realText(kind: 'FLOAT' | 'DOUBLE', token: string): Converted {
  if (/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(token)) return token
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(token)) return undefined
  const value = Number(token)
  const stored = kind === 'FLOAT' ? Math.fround(value) : value
  return Number.isFinite(stored) ? String(value) : undefined
}

function boolText(token: string): Converted {
  if (/^(true|1)$/i.test(token)) return 'true'
  return /^(false|0)$/i.test(token) ? 'false' : undefined
}

/** The form of answers, of days that every month has: stands as it is. */
const plainDatetime =
  /^(1[6-9]|[2-9]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8]) ([01]\d|2[0-3])(:[0-5]\d){2}$/

function datetimeText(token: string): Converted {
  if (plainDatetime.test(token)) return `"${token}"`
  const seconds = /^-?\d+$/.test(token) ? Number(token) : parseDatetime(token)
  return isDatetime(seconds) ? JSON.stringify(formatDatetime(seconds)) : undefined
}

/** A text of exactly so many bytes, or their values as answers and exports write them. */
export function binaryText(length: number, token: string): Converted {
  if (Buffer.byteLength(token) === length) return JSON.stringify(token)
  const values = BINARY.test(token) ? token.split(' ').slice(1).map(Number) : []
  if (values.length !== length) return undefined
  const bytes = Buffer.from(values)
  // An upsert takes bytes as the text whose UTF-8 they are.
  const text = bytes.toString()
  return bytes.equals(Buffer.from(text)) ? JSON.stringify(text) : undefined
}

/** `Bytes 97 -1`: signed bytes. It is longer than the bytes themselves, so that no text is meant by it. */
const BINARY = /^Bytes(?: (?:-?(?:[1-9]?\d|1[01]\d|12[0-7])|-128))+$/
