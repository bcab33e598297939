/**
 * A prepared statement whose rows come in the binary format. `pg` sends such a statement in five messages, requests
 * a description of its rows each time, and makes objects of the rows. An idle follower runs one 50 times a second:
 * here it is sent in one write, and its rows are read from the socket before the driver parses them.
 *
 * Three messages, big-endian, sizes in bytes; texts end in a zero:
 *
 *     | 'B' 1 | length 4 | portal, empty 1 | statement | formats: 0 2 |
 *     | values: count 2, each: length 4 and text | formats of results: 1 2, binary 2 |
 *     | 'E' 1 | length 4 | portal, empty 1 | rows, 0: all 4 | 'S' 1 | length 4 |
 *
 * A row of the answer: | number of fields 2 | fields: | length 4, -1 for NULL | bytes | |
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import type pg from 'pg'
import { isPrepared } from './bytes-in.ts'
import type { TakeRow } from './copy-out.ts'
import { answerOf, StreamedStatement } from './row-stream.ts'

/** What follows the last value: all results are binary, Execute, Sync. */
const TAIL = Buffer.from([0, 1, 0, 1, 0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])
const EXECUTE_AND_SYNC_SIZE_BYTES = 15

export interface NamedStatement {
  /** It is prepared once for each connection. */
  readonly name: string
  readonly text: string
}

export class PreparedRows extends StreamedStatement {
  /** By these `pg` knows what a connection has prepared. */
  readonly name: string
  readonly text: string
  readonly #values: readonly unknown[]
  readonly #take: TakeRow

  /** @param values go as texts */
  constructor({ name, text }: NamedStatement, values: readonly unknown[], take: TakeRow) {
    super(answerOf.prepared)
    this.name = name
    this.text = text
    this.#values = values
    this.#take = take
  }

  override submit(connection: pg.Connection): void {
    const { name, text } = this
    const { stream } = connection
    // The driver reports the lost connection to `handleError`.
    if (!stream.writable) return
    this.takeRowsOf(connection)
    stream.cork()
    if (!isPrepared(connection, name)) connection.parse({ name, text, types: [] }, true)
    stream.write(question(name, this.#values.map(String)))
    stream.uncork()
  }

  protected override read(row: Buffer): void {
    this.#take(fieldsOf(row))
  }
}

function question(name: string, texts: readonly string[]): Buffer {
  const sizes = texts.map((text) => Buffer.byteLength(text))
  const valuesSize = sizes.reduce((sum, size) => sum + 4 + size, 0)
  const bytes = Buffer.allocUnsafe(5 + 1 + name.length + 1 + 2 + 2 + valuesSize + TAIL.length)
  let at = bytes.write('B', 'latin1')
  at = bytes.writeInt32BE(bytes.length - 1 - EXECUTE_AND_SYNC_SIZE_BYTES, at)
  at = bytes.writeUInt8(0, at)
  at += bytes.write(name, at, 'latin1')
  at = bytes.writeUInt8(0, at)
  at = bytes.writeInt16BE(0, at)
  at = bytes.writeInt16BE(texts.length, at)
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(sizes[index]!, at)
    at += bytes.write(text, at)
  }
  TAIL.copy(bytes, at)
  return bytes
}

function fieldsOf(row: Buffer): (Buffer | null)[] {
  const fields: (Buffer | null)[] = []
  let at = 2
  for (let left = row.readInt16BE(0); left > 0; left--) {
    const length = row.readInt32BE(at)
    at += 4
    fields.push(length < 0 ? null : row.subarray(at, at + length))
    if (length > 0) at += length
  }
  return fields
}
