/**
 * A growing buffer of JSON text as UTF-8: rows are written into it straight from columns, without
 * an object or a string per row.
 */
import { DATETIME_SIZE_BYTES, writeDatetime } from '#kernel/datetime.ts'
import { responseTooLarge } from '#kernel/response-size.ts'

const encoder = new TextEncoder()
const QUOTE = 0x22
const ZERO = 0x30
/** Longer texts go through the encoder, whose call alone costs as much as some forty characters. */
const SHORT_TEXT_CHARS_MAX = 40
/** A longer text is copied into a larger buffer in pieces of this size, by those who can wait between them. */
const COPY_PIECE_BYTES = 1024 * 1024

/** 1 for the bytes that a JSON string cannot hold as they are. */
const needsEscape = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++) needsEscape[byte] = 1
needsEscape[QUOTE] = 1
needsEscape[0x5c] = 1

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class JsonSink {
  bytes: Uint8Array<ArrayBuffer>
  used = 0
  readonly #sizeBytesMax: number

  /** @param sizeBytesMax more than this is an answer too large */
  constructor(sizeBytesMax: number, initialSizeBytes = 512) {
    this.#sizeBytesMax = sizeBytesMax
    // Short answers come out of Node's pool of unzeroed memory; only what was written is read.
    this.bytes = Buffer.allocUnsafe(initialSizeBytes)
  }

  /**
   * Room for more before it is needed: copies what there is into a larger buffer, in pieces where it is long.
   * @throws DbError RESPONSE_TOO_LARGE
   */
  *moreRoom(): Generator<undefined, void> {
    const { length } = this.bytes
    if (length <= COPY_PIECE_BYTES || this.used < length - COPY_PIECE_BYTES / 2) return
    if (this.used > this.#sizeBytesMax) throw responseTooLarge(this.used, this.#sizeBytesMax)
    const grown = Buffer.allocUnsafe(length * 2)
    for (let start = 0; start < this.used; start += COPY_PIECE_BYTES) {
      if (start > 0) yield
      const end = Math.min(start + COPY_PIECE_BYTES, this.used)
      grown.set(this.bytes.subarray(start, end), start)
    }
    this.bytes = grown
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.used)
  }

  byte(value: number): void {
    if (this.used === this.bytes.length) this.#grow(1)
    this.bytes[this.used++] = value
  }

  /** Any text, as it is: JSON punctuation or JSON made elsewhere. */
  text(text: string): void {
    const { length } = text
    this.#reserve(length * 3)
    if (length <= SHORT_TEXT_CHARS_MAX && this.#ascii(text)) return
    this.used += encoder.encodeInto(text, this.bytes.subarray(this.used)).written
  }

  /** A DATETIME in epoch seconds, as answers print it. */
  datetime(seconds: number): void {
    this.#reserve(DATETIME_SIZE_BYTES + 2)
    const { bytes, used } = this
    bytes[used] = QUOTE
    writeDatetime(bytes, used + 1, seconds)
    bytes[used + 1 + DATETIME_SIZE_BYTES] = QUOTE
    this.used = used + DATETIME_SIZE_BYTES + 2
  }

  raw(source: Uint8Array): void {
    this.rawRange(source, 0, source.length)
  }

  rawRange(source: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.#reserve(length)
    if (length < 24) {
      const { bytes } = this
      let at = this.used
      for (let from = start; from < end; from++) bytes[at++] = source[from]!
    } else {
      this.bytes.set(source.subarray(start, end), this.used)
    }
    this.used += length
  }

  /** UTF-8 as a JSON string: copied as it is unless a byte of it must be escaped. */
  string(source: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (needsEscape[source[at]!] === 1) {
        // The slice leaves shared memory, which a decoder does not read.
        this.text(JSON.stringify(decoder.decode(source.slice(start, end))))
        return
      }
    }
    this.byte(QUOTE)
    this.rawRange(source, start, end)
    this.byte(QUOTE)
  }

  /** A safe integer, in digits. */
  integer(value: number): void {
    this.#reserve(20)
    if (value < 0 || value > 0x7fff_ffff) {
      this.text(String(value))
      return
    }
    let size = 1
    for (let limit = 10; value >= limit; limit *= 10) size++
    let rest = value
    for (let at = this.used + size - 1; at >= this.used; at--) {
      const next = (rest / 10) | 0
      this.bytes[at] = ZERO + rest - next * 10
      rest = next
    }
    this.used += size
  }

  /** @returns false when the text has other characters; then nothing was written */
  #ascii(text: string): boolean {
    const { bytes, used } = this
    const { length } = text
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code > 0x7f) return false
      bytes[used + index] = code
    }
    this.used = used + length
    return true
  }

  #reserve(sizeBytes: number): void {
    if (this.used + sizeBytes > this.bytes.length) this.#grow(sizeBytes)
  }

  #grow(sizeBytes: number): void {
    if (this.used > this.#sizeBytesMax) throw responseTooLarge(this.used, this.#sizeBytesMax)
    const grown = Buffer.allocUnsafe(Math.max(this.used + sizeBytes, this.bytes.length * 2))
    grown.set(this.bytes.subarray(0, this.used))
    this.bytes = grown
  }
}

/** About what a row takes; growing from little copies everything twice. */
const ROW_SIZE_BYTES = 256
const LISTING_SIZE_BYTES_MAX = 16 * 2 ** 20

/** A sink with room for so many rows of usual size. */
export function sinkForRows(sizeBytesMax: number, rowCount: number): JsonSink {
  const wanted = Math.max(512, rowCount * ROW_SIZE_BYTES)
  return new JsonSink(sizeBytesMax, Math.min(wanted, LISTING_SIZE_BYTES_MAX, sizeBytesMax + 1))
}
