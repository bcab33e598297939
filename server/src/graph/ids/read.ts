/**
 * External ids of a view: text to row and back. Runs on any thread.
 *
 * Slots may already hold rows that the view does not contain, and dead rows of an id that came back:
 * both are passed over.
 */

import type { IdsView, VertexTableView } from '#graph/view.ts'
import { formatDatetime, parseDatetime } from '#kernel/datetime.ts'
import { ID_SIZE_BYTES_MAX, INTEGER_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { isSet } from '../memory/bits.ts'
import { hashPair, wordAt } from './hash.ts'
import { homeShift, SLOT_WORDS } from './slot-table.ts'
import { sameRange, tagOf } from './string-ids.ts'

const encoder = new TextEncoder()
// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Room for the longest text that may be an id: three bytes of UTF-8 per character. */
const scratch = new Uint8Array(3 * ID_SIZE_BYTES_MAX)
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n
const UINT64_MAX = 2n ** 64n - 1n

/**
 * The row of a live vertex, or -1: unknown, deleted, or text that is no id of this type.
 * INT and UINT ids are decimal digits, DATETIME ids the contract's text or epoch seconds.
 */
export function findRow(table: VertexTableView, text: string): number {
  const { ids } = table
  if (ids.type === 'STRING') {
    const length = encodeText(text)
    return length < 0 ? -1 : probeString(table, scratch, length)
  }
  const value = parseNumericId(ids.type, text)
  return value === null ? -1 : findRowOfNumber(table, value)
}

/** As `findRow` for a numeric id. */
export function findRowOfNumber(table: VertexTableView, value: number | bigint): number {
  const wide = BigInt.asUintN(64, BigInt(value))
  return probeNumber(table, Number(wide & 0xffffffffn), Number(wide >> 32n))
}

function isLive(table: VertexTableView, row: number): boolean {
  return row < table.rowCount && !isSet(table.deleted, row)
}

/**
 * The place of a row in the order in which vertices of its type were made, counted from 0. It stays
 * what it is for ever, while a rebuild may give a row another number: what cursors are made of.
 */
export function ordinalOf(table: VertexTableView, row: number): number {
  return table.ordinals === null ? row : table.ordinals[row]!
}

/** The first row, dead or alive, at or behind a place in that order; `rowCount` when none is. */
export function rowAtOrdinal(table: VertexTableView, ordinal: number): number {
  const { ordinals, rowCount } = table
  if (ordinals === null) return Math.min(Math.max(Math.ceil(ordinal), 0), rowCount)
  let low = 0
  let high = rowCount
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ordinals[middle]! < ordinal) low = middle + 1
    else high = middle
  }
  return low
}

/** The external id of a row as text, the way answers print it. */
export function idText(ids: IdsView, row: number): string {
  if (ids.offsets !== null) return textOfRange(ids.bytes!, ids.offsets[row]!, ids.offsets[row + 1]!)
  const value = ids.values![row]!
  if (ids.type === 'DATETIME') return formatDatetime(Number(value))
  return String(ids.type === 'UINT' ? BigInt.asUintN(64, BigInt(value)) : value)
}

/** The external id of a row with a numeric id: a number while it is a safe integer. */
export function idNumber(ids: IdsView, row: number): number | bigint {
  const value = BigInt(ids.values![row]!)
  const wide = ids.type === 'UINT' ? BigInt.asUintN(64, value) : value
  const narrow = Number(wide)
  return Number.isSafeInteger(narrow) ? narrow : wide
}

/** The id as a value of its type: text for STRING ids, a number or bigint else. */
export function idValue(ids: IdsView, row: number): string | number | bigint {
  return ids.type === 'STRING' ? idText(ids, row) : idNumber(ids, row)
}

/** The 64-bit value that an id text of a numeric type means; null when it means none. */
export function parseNumericId(type: IdsView['type'], text: string): bigint | null {
  if (text.length > INTEGER_SIZE_CHARS_MAX) return null
  if (!/^[+-]?\d+$/.test(text)) {
    const seconds = type === 'DATETIME' ? parseDatetime(text) : Number.NaN
    return Number.isNaN(seconds) ? null : BigInt(seconds)
  }
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  const isFitting =
    type === 'UINT' ? value >= 0n && value <= UINT64_MAX : value >= INT64_MIN && value <= INT64_MAX
  return isFitting ? value : null
}

/** Decodes UTF-8; short ASCII, the usual case, without the decoder's call. */
export function textOfRange(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 24) return decoder.decode(bytes.slice(start, end))
  let text = ''
  for (let position = start; position < end; position++) {
    const byte = bytes[position]!
    if (byte > 127) return decoder.decode(bytes.slice(start, end))
    text += String.fromCharCode(byte)
  }
  return text
}

/** UTF-8 of a text in `scratch`; -1 when it is longer than any id. The encoder's call is dear. */
function encodeText(text: string): number {
  const { length } = text
  if (length > ID_SIZE_BYTES_MAX) return -1
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return encoder.encodeInto(text, scratch).written
    scratch[i] = code
  }
  return length
}

function probeString(table: VertexTableView, bytes: Uint8Array, length: number): number {
  const { ids } = table
  const tag = tagOf(bytes, 0, length)
  const first = wordAt(bytes, 0, length)
  const second = length > 4 ? wordAt(bytes, 4, length) : 0
  const slots = ids.slots
  let index = tag >>> homeShift(ids.slotCount)
  for (;;) {
    const slot = index * SLOT_WORDS
    const row = Atomics.load(slots, slot + 1)
    if (row === 0) return -1
    if (slots[slot] === tag && slots[slot + 2] === first && slots[slot + 3] === second) {
      if (isLive(table, row - 1) && (length <= 8 || isSameId(ids, row - 1, length))) return row - 1
    }
    index = (index + 1) & (ids.slotCount - 1)
  }
}

function isSameId(ids: IdsView, row: number, length: number): boolean {
  return sameRange(ids.bytes!, ids.offsets!, row, { bytes: scratch, start: 0, end: length })
}

function probeNumber(table: VertexTableView, low: number, high: number): number {
  const { ids } = table
  const slots = ids.slots
  let index = hashPair(low, high) >>> homeShift(ids.slotCount)
  for (;;) {
    const slot = index * SLOT_WORDS
    const row = Atomics.load(slots, slot + 1)
    if (row === 0) return -1
    if (slots[slot + 2] === low && slots[slot + 3] === high && isLive(table, row - 1))
      return row - 1
    index = (index + 1) & (ids.slotCount - 1)
  }
}
