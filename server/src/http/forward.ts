/**
 * Hands a request on to another instance and its answer back (docs/decisions/0128): method, URL, body
 * and credentials as they came. Where nothing was sent yet, or where repeating does no harm, it is
 * tried again at the next writer.
 */
import { randomUUID } from 'node:crypto'
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { DbError, isDbError } from '#kernel/errors.ts'
import type { InstanceState, Sharing } from '#services/instances/sharing.ts'
import { clientAddress, isSecureRequest } from './client-address.ts'
import { FORWARDED_HEADER, forwardedHeader, REFUSED_HEADER } from './forwarded.ts'
import { POSITION_HEADER } from './positions.ts'

export const KEY_HEADER = 'idempotency-key'

/** How long an answer of a former writer is waited for: it may be on its way. */
const FORMER_WRITER_MS = 1_000
const LOOK_MS = 250
const RETRY_MS = 50
/** Of an answer whose position is not applied here yet. */
const APPLY_MS_MAX = 5_000
const CONNECTIONS_MAX = 256

const agents = {
  'http:': new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX }),
  'https:': new TlsAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX }),
}

/** Between two machines only, or checked where the request came in. */
const droppedHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['host', 'content-length', 'content-encoding', 'origin', 'x-forwarded-for'],
  ...['x-forwarded-proto', 'proxy-connection', FORWARDED_HEADER, 'x-quiver-after'],
])
const droppedAnswerHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'date', 'x-content-type-options'],
  ...['x-quiver-staleness-ms', POSITION_HEADER, REFUSED_HEADER],
])

/** The answer of another instance, to be handed back as it comes. */
export class Relayed {
  readonly message: IncomingMessage
  /** The last entry of the log that it shows; 0: it named none. */
  readonly position: number

  constructor(message: IncomingMessage) {
    this.message = message
    this.position = Number(message.headers[POSITION_HEADER] ?? 0)
  }

  get headers(): Record<string, string | string[]> {
    return Object.fromEntries(
      Object.entries(this.message.headers).flatMap(([name, value]) =>
        value === undefined || droppedAnswerHeaders.has(name)
          ? []
          : [[name, plain(value)] as const],
      ),
    )
  }
}

/** Node has a list of some headers even where there is one. */
function plain(value: string | string[]): string | string[] {
  return Array.isArray(value) && value.length === 1 ? value[0]! : value
}

/** What went wrong on the way: nothing was done, or nobody knows. */
type Failure = 'not sent' | 'lost'

class ForwardError extends Error {
  readonly failure: Failure

  constructor(failure: Failure, cause: unknown) {
    super(`the request was ${failure}`, { cause })
    this.failure = failure
  }
}

/**
 * At whoever writes; a request under a key is repeated until its outcome is known.
 * @returns null: this instance has become the writer
 * @throws DbError NO_WRITER: nothing was done; OUTCOME_UNKNOWN
 */
export async function forwardToWriter(
  sharing: Sharing,
  request: FastifyRequest,
  isKeyed: boolean,
): Promise<Relayed | null> {
  const headers = isKeyed ? { [KEY_HEADER]: keyOf(request) } : {}
  const search = new WriterSearch(sharing, isKeyed)
  for (;;) {
    const instance = await search.next()
    if (instance.isSelf) {
      if (sharing.log.role === 'writer') {
        // It answers the same key itself.
        Object.assign(request.headers, headers)
        return null
      }
      await pause(RETRY_MS)
      continue
    }
    const { epoch } = sharing.log
    const isFormer = () => sharing.log.epoch !== epoch
    try {
      const message = await send(sharing, request, { instance, headers, isFormer })
      if (message.headers[REFUSED_HEADER] === undefined) return await applied(sharing, message)
      message.resume()
    } catch (error) {
      search.failed(error)
    }
    await pause(RETRY_MS)
  }
}

/** The client's, or one of ours, so that the request can be sent again. */
function keyOf({ headers }: FastifyRequest): string {
  return (headers[KEY_HEADER] as string | undefined) ?? randomUUID()
}

/** Looks for a writer within the limit of time, which begins anew when the outcome is not known. */
class WriterSearch {
  readonly #sharing: Sharing
  readonly #isKeyed: boolean
  #isUnknown = false
  #deadlineMs: number

  constructor(sharing: Sharing, isKeyed: boolean) {
    this.#sharing = sharing
    this.#isKeyed = isKeyed
    this.#deadlineMs = performance.now() + sharing.writeWaitMs
  }

  /** @throws DbError NO_WRITER, or OUTCOME_UNKNOWN where something was sent already */
  async next(): Promise<InstanceState> {
    const leftMs = this.#deadlineMs - performance.now()
    try {
      if (leftMs <= 0) throw new DbError('NO_WRITER', 'No instance writes now: nothing was done.')
      return await this.#sharing.log.writerKnown(leftMs)
    } catch (cause) {
      if (!isDbError(cause, 'NO_WRITER')) throw cause
      if (this.#isUnknown) throw outcomeUnknown(cause)
      throw new DbError('NO_WRITER', cause.message, { cause, details: { retryAfterSeconds: 1 } })
    }
  }

  /** @throws what ends the search */
  failed(error: unknown): void {
    if (!(error instanceof ForwardError)) throw error
    if (error.failure === 'not sent') return
    if (!this.#isKeyed) throw outcomeUnknown(error)
    if (!this.#isUnknown) this.#deadlineMs = performance.now() + this.#sharing.writeWaitMs
    this.#isUnknown = true
  }
}

/** At one instance; what it keeps in memory nobody else has. @throws DbError UNAVAILABLE */
export async function forwardTo(
  sharing: Sharing,
  request: FastifyRequest,
  instance: InstanceState,
  headers: OutgoingHttpHeaders = {},
): Promise<Relayed> {
  try {
    const answer = await send(sharing, request, { instance, headers, isFormer: () => false })
    return await applied(sharing, answer)
  } catch (cause) {
    if (!(cause instanceof ForwardError)) throw cause
    const text = `The instance ${instance.name} (number ${instance.ordinal}) does not answer.`
    throw new DbError('UNAVAILABLE', text, { cause })
  }
}

export function outcomeUnknown(cause: unknown): DbError {
  const text =
    'Whether the request was carried out is not known: the writer was lost meanwhile. Look, or repeat it under an Idempotency-Key.'
  return new DbError('OUTCOME_UNKNOWN', text, { cause })
}

/** Who stays with an instance sees there what was done through it. */
async function applied({ log }: Sharing, message: IncomingMessage): Promise<Relayed> {
  const answer = new Relayed(message)
  try {
    if (answer.position > log.position) await log.reached(answer.position, APPLY_MS_MAX)
  } catch (error) {
    // It was done all the same, and the answer names the position.
    if (!isDbError(error, 'BEHIND')) throw error
  }
  return answer
}

interface Target {
  readonly instance: InstanceState
  /** Beside those of the client. */
  readonly headers: OutgoingHttpHeaders
  /** Whether the writer is another one by now. */
  isFormer(): boolean
}

function send(
  sharing: Sharing,
  request: FastifyRequest,
  { instance, headers: more, isFormer }: Target,
): Promise<IncomingMessage> {
  const { method, originalUrl: path, body } = request
  sharing.counts.forwarded++
  const url = new URL(instance.url)
  const forwarded = {
    instance: sharing.log.self.name,
    address: clientAddress(request) ?? null,
    isSecure: isSecureRequest(request),
  }
  const bytes = body as Buffer | undefined
  const headers: OutgoingHttpHeaders = {
    ...passedOn(request.headers),
    ...(bytes !== undefined && { 'content-length': bytes.length }),
    ...more,
    [FORWARDED_HEADER]: forwardedHeader((text) => sharing.sign(text), forwarded, {
      ...{ method, url: path },
    }),
  }
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let isConnected = false
    const call = (isTls ? httpsRequest : httpRequest)(url, {
      ...{ method, path, headers },
      agent: agents[isTls ? 'https:' : 'http:'],
    })
    let formerMs = 0
    const look = setInterval(() => {
      if (!isFormer()) return
      formerMs += LOOK_MS
      if (formerMs > FORMER_WRITER_MS) call.destroy()
    }, LOOK_MS).unref()
    const client = request.raw.socket
    const onGone = () => call.destroy()
    client.once('close', onGone)
    const done = () => {
      clearInterval(look)
      client.off('close', onGone)
    }
    call.once('socket', (socket) => {
      const connected = () => {
        isConnected = true
      }
      if (socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    call.once('response', (message) => {
      clearInterval(look)
      message.once('close', done)
      resolve(message)
    })
    call.once('error', (error) => {
      done()
      reject(new ForwardError(isConnected ? 'lost' : 'not sent', error))
    })
    call.end(bytes)
  })
}

function passedOn(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !droppedHeaders.has(name) && !name.startsWith('sec-fetch-'),
    ),
  )
}
