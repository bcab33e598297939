/** Server-sent events (HTML, 9.2): texts that a client reads while the answer goes on. */
import { Readable } from 'node:stream'
import { DbError } from '#kernel/errors.ts'
import {
  EVENT_STREAMS_MAX,
  EVENT_STREAMS_PER_ADDRESS_MAX,
  EVENT_STREAMS_PER_USER_MAX,
} from '#kernel/limits.ts'
import { type After, pause } from './pause.ts'

export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

export interface StreamOptions {
  readonly intervalMs: number
  readonly roundCount: number
  /** Whose shares the stream counts in. */
  readonly user: string
  readonly address: string
  /** Raised when the client goes. */
  readonly signal: AbortSignal
  /** The events of a round; null: there will be none any more. */
  round(): readonly ServerEvent[] | null
}

export class EventStreams {
  readonly #after: After
  readonly #closing = new AbortController()
  readonly #open = new Set<Pick<StreamOptions, 'user' | 'address'>>()

  constructor(after: After) {
    this.#after = after
  }

  /** A server that closes waits for no stream. */
  close(): void {
    this.#closing.abort()
  }

  /** @throws DbError UNAVAILABLE when as many as may be are open, in all or in a share */
  open({ signal, ...options }: StreamOptions): Readable {
    this.#requireRoom(options)
    const ended = AbortSignal.any([signal, this.#closing.signal])
    const stream = Readable.from(this.#texts({ ...options, signal: ended }), { objectMode: false })
    this.#open.add(options)
    stream.once('close', () => this.#open.delete(options))
    return stream
  }

  /**
   * The new one is refused, not the oldest closed: clients open a closed stream again, so that two of them would
   * close each other's for ever.
   */
  #requireRoom({ user, address }: Pick<StreamOptions, 'user' | 'address'>): void {
    const open = [...this.#open]
    const refuse = (whose: string, count: number): never => {
      const text = `${whose} has ${count} event streams open: no further one may begin.`
      throw new DbError('UNAVAILABLE', text)
    }
    if (open.length >= EVENT_STREAMS_MAX) refuse('The server', open.length)
    const ofUser = open.filter((one) => one.user === user).length
    if (ofUser >= EVENT_STREAMS_PER_USER_MAX) refuse(`The user ${user}`, ofUser)
    const ofAddress = open.filter((one) => one.address === address).length
    if (ofAddress >= EVENT_STREAMS_PER_ADDRESS_MAX) refuse('The address of the client', ofAddress)
  }

  async *#texts({ intervalMs, roundCount, signal, round }: StreamOptions): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    for (let done = 0; done < roundCount; done++) {
      if (done > 0) await pause(this.#after, intervalMs, signal)
      const events = signal.aborted ? null : round()
      if (events === null) return
      yield events.map(eventText).join('')
    }
  }
}

/** How long a client waits before it asks again. */
const RETRY_MS = 2_000

/** JSON holds no line end. */
function eventText({ event, data }: ServerEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
