/**
 * A JSON reader over bytes: tokens where they lie, no values, no objects.
 *
 * The caller knows which token it wants and asks for it; whatever else stands there is either
 * malformed (REST-2001 with line and column) or of the wrong type, which the caller reports. The
 * last string read is `text[textStart .. textEnd)`: a piece of the body itself, or of a scratch
 * buffer when it had escapes; it holds until the next string is read.
 *
 * The bytes must be valid UTF-8: see utf8.ts.
 */
import { markBytes } from '#kernel/byte-order-mark.ts'
import { DbError } from '#kernel/errors.ts'
import { JSON_DEPTH_MAX } from '#kernel/limits.ts'

/** Counting the lines of more would hold the event loop. */
const LINES_COUNTED_BYTES_MAX = 16 * 2 ** 20

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** 1 for the bytes a number token may hold. */
const isNumberByte = new Uint8Array(256)
for (const char of '+-.0123456789eE') isNumberByte[char.charCodeAt(0)] = 1

/** What `\x` stands for, by the code of x; 0: no such escape. */
const escapeOf = new Uint8Array(256)
for (const [char, value] of ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t']) {
  escapeOf[char!.charCodeAt(0)] = value!.charCodeAt(0)
}

const noBytes = new Uint8Array(0)

/** What is read in one go reaches beyond `JsonBytes.longAt`. */
export class LongObject extends Error {}

export class JsonBytes {
  readonly bytes: Uint8Array
  readonly end: number
  at: number

  text: Uint8Array
  textStart = 0
  textEnd = 0
  /** Values as an export writes them count, too: see scalar-reader.ts. */
  readonly isExport: boolean
  /** No member begins, and no text with escapes goes on, behind this byte without a `LongObject`. */
  longAt = Number.POSITIVE_INFINITY
  /** Grows with the first escape. */
  #scratch = noBytes

  constructor(bytes: Uint8Array, isExport = false) {
    this.isExport = isExport
    this.bytes = bytes
    this.text = bytes
    this.end = bytes.length
    this.at = markBytes(bytes)
  }

  /** The next byte that is no whitespace, not consumed; -1 at the end. */
  peek(): number {
    const { bytes, end } = this
    while (this.at < end) {
      const byte = bytes[this.at]!
      if (byte > 0x20) return byte
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        throw this.malformed('a control character')
      }
      this.at++
    }
    return -1
  }

  expect(byte: number): void {
    if (this.peek() !== byte) throw this.malformed(`no '${String.fromCharCode(byte)}'`)
    this.at++
  }

  /**
   * Steps to the next member of the open object or array.
   * @param isFirst whether nothing has been read of it yet
   * @returns false when it has ended, its closing byte consumed
   * @throws LongObject
   */
  nextMember(close: number, isFirst: boolean): boolean {
    if (this.at > this.longAt) throw new LongObject('an object is longer than one turn may read')
    const byte = this.peek()
    if (byte === close) {
      this.at++
      return false
    }
    if (isFirst) return true
    if (byte !== 0x2c) throw this.malformed(`neither ',' nor '${String.fromCharCode(close)}'`)
    this.at++
    if (this.peek() === close) throw this.malformed("nothing after ','")
    return true
  }

  /** A member's key and its colon; the key is the last string. */
  key(): void {
    if (this.peek() !== QUOTE) throw this.malformed('no member name in double quotes')
    this.string()
    this.expect(0x3a)
  }

  /** The string that begins at `at`. */
  string(): void {
    const { bytes, end } = this
    const start = this.at + 1
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.text = bytes
        this.textStart = start
        this.textEnd = at
        this.at = at + 1
        return
      }
      if (byte === BACKSLASH) {
        this.#escapedString(start, at)
        return
      }
      if (byte < 0x20) this.#failAt(at, 'a control character inside a string')
    }
    this.at = end
    throw this.malformed('a string without its end')
  }

  /** The last string as a text: for messages, not for hot paths. */
  textOf(): string {
    return decoder.decode(this.text.subarray(this.textStart, this.textEnd))
  }

  textEquals(name: Uint8Array): boolean {
    const length = name.length
    const { text, textStart } = this
    if (this.textEnd - textStart !== length) return false
    for (let index = 0; index < length; index++) {
      if (text[textStart + index] !== name[index]) return false
    }
    return true
  }

  /** True when `literal` stands at `at`; consumes it. */
  skipLiteral(literal: Uint8Array): boolean {
    const { bytes, at } = this
    for (let index = 0; index < literal.length; index++) {
      if (bytes[at + index] !== literal[index]) return false
    }
    this.at = at + literal.length
    return true
  }

  /** `true`, `false` or `null` at `at`. @returns which, by its first letter */
  word(): number {
    const first = this.bytes[this.at]!
    const word = first === 0x74 ? 'true' : first === 0x66 ? 'false' : 'null'
    for (let index = 0; index < word.length; index++) {
      if (this.bytes[this.at + index] !== word.charCodeAt(index)) {
        throw this.malformed('an unknown word')
      }
    }
    this.at += word.length
    return first
  }

  /** The number token at `at`, checked against JSON's grammar. */
  numberText(): string {
    const start = this.at
    let at = start
    while (at < this.end && isNumberByte[this.bytes[at]!] === 1) at++
    const text = decoder.decode(this.bytes.subarray(start, at))
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
      throw this.malformed('a malformed number')
    }
    this.at = at
    return text
  }

  /** Steps over one value of any kind, checking that it is JSON. */
  skipValue(depth = 0): void {
    if (depth > JSON_DEPTH_MAX) throw this.malformed(`nesting deeper than ${JSON_DEPTH_MAX}`)
    const byte = this.peek()
    if (byte === QUOTE) this.string()
    else if (byte === 0x7b || byte === 0x5b) this.#skipContainer(byte, depth)
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.numberText()
    else if (byte === 0x74 || byte === 0x66 || byte === 0x6e) this.word()
    else throw this.malformed('no value')
  }

  /** REST-2001: what stands at `at` is no JSON. */
  malformed(what: string): DbError {
    const { bytes, at } = this
    const text = `The request body is not valid JSON: ${what} at`
    if (at > LINES_COUNTED_BYTES_MAX) {
      return new DbError('INVALID_JSON', `${text} byte ${at}.`, { details: { offset: at } })
    }
    let line = 1
    // An iterator over the bytes would take ten times as long.
    for (let index = 0; index < at; index++) if (bytes[index] === 0x0a) line++
    const column = at - bytes.subarray(0, at).lastIndexOf(0x0a)
    const where = `line ${line}, column ${column}`
    const details = { line, column, offset: at }
    return new DbError('INVALID_JSON', `${text} ${where} (byte ${at}).`, { details })
  }

  #skipContainer(open: number, depth: number): void {
    const isObject = open === 0x7b
    const close = isObject ? 0x7d : 0x5d
    this.at++
    for (let isFirst = true; this.nextMember(close, isFirst); isFirst = false) {
      if (isObject) this.key()
      this.skipValue(depth + 1)
    }
  }

  #failAt(at: number, what: string): never {
    this.at = at
    throw this.malformed(what)
  }

  /** A string with escapes, decoded into the scratch buffer; `escapeAt` is its first backslash. */
  #escapedString(start: number, escapeAt: number): void {
    const { bytes, end } = this
    this.#reserve(escapeAt - start + 4)
    this.#scratch.set(bytes.subarray(start, escapeAt))
    let length = escapeAt - start
    let at = escapeAt
    while (at < end && bytes[at] !== QUOTE) {
      if (at > this.longAt)
        throw new LongObject('a text with escapes is longer than one turn may read')
      this.#reserve(length + 4)
      const byte = bytes[at]!
      if (byte === BACKSLASH) {
        length = this.#escape(at, length)
        at = this.at
      } else {
        if (byte < 0x20) this.#failAt(at, 'a control character inside a string')
        this.#scratch[length++] = byte
        at++
      }
    }
    this.at = at
    if (at >= end) throw this.malformed('a string without its end')
    this.at++
    this.text = this.#scratch
    this.textStart = 0
    this.textEnd = length
  }

  /** One escape at `at`, its UTF-8 appended at `length`; leaves `this.at` behind it. */
  #escape(at: number, length: number): number {
    const letter = this.bytes[at + 1] ?? 0
    if (letter !== 0x75) {
      const value = escapeOf[letter]!
      if (value === 0) this.#failAt(at, 'an unknown escape')
      this.#scratch[length] = value
      this.at = at + 2
      return length + 1
    }
    let code = this.#hex(at + 2)
    this.at = at + 6
    if (code >= 0xd800 && code < 0xe000) code = this.#surrogate(code)
    return length + encodeUtf8(code, this.#scratch, length)
  }

  /** Joins a surrogate pair; half of one alone becomes U+FFFD, as in every UTF-8 encoder. */
  #surrogate(high: number): number {
    const { bytes, at } = this
    const isPair = high < 0xdc00 && bytes[at] === BACKSLASH && bytes[at + 1] === 0x75
    const low = isPair ? this.#hex(at + 2) : 0
    if (low < 0xdc00 || low >= 0xe000) return 0xfffd
    this.at = at + 6
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
  }

  #hex(at: number): number {
    let code = 0
    for (let index = 0; index < 4; index++) {
      const digit = Number.parseInt(String.fromCharCode(this.bytes[at + index] ?? 0), 16)
      if (Number.isNaN(digit)) this.#failAt(at, 'an escape without four hexadecimal digits')
      code = code * 16 + digit
    }
    return code
  }

  #reserve(size: number): void {
    if (size <= this.#scratch.length) return
    const grown = new Uint8Array(Math.max(size, this.#scratch.length * 2, 256))
    grown.set(this.#scratch)
    this.#scratch = grown
  }
}

/** @returns how many bytes were written */
function encodeUtf8(code: number, target: Uint8Array, at: number): number {
  if (code < 0x80) {
    target[at] = code
    return 1
  }
  if (code < 0x800) {
    target[at] = 0xc0 | (code >> 6)
    target[at + 1] = 0x80 | (code & 0x3f)
    return 2
  }
  if (code < 0x10000) {
    target[at] = 0xe0 | (code >> 12)
    target[at + 1] = 0x80 | ((code >> 6) & 0x3f)
    target[at + 2] = 0x80 | (code & 0x3f)
    return 3
  }
  target[at] = 0xf0 | (code >> 18)
  target[at + 1] = 0x80 | ((code >> 12) & 0x3f)
  target[at + 2] = 0x80 | ((code >> 6) & 0x3f)
  target[at + 3] = 0x80 | (code & 0x3f)
  return 4
}
