/** Server-sent events (HTML, 9.2): texts that a client reads while the answer goes on. */
import { Readable } from 'node:stream'
import { DbError } from '#kernel/errors.ts'
import { EVENT_STREAMS_MAX } from '#kernel/limits.ts'
import { type After, pause } from './pause.ts'

export interface ServerEvent {
  readonly event: string
  readonly data: unknown
}

export interface StreamOptions {
  readonly intervalMs: number
  readonly roundCount: number
  /** Raised when the client goes. */
  readonly signal: AbortSignal
  /** The events of a round; null: there will be none any more. */
  round(): readonly ServerEvent[] | null
}

export class EventStreams {
  readonly #after: After
  readonly #closing = new AbortController()
  #openCount = 0

  constructor(after: After) {
    this.#after = after
  }

  /** A server that closes waits for no stream. */
  close(): void {
    this.#closing.abort()
  }

  /** @throws DbError UNAVAILABLE when as many as may be are open */
  open({ signal, ...options }: StreamOptions): Readable {
    if (this.#openCount >= EVENT_STREAMS_MAX) {
      const text = `The server has ${EVENT_STREAMS_MAX} event streams open: no further one may begin.`
      throw new DbError('UNAVAILABLE', text)
    }
    const ended = AbortSignal.any([signal, this.#closing.signal])
    const stream = Readable.from(this.#texts({ ...options, signal: ended }), { objectMode: false })
    this.#openCount++
    stream.once('close', () => {
      this.#openCount--
    })
    return stream
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
