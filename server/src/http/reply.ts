import type { Readable } from 'node:stream'

/**
 * What a handler answers when the bare results are not all: a message, a code, raw bytes.
 *
 * ```ts
 * serve(app, listThings, () => things)                              // results only
 * serve(app, createThing, async () => message('Successfully …'))    // message only
 * serve(app, upsert, async () => reply(results, { code: 'REST-0003' }))
 * serve(app, runQuery, async () => replyJson(bytesFromTheWorker))   // results already serialised
 * ```
 */
export interface ReplyExtras {
  /** The body of a `text` answer as it comes, for as long as it comes; not counted in statistics. */
  readonly stream?: Readable
  /** The body of a `text` answer as bytes that follow each other. */
  readonly pieces?: readonly Uint8Array[]
  readonly message?: string
  /** The `code` of a RESTPP envelope. */
  readonly code?: string
  readonly status?: number
  /** `error: true` with results or text all the same (`stat_vertex_attr is skipped`). */
  readonly error?: boolean
  /** The graph whose schema version the envelope names; `params.graph` unless said. */
  readonly graph?: string
  /** Of a `text` answer; the endpoint's own unless said. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** More fields beside `results`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export class Reply<T> {
  readonly results: T | undefined
  /** Results already serialised as JSON; used instead of `results`. */
  readonly json: Uint8Array | string | undefined
  readonly extras: ReplyExtras

  constructor(results: T | undefined, json: Uint8Array | string | undefined, extras: ReplyExtras) {
    this.results = results
    this.json = json
    this.extras = extras
  }
}

export function reply<T>(results: T, extras: ReplyExtras = {}): Reply<T> {
  return new Reply(results, undefined, extras)
}

/** Success that is told by its message alone: the envelope has no `results`. */
export function message(text: string, extras: ReplyExtras = {}): Reply<never> {
  return new Reply<never>(undefined, undefined, { ...extras, message: text })
}

/** Text of another media type than the endpoint's own. */
export function replyText(text: string, contentType: string): Reply<never> {
  return new Reply<never>(undefined, undefined, { message: text, contentType })
}

/** Text that is too long to be made in one turn. */
export function replyPieces(pieces: readonly Uint8Array[]): Reply<never> {
  return new Reply<never>(undefined, undefined, { pieces })
}

/** An answer that goes on: its reader decides how fast, and ends it by going away. */
export function replyStream(stream: Readable): Reply<never> {
  return new Reply<never>(undefined, undefined, {
    stream,
    headers: { 'cache-control': 'no-store' },
  })
}

/** `json` is the serialised `results` (or the whole body of a bare endpoint), valid JSON text. */
export function replyJson(json: Uint8Array | string, extras: ReplyExtras = {}): Reply<never> {
  return new Reply<never>(undefined, json, extras)
}
