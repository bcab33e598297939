/** Requests of one client over connections of its own, with its credentials. */
import { Agent, type IncomingMessage, request } from 'node:http'

/** Longer than any limit of the server: a request without an answer is an error of the server. */
const ANSWER_TIMEOUT_MS = 120_000

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** An object is sent as JSON. */
  readonly body?: object | string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown
  readonly durationMs: number
  readonly retryAfterMs: number | null
}

/** The server did not answer: it was killed, or it is gone. */
export class NoAnswer extends Error {}

export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2 })
  #port = 0
  authorization: string

  constructor(authorization: string) {
    this.authorization = authorization
  }

  get port(): number {
    return this.#port
  }

  connectTo(port: number): void {
    this.#port = port
  }

  close(): void {
    this.#agent.destroy()
  }

  async send(call: Call): Promise<Answer> {
    const startedMs = performance.now()
    const { response, text } = await this.#exchange(call).catch((cause: unknown) => {
      throw new NoAnswer(`${call.method} ${call.path.slice(0, 200)}`, { cause })
    })
    const retryAfter = response.headers['retry-after']
    return {
      status: response.statusCode ?? 0,
      text,
      body: parseJson(text),
      durationMs: performance.now() - startedMs,
      retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1_000,
    }
  }

  #exchange(call: Call): Promise<{ readonly response: IncomingMessage; readonly text: string }> {
    const { method, path, headers, body } = call
    const bytes = bodyBytes(body)
    return new Promise((resolve, reject) => {
      const message = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          agent: this.#agent,
          method,
          path,
          headers: {
            authorization: this.authorization,
            ...(bytes !== null && { 'content-length': bytes.length }),
            ...headers,
          },
          timeout: ANSWER_TIMEOUT_MS,
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve({ response, text: Buffer.concat(chunks).toString() }))
        },
      )
      message.on('timeout', () => message.destroy(new Error('no answer in time')))
      message.on('error', reject)
      message.end(bytes ?? undefined)
    })
  }
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function bodyBytes(body: object | string | undefined): Buffer | null {
  if (body === undefined) return null
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
