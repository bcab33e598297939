/**
 * JSON straight into bytes. Commas are the writer's business: it knows whether a value begins a
 * container. The buffer counts against the query's memory and stops at the response limit.
 */
import { responseTooLarge } from '#kernel/response-size.ts'
import type { MemoryBudget } from '../cells/memory.ts'

const encoder = new TextEncoder()
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const HEX = '0123456789abcdef'
const FIRST_SIZE_BYTES = 16 * 1024

export class JsonWriter {
  private bytes = new Uint8Array(FIRST_SIZE_BYTES)
  private used = 0
  private fresh = true
  /** Where the object of the PRINT at hand begins, below 0 between them, and whether it is the first. */
  private begun = -1
  private begunFresh = true
  private readonly memory: MemoryBudget
  private readonly limitBytes: number

  constructor(memory: MemoryBudget, limitBytes: number) {
    this.memory = memory
    this.limitBytes = limitBytes
    memory.take(FIRST_SIZE_BYTES)
  }

  get length(): number {
    return this.used
  }

  /** `{` or `[`. */
  open(bracket: '{' | '['): void {
    this.comma()
    this.ascii(bracket)
    this.fresh = true
  }

  /** `}` or `]`. */
  close(bracket: '}' | ']'): void {
    this.ascii(bracket)
    this.fresh = false
  }

  /** The object of one PRINT. */
  begin(): void {
    this.begun = this.used
    this.begunFresh = this.fresh
    this.open('{')
  }

  end(): void {
    this.close('}')
    this.begun = -1
  }

  /** Leaves out the object that was begun at `length` or later and is not ended, if there is one. */
  abandon(length: number): void {
    if (this.begun < length) return
    this.used = this.begun
    this.fresh = this.begunFresh
    this.begun = -1
  }

  key(name: Uint8Array): void {
    this.comma()
    this.quoted(name)
    this.ascii(':')
    this.fresh = true
  }

  keyText(name: string): void {
    this.key(encoder.encode(name))
  }

  string(utf8: Uint8Array): void {
    this.comma()
    this.quoted(utf8)
  }

  text(value: string): void {
    this.string(encoder.encode(value))
  }

  /** Digits, `true`, `"inf"`: ASCII that is JSON already. */
  raw(json: string): void {
    this.comma()
    this.ascii(json)
  }

  /** JSON of any characters. */
  utf8(json: string): void {
    this.comma()
    this.room(json.length * 3)
    this.used += encoder.encodeInto(json, this.bytes.subarray(this.used)).written
  }

  /**
   * The bytes so far in memory of their own that another thread can read. To transfer a buffer
   * instead would detach it, and V8 then throws away all code of the thread that trusts its arrays
   * to stay, and makes none such again.
   */
  finish(): Uint8Array<SharedArrayBuffer> {
    if (this.used > this.limitBytes) this.refuse()
    this.memory.take(this.used)
    const bytes = new Uint8Array(new SharedArrayBuffer(this.used))
    bytes.set(this.bytes.subarray(0, this.used))
    return bytes
  }

  private comma(): void {
    if (this.fresh) {
      this.fresh = false
      return
    }
    this.room(1)
    this.bytes[this.used++] = COMMA
  }

  private ascii(text: string): void {
    this.room(text.length)
    for (let i = 0; i < text.length; i++) this.bytes[this.used + i] = text.charCodeAt(i)
    this.used += text.length
  }

  private quoted(utf8: Uint8Array): void {
    this.room(utf8.length * 6 + 2)
    const bytes = this.bytes
    let at = this.used
    bytes[at++] = QUOTE
    for (let i = 0; i < utf8.length; i++) {
      const byte = utf8[i]!
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) bytes[at++] = byte
      else at = escapeByte(bytes, at, byte)
    }
    bytes[at++] = QUOTE
    this.used = at
  }

  private room(count: number): void {
    if (this.used > this.limitBytes) this.refuse()
    const needed = this.used + count
    if (needed <= this.bytes.length) return
    let length = this.bytes.length
    while (length < needed) length *= 2
    this.memory.take(length)
    const grown = new Uint8Array(length)
    grown.set(this.bytes.subarray(0, this.used))
    this.memory.give(this.bytes.length)
    this.bytes = grown
  }

  /** The size is a lower bound: the rest of the answer is never made. */
  private refuse(): never {
    throw responseTooLarge(this.used, this.limitBytes)
  }
}

const shortEscapes = new Map([
  [QUOTE, QUOTE],
  [BACKSLASH, BACKSLASH],
  [0x0a, 0x6e],
  [0x0d, 0x72],
  [0x09, 0x74],
  [0x08, 0x62],
  [0x0c, 0x66],
])

function escapeByte(bytes: Uint8Array, start: number, byte: number): number {
  let at = start
  bytes[at++] = BACKSLASH
  const short = shortEscapes.get(byte)
  if (short !== undefined) {
    bytes[at++] = short
    return at
  }
  for (const character of `u00${HEX[byte >> 4]}${HEX[byte & 15]}`) {
    bytes[at++] = character.charCodeAt(0)
  }
  return at
}
