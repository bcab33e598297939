/**
 * The one way from the console to the server: `call` an endpoint of the contract.
 *
 * ```ts
 * const indexes = await call(listIndexes, { query: { graph: 'acme' }, signal })
 * ```
 *
 * `call` returns what the endpoint's response schema describes (the `results` of an envelope);
 * `callWhole` returns message, schema version, request id and timing with it. Both throw ApiError.
 * Integers beyond 2^53 arrive as bigint and may be sent as such.
 */
import type {
  BodyInputOf,
  Endpoint,
  Envelope,
  Method,
  ParamsInputOf,
  QueryInputOf,
  ResultOf,
} from '#contract/endpoint.ts'
import { parseLossless } from '#lib/json/lossless-json.ts'
import { ApiError, type ApiErrorDetails } from './api-error.ts'
import {
  answerExcerpt,
  curlCommand,
  type HttpRequest,
  httpRequest,
  type RequestInputs,
} from './http-request.ts'
import { positions } from './positions.ts'
import { reauth } from './reauth.ts'
import { requestLog } from './request-log.ts'
import { schemaVersions } from './schema-version.ts'
import { guardedSend } from './write-guard.ts'

interface CallOptions<E extends Endpoint> {
  readonly params?: ParamsInputOf<E>
  readonly query?: QueryInputOf<E>
  readonly body?: BodyInputOf<E>
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: Method
  readonly signal?: AbortSignal | undefined
  /** About the server itself: it need not have caught up with what this tab has seen. */
  readonly ofAnyAge?: boolean
}

export interface Answer<T> {
  readonly data: T
  readonly message: string
  readonly code: string | undefined
  readonly schemaVersion: number | undefined
  readonly requestId: string | undefined
  /** From sending to the last byte. */
  readonly durationMs: number
  readonly sizeBytes: number
  /** Reading the text of the answer. */
  readonly parseMs: number
  /** Where the server says its own time went: the header `Server-Timing`. */
  readonly serverTiming: string | null
  /** The server's clock, in whole seconds: the header `Date`. */
  readonly date: string | null
  readonly headers: Headers
}

export async function call<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ResultOf<E>> {
  return (await callWhole(endpoint, options)).data
}

export async function callWhole<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Answer<ResultOf<E>>> {
  const request = httpRequest(endpoint, options as RequestInputs)
  const exchange = await guardedSend(request, endpoint.envelope === 'text', (allowed) =>
    sendSignedIn(options.ofAnyAge === true ? allowed : afterSeen(allowed), options.signal),
  )
  const parseStart = performance.now()
  const body = readBody(endpoint.envelope, request, exchange)
  const parseMs = performance.now() - parseStart
  const envelope = isRecord(body) ? body : {}
  if (!exchange.ok || hasFailed(endpoint.envelope, envelope)) {
    throw failure(request, exchange, envelope)
  }
  const schemaVersion = noteSchemaVersion(options, exchange.schemaVersion)
  return {
    data: dataOf(endpoint.envelope, body) as ResultOf<E>,
    message: typeof envelope['message'] === 'string' ? envelope['message'] : '',
    code: typeof envelope['code'] === 'string' ? envelope['code'] : undefined,
    schemaVersion,
    requestId: exchange.requestId,
    durationMs: exchange.durationMs,
    sizeBytes: exchange.text.length,
    parseMs,
    serverTiming: exchange.headers.get('server-timing'),
    date: exchange.headers.get('date'),
    headers: exchange.headers,
  }
}

interface Exchange {
  readonly ok: boolean
  readonly status: number
  readonly text: string
  readonly requestId: string | undefined
  readonly schemaVersion: number | undefined
  readonly durationMs: number
  readonly logId: number
  readonly headers: Headers
  readonly retryAfterSeconds: number | undefined
}

/** A read has waited in vain for the position that it named. */
const BEHIND = 'REST-12001'

/** Not before what this tab has seen; copied as curl without it. */
function afterSeen(request: HttpRequest): HttpRequest {
  const position = positions.after()
  if (position === null) return request
  return { ...request, headers: { ...request.headers, 'x-quiver-after': position } }
}

/** Reads are asked anew after a login; a write would be lost. */
async function sendSignedIn(
  request: HttpRequest,
  signal: AbortSignal | undefined,
): Promise<Exchange> {
  const exchange = await send(request, signal)
  const isRefused = exchange.status === 401 && request.method !== 'GET'
  // A login that is refused, or a password that is wrong, is an answer.
  if (!isRefused || request.url.startsWith('/quiver/v1/session')) return exchange
  return (await reauth.wait(signal)) ? await send(request, signal) : exchange
}

async function send(request: HttpRequest, signal: AbortSignal | undefined): Promise<Exchange> {
  const startedAt = Date.now()
  const start = performance.now()
  const log = (status: number, text: string, requestId?: string) => {
    const durationMs = performance.now() - start
    const { method, url } = request
    const logId = requestLog.add({
      ...{ method, url, status, startedAt, durationMs, requestId },
      sizeBytes: text.length,
      curl: curlCommand(window.location.origin, request),
      answer: answerExcerpt(url, text),
    })
    return { durationMs, logId }
  }
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: (request.body ?? null) as BodyInit | null,
      signal: signal ?? null,
      credentials: 'same-origin',
    })
    const text = await response.text()
    const requestId = response.headers.get('x-request-id') ?? undefined
    const logged = log(response.status, text, requestId)
    const version = response.headers.get('x-schema-version')
    const schemaVersion = version === null ? undefined : Number(version)
    const retryAfter = response.headers.get('retry-after')
    const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
    const { ok, status, headers } = response
    positions.note(headers)
    const facts = { requestId, schemaVersion, headers, retryAfterSeconds }
    return { ok, status, text, ...facts, ...logged }
  } catch (error) {
    if (signal?.aborted) throw error
    const { logId } = log(0, '')
    const details = { ...detailsOf(request), code: 'UNREACHABLE', status: 0, logId }
    throw failed('The server cannot be reached.', details, error)
  }
}

function readBody(envelope: Envelope, request: HttpRequest, exchange: Exchange): unknown {
  if (envelope === 'text' && exchange.ok) return exchange.text
  try {
    return exchange.text === '' ? undefined : parseLossless(exchange.text)
  } catch (error) {
    if (!exchange.ok) return undefined
    const { status, logId } = exchange
    const details = { ...detailsOf(request), code: 'INVALID_ANSWER', status, logId }
    throw failed('The server answered with something that is not JSON.', details, error)
  }
}

/** Envelopes say `error: true` under HTTP 200, too; a bare or text body has no such field. */
const hasFailed = (kind: Envelope, body: Readonly<Record<string, unknown>>): boolean =>
  kind !== 'text' && body['error'] === true

function failure(
  request: HttpRequest,
  exchange: Exchange,
  body: Readonly<Record<string, unknown>>,
): ApiError {
  const message = body['message']
  const code = body['code']
  if (request.method === 'GET' && exchange.status === 503 && code === BEHIND) positions.forget()
  return failed(
    typeof message === 'string' && message.trim() !== ''
      ? message.trim()
      : `The server answered with status ${exchange.status}.`,
    {
      ...detailsOf(request),
      code: typeof code === 'string' ? code : `HTTP-${exchange.status}`,
      status: exchange.status,
      requestId: exchange.requestId,
      retryAfterSeconds: exchange.retryAfterSeconds,
      logId: exchange.logId,
      body,
    },
  )
}

/** The error, told to the log as well: who looks there sees what became of the request. */
function failed(message: string, details: ApiErrorDetails, cause?: unknown): ApiError {
  if (details.logId !== undefined) requestLog.fail(details.logId, message)
  return new ApiError(message, details, cause)
}

function dataOf(envelope: Envelope, body: unknown): unknown {
  if (envelope === 'restpp' || envelope === 'gsql')
    return isRecord(body) ? body['results'] : undefined
  return body
}

function noteSchemaVersion(
  options: { readonly params?: unknown; readonly query?: unknown },
  version: number | undefined,
): number | undefined {
  if (version === undefined) return undefined
  for (const inputs of [options.params, options.query]) {
    const graph = isRecord(inputs) ? (inputs['graph'] ?? inputs['graph_name']) : undefined
    if (typeof graph === 'string' && graph !== '') schemaVersions.note(graph, version)
  }
  return version
}

const detailsOf = (request: HttpRequest) => ({
  method: request.method,
  url: request.url,
  curl: curlCommand(window.location.origin, request),
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
