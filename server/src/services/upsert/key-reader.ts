/**
 * External ids of a payload: object keys, hence strings, also for INT, UINT and DATETIME keys.
 * Each is encoded once into a buffer as the frame wants it and copied from there per entry.
 */
import { integerId, keyKinds, keyParts, storedKey, storedPart } from '#catalog/key-parts.ts'
import type { AttributeType, VertexType } from '#catalog/types.ts'
import { formatDatetime, parseDatetimeBytes } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { ID_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { JsonBytes } from './json-bytes.ts'

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

type Kind = AttributeType['kind']

/** Room for most ids; a longer one makes room for any. V8 allocates up to 64 bytes cheaply. */
const SHORT_KEY_SIZE_BYTES = 64

/** A key in the frame's form; `serial` changes with every key read. */
export class KeyBuffer {
  bytes = new Uint8Array(SHORT_KEY_SIZE_BYTES)
  length = 0
  serial = 0
  /** Bytes of a STRING id without its length in front. */
  #textSize = 0
  /** Over `bytes`; made for numeric ids alone. */
  #numbers: DataView | null = null

  /** Takes the reader's last string as an id of this type. @throws DbError INVALID_PAYLOAD */
  take(reader: JsonBytes, type: VertexType): void {
    this.serial++
    const size = reader.textEnd - reader.textStart
    if (size === 0) throw invalidId(type, reader, 'it is empty')
    checkSize(size, type, reader)
    const kinds = keyKinds(type)
    if (kinds !== null) this.#takeComposite(reader, type, kinds)
    else if (type.primaryId.type === 'STRING') {
      this.#takeText(reader.text, reader.textStart, reader.textEnd)
    } else this.#takeNumber(reader, type)
  }

  /** One part of the id as a text; ids that are not composite have the part 0 alone. */
  partText(type: VertexType, part: number): string {
    if (type.primaryId.type !== 'STRING') {
      const value = this.#view().getBigInt64(1, true)
      if (type.primaryId.type === 'DATETIME') return formatDatetime(Number(value))
      return String(type.primaryId.type === 'UINT' ? BigInt.asUintN(64, value) : value)
    }
    const id = decoder.decode(this.bytes.subarray(this.length - this.#textSize, this.length))
    if (type.primaryId.syntax !== 'COMPOSITE') return id
    return keyParts(id, type.primaryId.names.length)?.[part] ?? ''
  }

  #takeComposite(reader: JsonBytes, type: VertexType, kinds: readonly Kind[]): void {
    const stored = encoder.encode(storedText(reader, type, kinds))
    // A date of few characters is stored as one of 19.
    checkSize(stored.length, type, reader)
    this.#takeText(stored, 0, stored.length)
  }

  #takeText(text: Uint8Array, textStart: number, textEnd: number): void {
    const size = textEnd - textStart
    if (size + 8 > this.bytes.length) this.#makeRoom()
    const { bytes } = this
    let head = size + 1
    let length = 0
    while (head >= 0x80) {
      bytes[length++] = (head & 0x7f) | 0x80
      head >>>= 7
    }
    bytes[length++] = head
    for (let at = textStart; at < textEnd; at++) bytes[length++] = text[at]!
    this.length = length
    this.#textSize = size
  }

  #makeRoom(): void {
    this.bytes = new Uint8Array(ID_SIZE_BYTES_MAX + 8)
    this.#numbers = null
  }

  #view(): DataView {
    this.#numbers ??= new DataView(this.bytes.buffer)
    return this.#numbers
  }

  #takeNumber(reader: JsonBytes, type: VertexType): void {
    this.bytes[0] = 1
    this.length = 9
    this.#textSize = 0
    const { text, textStart, textEnd } = reader
    if (type.primaryId.type === 'DATETIME') {
      const seconds = parseDatetimeBytes(text, textStart, textEnd)
      if (Number.isNaN(seconds)) throw invalidId(type, reader, 'it is no DATETIME')
      this.#view().setBigInt64(1, BigInt(seconds), true)
      return
    }
    if (this.#takeShortNumber(reader)) return
    const value = integerId(reader.textOf(), type.primaryId.type === 'UINT')
    if (value === null) throw invalidId(type, reader, `it is no ${type.primaryId.type}`)
    this.#view().setBigInt64(1, BigInt.asIntN(64, value), true)
  }

  /** Up to 15 digits and nothing else. */
  #takeShortNumber({ text, textStart, textEnd }: JsonBytes): boolean {
    if (textEnd - textStart > 15) return false
    let value = 0
    for (let at = textStart; at < textEnd; at++) {
      const digit = text[at]! - 0x30
      if (digit < 0 || digit > 9) return false
      value = value * 10 + digit
    }
    const view = this.#view()
    view.setInt32(1, value | 0, true)
    view.setInt32(5, Math.floor(value / 0x1_0000_0000), true)
    return true
  }
}

/** A composite id as it is stored. @throws DbError INVALID_PAYLOAD */
function storedText(reader: JsonBytes, type: VertexType, kinds: readonly Kind[]): string {
  const text = reader.textOf()
  const stored = storedKey(text, kinds)
  if (stored !== null) return stored
  const { names } = type.primaryId
  const parts = keyParts(text, names.length)
  if (parts === null) {
    throw invalidId(type, reader, `it has not the ${names.length} parts ${names.join(',')}`)
  }
  const unfit = parts.findIndex((part, index) => storedPart(part, kinds[index]!) === null)
  throw invalidId(type, reader, `its part '${parts[unfit]}' is no ${kinds[unfit]}`)
}

function checkSize(sizeBytes: number, type: VertexType, reader: JsonBytes): void {
  if (sizeBytes <= ID_SIZE_BYTES_MAX) return
  throw invalidId(type, reader, `it is longer than ${ID_SIZE_BYTES_MAX} bytes`)
}

function invalidId(type: VertexType, reader: JsonBytes, why: string): DbError {
  const text = reader.textOf()
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new DbError(
    'INVALID_PAYLOAD',
    `The id '${shown}' is not a valid vertex id for vertex type = ${type.name}: ${why}.`,
  )
}
