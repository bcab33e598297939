/**
 * Rows on their way from the socket. `pg` puts each message together in memory of its own: of a row
 * of a megabyte several megabytes are written for the first time, which takes longer than all else that
 * is done with it. So while such a statement runs its messages are taken from the socket here, and those that
 * are no rows go on to `pg`.
 *
 * | kind, a letter 1 | length of what follows, itself included 4, big-endian | body |
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

const READ_SIZE_BYTES = 256 * 1024
const HEADER_SIZE_BYTES = 5
/** What PostgreSQL has memory for at most. */
const LENGTH_MAX = 2 ** 30
/** Which messages are rows, and which nobody asks for. */
export interface AnswerKinds {
  readonly row: number
  readonly ignored: readonly number[]
}

export const answerOf: Readonly<Record<'copy' | 'prepared', AnswerKinds>> = {
  copy: { row: 'd'.charCodeAt(0), ignored: [] },
  // Bind and the statement are complete: `pg` would tell the statement, which does nothing then.
  prepared: { row: 'D'.charCodeAt(0), ignored: ['2'.charCodeAt(0), 'C'.charCodeAt(0)] },
}
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
/** What a server sends behind its greeting. */
const KINDS = new Set(Array.from('12ACDEGHIKNRSTVWZcdnstv', (letter) => letter.charCodeAt(0)))
const nothing = Buffer.alloc(0)

/** Reads into the same memory again and again. */
export class StoreSocket extends Socket {
  /** Who listens to `data` is done with each piece at the end of the call. Otherwise each gets a copy. */
  isShared = false

  constructor() {
    const buffer = Buffer.allocUnsafeSlow(READ_SIZE_BYTES)
    super({
      onread: {
        buffer,
        callback: (sizeBytes) => {
          const piece = buffer.subarray(0, sizeBytes)
          this.emit('data', this.isShared ? piece : Buffer.from(piece))
          return true
        },
      },
    })
  }
}

/** Puts messages together, in one piece of memory if they arrive in several. */
export class Messages {
  readonly #take: (message: Buffer) => boolean
  #memory = nothing
  /** Bytes of the message that has not arrived whole. */
  #length = 0
  /** How far the piece belonged to that message. */
  #collectedTo = 0

  /** @param take gets each message, whose bytes are valid during the call; false: the last one */
  constructor(take: (message: Buffer) => boolean) {
    this.#take = take
  }

  /** @returns where the last message ends, if it is in the piece. @throws Error: these are no messages */
  push(piece: Buffer): number | null {
    let at = 0
    while (at < piece.length) {
      const end = this.#length === 0 ? endOf(piece, at) : null
      const message = end === null ? this.#collect(piece, at) : piece.subarray(at, end)
      at = end ?? this.#collectedTo
      if (message !== null && !this.#take(message)) return at
    }
    return null
  }

  #collect(piece: Buffer, at: number): Buffer | null {
    const wanted = this.#length < HEADER_SIZE_BYTES ? HEADER_SIZE_BYTES : sizeOf(this.#memory, 0)
    this.#reserve(wanted)
    const end = Math.min(piece.length, at + wanted - this.#length)
    piece.copy(this.#memory, this.#length, at, end)
    this.#length += end - at
    this.#collectedTo = end
    if (this.#length < HEADER_SIZE_BYTES || this.#length < sizeOf(this.#memory, 0)) return null
    this.#length = 0
    return this.#memory.subarray(0, wanted)
  }

  #reserve(sizeBytes: number): void {
    if (sizeBytes <= this.#memory.length) return
    const memory = Buffer.allocUnsafeSlow(Math.max(sizeBytes, READ_SIZE_BYTES))
    this.#memory.copy(memory, 0, 0, this.#length)
    this.#memory = memory
  }
}

/** Null: the piece does not hold all of the message. */
function endOf(piece: Buffer, at: number): number | null {
  if (at + HEADER_SIZE_BYTES > piece.length) return null
  const end = at + sizeOf(piece, at)
  return end > piece.length ? null : end
}

function sizeOf(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at + 1)
  if (!KINDS.has(bytes[at]!) || length < 4 || length > LENGTH_MAX) {
    throw new Error('the server sends what is no message of its protocol')
  }
  return 1 + length
}

/**
 * Takes the rows of the next answer out of the stream; all else goes to those who listen now.
 * @param take gets the bytes of each row, which are valid during the call; it must not throw
 */
export function takeRows(
  stream: Duplex,
  take: (row: Buffer) => void,
  { row, ignored }: AnswerKinds = answerOf.copy,
): void {
  const others = stream.listeners('data') as ((piece: Buffer) => void)[]
  const messages = new Messages((message) => {
    const kind = message[0]
    if (kind === row) {
      take(message.subarray(HEADER_SIZE_BYTES))
      return true
    }
    if (ignored.includes(kind!)) return true
    const isLast = kind === READY_FOR_QUERY
    // Another statement may begin behind it at once: it finds the listeners of before.
    if (isLast) giveBack()
    for (const listener of others) listener.call(stream, Buffer.from(message))
    return !isLast
  })
  const onData = (piece: Buffer) => {
    try {
      const end = messages.push(piece)
      if (end !== null && end < piece.length) stream.emit('data', Buffer.from(piece.subarray(end)))
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const giveBack = () => {
    for (const listener of others) stream.on('data', listener)
    stream.off('data', onData)
    share(stream, false)
  }
  stream.on('data', onData)
  for (const listener of others) stream.off('data', listener)
  share(stream, true)
}

function share(stream: Duplex, isShared: boolean): void {
  if (stream instanceof StoreSocket) stream.isShared = isShared
}

/** A statement as `pg` runs it, without its rows, which come from the stream; `ended` settles with its answer. */
export abstract class StreamedStatement implements pg.Submittable {
  readonly ended: Promise<void>
  /** What `read` has thrown: the rows behind it were not read. */
  failure: unknown = null
  readonly #kinds: AnswerKinds
  readonly #settle = Promise.withResolvers<void>()

  constructor(kinds: AnswerKinds) {
    this.#kinds = kinds
    this.ended = this.#settle.promise
  }

  /** Begins with `takeRowsOf`, then sends the statement. */
  abstract submit(connection: pg.Connection): void

  /** @param row is valid during the call */
  protected abstract read(row: Buffer): void

  protected takeRowsOf({ stream }: pg.Connection): void {
    takeRows(stream, (row) => this.#tryRead(row), this.#kinds)
  }

  #tryRead(row: Buffer): void {
    if (this.failure !== null) return
    try {
      this.read(row)
    } catch (error) {
      this.failure = error
    }
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve()
  }

  // What else `pg` calls of a statement; none of it says anything of this one.
  handleCopyData(): void {}
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
