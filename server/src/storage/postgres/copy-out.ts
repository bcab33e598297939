/**
 * Rows as `COPY … TO STDOUT (FORMAT binary)` sends them. `pg` reads all other results as text, and bytes
 * in them as hexadecimal digits; rows do not come to it (`row-stream.ts`).
 *
 * Big-endian, sizes in bytes:
 *
 *     | signature 11 | flags 4 | length of the extension 4 | extension |
 *     rows: | number of fields 2 | fields: | length 4, -1 for NULL | bytes | |
 *     | -1 2 |
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html
 */
import type pg from 'pg'
import { answerOf, StreamedStatement } from './row-stream.ts'

/** Views, which are valid during the call only. */
export type TakeRow = (fields: readonly (Buffer | null)[]) => void

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const EXTENSION_LENGTH_OFFSET = SIGNATURE.length + 4
const HEADER_SIZE_BYTES = EXTENSION_LENGTH_OFFSET + 4
const END_OF_ROWS = -1
const nothing = Buffer.alloc(0)

/** Takes the stream in pieces, however it was cut. */
export class BinaryRows {
  readonly #take: TakeRow
  /** The beginning of what has not arrived whole. */
  #rest: Buffer = nothing
  #isBegun = false

  constructor(take: TakeRow) {
    this.#take = take
  }

  /** @param piece may be overwritten after the call */
  push(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let at = 0
    for (;;) {
      const end = this.#isBegun ? this.#row(bytes, at) : this.#header(bytes)
      if (end === null) break
      at = end
    }
    this.#rest = at === bytes.length ? nothing : Buffer.from(bytes.subarray(at))
  }

  /** @returns where it ends; null: it is not whole */
  #header(bytes: Buffer): number | null {
    if (bytes.length < HEADER_SIZE_BYTES) return null
    if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
      throw new Error('the server does not send rows in the binary format')
    }
    const end = HEADER_SIZE_BYTES + bytes.readInt32BE(EXTENSION_LENGTH_OFFSET)
    if (bytes.length < end) return null
    this.#isBegun = true
    return end
  }

  #row(bytes: Buffer, start: number): number | null {
    if (bytes.length < start + 2) return null
    const count = bytes.readInt16BE(start)
    let at = start + 2
    if (count === END_OF_ROWS) return at
    const fields: (Buffer | null)[] = []
    for (let i = 0; i < count; i++) {
      if (bytes.length < at + 4) return null
      const length = bytes.readInt32BE(at)
      at += 4
      if (length >= 0 && bytes.length < at + length) return null
      fields.push(length < 0 ? null : bytes.subarray(at, at + length))
      if (length > 0) at += length
    }
    this.#take(fields)
    return at
  }
}

export class CopyOut extends StreamedStatement {
  readonly #text: string
  readonly #rows: BinaryRows

  constructor(text: string, take: TakeRow) {
    super(answerOf.copy)
    this.#text = text
    this.#rows = new BinaryRows(take)
  }

  override submit(connection: pg.Connection): void {
    this.takeRowsOf(connection)
    connection.query(this.#text)
  }

  protected override read(piece: Buffer): void {
    this.#rows.push(piece)
  }
}

/** Of a field of type int. */
export function int4Of(field: Buffer | null | undefined): number {
  return present(field).readInt32BE()
}

/** Of a field of type bigint. */
export function int8Of(field: Buffer | null | undefined): number {
  return Number(present(field).readBigInt64BE())
}

export function present(field: Buffer | null | undefined): Buffer {
  if (field == null) throw new Error('the server sends no value where there is one')
  return field
}
