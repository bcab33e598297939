/**
 * A prepared statement that writes, and whose last values are bytes. `pg` copies such values into new
 * memory and asks for a description of rows that there are not; here they go to the socket as they are.
 *
 * Three messages, big-endian, sizes in bytes; texts end in a zero:
 *
 *     | 'B' 1 | length 4 | portal, empty 1 | statement | formats: count 2, each 2 |
 *     | values: count 2, each: length 4 and bytes | formats of results: 0 2 |
 *     | 'E' 1 | length 4 | portal, empty 1 | rows, 0: all 4 | 'S' 1 | length 4 |
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import type pg from 'pg'

const BINARY = 1
const RESULT_FORMATS_SIZE_BYTES = 2
/** What follows the last value: no formats of results, Execute, Sync. */
const TAIL = Buffer.from([0, 0, 0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

export interface BytesWrite {
  /** It is prepared once for each connection. */
  readonly statement: { readonly name: string; readonly text: string }
  /** Its first values. */
  readonly numbers: readonly number[]
  /** The others. They must not change until it has ended. */
  readonly bytes: readonly Uint8Array[]
}

/** A statement as `pg` runs it; `ended` settles with the number of rows that it has written. */
export class BytesIn implements pg.Submittable {
  readonly ended: Promise<number>
  /** By these `pg` knows what a connection has prepared. */
  readonly name: string
  readonly text: string
  readonly #write: BytesWrite
  readonly #settle = Promise.withResolvers<number>()
  #count = 0

  constructor(write: BytesWrite) {
    this.name = write.statement.name
    this.text = write.statement.text
    this.#write = write
    this.ended = this.#settle.promise
  }

  submit(connection: pg.Connection): void {
    const { name, text } = this
    const { stream } = connection
    // The driver reports the lost connection to `handleError`.
    if (!stream.writable) return
    stream.cork()
    if (!isPrepared(connection, name)) connection.parse({ name, text, types: [] }, true)
    stream.write(bindHead(this.#write))
    for (const { buffer, byteOffset, length } of this.#write.bytes) {
      stream.write(int4(length))
      stream.write(Buffer.from(buffer, byteOffset, length))
    }
    stream.write(TAIL)
    stream.uncork()
  }

  /** Its text is like `INSERT 0 26`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#count = Number(text.slice(text.lastIndexOf(' ') + 1))
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#count)
  }

  // What `pg` calls of each statement; none of it says anything of this one.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** `pg` notes it of a statement with a name when the server has answered. */
export function isPrepared(connection: pg.Connection, name: string): boolean {
  const { parsedStatements } = connection as unknown as {
    parsedStatements: Readonly<Record<string, string>>
  }
  return parsedStatements[name] !== undefined
}

/** Bind up to the first value of bytes; numbers go as text. */
function bindHead({ statement: { name }, numbers, bytes }: BytesWrite): Buffer {
  const texts = numbers.map(String)
  const count = texts.length + bytes.length
  const textsSize = texts.reduce((sum, text) => sum + 4 + text.length, 0)
  const bytesSize = bytes.reduce((sum, { length }) => sum + 4 + length, 0)
  const head = Buffer.alloc(5 + 1 + name.length + 1 + 2 + 2 * count + 2 + textsSize)
  let at = head.write('B', 'latin1')
  at = head.writeInt32BE(head.length - 1 + bytesSize + RESULT_FORMATS_SIZE_BYTES, at)
  at += 1 + head.write(name, at + 1, 'latin1') + 1
  // Zeros are formats of texts.
  at = head.writeInt16BE(count, at) + 2 * texts.length
  for (const _ of bytes) at = head.writeInt16BE(BINARY, at)
  at = head.writeInt16BE(count, at)
  for (const text of texts) {
    at = head.writeInt32BE(text.length, at)
    at += head.write(text, at, 'latin1')
  }
  return head
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
