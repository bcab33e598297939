/** Requests to one server as a client sends them, with positions and keys. */

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read many shapes of answers.
  readonly body: any
  /** The sequence that the answer saw; null: it does not say. */
  readonly position: number | null
  readonly stalenessMs: number | null
}

export interface RequestOptions {
  /** The position to wait for. */
  readonly after?: number | 'latest' | null
  readonly idempotencyKey?: string | null
  readonly body?: unknown
  readonly msMax?: number
}

/** Longer than the server lets a request wait. */
const ANSWER_MS_MAX = 30_000

export class Client {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer | null> {
    return this.request('GET', path, options)
  }

  /** @returns null when no answer came: the connection ended, or the time was over */
  async request(
    method: string,
    path: string,
    { after = null, idempotencyKey = null, body, msMax = ANSWER_MS_MAX }: RequestOptions = {},
  ): Promise<Answer | null> {
    try {
      const response = await fetch(this.#url + path, {
        method,
        signal: AbortSignal.timeout(msMax),
        headers: {
          ...(after === null ? {} : { 'x-quiver-after': String(after) }),
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: parsed(text),
        position: numberOf(response.headers.get('x-quiver-position')),
        stalenessMs: numberOf(response.headers.get('x-quiver-staleness-ms')),
      }
    } catch {
      return null
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}
