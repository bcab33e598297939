/** The wire forms of docs/reference/rest.md, written as text around the results. */
import type { Readable } from 'node:stream'
import type { Endpoint, Envelope } from '#contract/endpoint.ts'
import { type DbError, isDbError } from '#kernel/errors.ts'
import { type ErrorStatus, errorStatus } from './error-status.ts'
import { stringifyJson } from './json.ts'
import { Reply } from './reply.ts'

export interface WireAnswer {
  readonly status: number
  readonly contentType: string
  /** Pieces follow each other. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | Readable
  readonly headers?: Readonly<Record<string, string>>
  /** The body comes as another instance has packed it, or not. */
  readonly isCoded?: boolean
}

export interface ErrorAnswer extends WireAnswer {
  readonly body: string
}

const jsonType = 'application/json; charset=utf-8'
const textType = 'text/plain; charset=utf-8'

export function successAnswer(
  endpoint: Endpoint,
  answer: unknown,
  schemaVersion: number,
): WireAnswer {
  const reply = answer instanceof Reply ? answer : new Reply(answer, undefined, {})
  const status = reply.extras.status ?? 200
  if (endpoint.envelope === 'text') {
    const { stream, pieces, message = '' } = reply.extras
    return {
      status,
      contentType: reply.extras.contentType ?? endpoint.contentType ?? textType,
      body: stream ?? pieces ?? String(reply.results ?? message),
    }
  }
  return { status, contentType: jsonType, body: jsonBody(endpoint.envelope, reply, schemaVersion) }
}

function jsonBody(
  envelope: Envelope,
  reply: Reply<unknown>,
  schemaVersion: number,
): string | Uint8Array | readonly Uint8Array[] {
  if (envelope === 'bare') return reply.json ?? stringifyJson(reply.results)
  const { error = false, message = '', code, fields } = reply.extras
  if (envelope === 'gsql-top') {
    return stringifyJson({ error, message, ...(reply.results as object | undefined), ...fields })
  }
  const text = message === '' ? '""' : stringifyJson(message)
  const head =
    envelope === 'restpp'
      ? `{${versionField(schemaVersion)},"error":${error},"message":${text}`
      : `{"error":${error},"message":${text}`
  const tail = code || fields ? `${membersOf({ ...fields, ...(code && { code }) })}}` : '}'
  if (reply.json === undefined && reply.results === undefined) return head + tail
  if (typeof reply.json === 'object') return joinBytes(`${head},"results":`, reply.json, tail)
  return `${head},"results":${reply.json ?? stringifyJson(reply.results)}${tail}`
}

function versionField(schemaVersion: number): string {
  return `"version":{"edition":"enterprise","api":"v2","schema":${schemaVersion}}`
}

/** The members of an object as they continue another: `,"a":1,"b":2`. */
function membersOf(fields: object): string {
  const text = stringifyJson(fields).slice(1, -1)
  return text === '' ? '' : `,${text}`
}

/** Up to this size one string is sent faster than head and bytes (one write instead of two). */
const SMALL_BODY_BYTES = 16 * 1024

function joinBytes(head: string, middle: Uint8Array, tail: string): string | Uint8Array[] {
  if (middle.length <= SMALL_BODY_BYTES) return head + textOf(middle) + tail
  return [Buffer.from(head), middle, Buffer.from(tail)]
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/**
 * A failure on the wire. RESTPP names the contract's code, the other faces our own closed list.
 * An unexpected error tells nothing but where to look it up.
 */
export function errorAnswer(
  envelope: Envelope,
  error: unknown,
  context: { readonly schemaVersion: number; readonly requestId: string },
): ErrorAnswer {
  if (!isDbError(error)) {
    const message = `Internal error; the server's log has it under request id ${context.requestId}.`
    const fields = { error: true, message, code: 'REST-10005' }
    return { status: 500, contentType: jsonType, body: errorBody(envelope, fields, context) }
  }
  const known: ErrorStatus = errorStatus[error.code]
  const contractCode = textDetail(error, 'contractCode') ?? known.code
  const results = error.details['results']
  const fields = {
    error: true,
    message: error.message,
    ...(results !== undefined && { results }),
    ...(error.details['fields'] as object | undefined),
    code: envelope === 'restpp' ? contractCode : (textDetail(error, 'contractCode') ?? error.code),
  }
  const status = (error.details['status'] as number | undefined) ?? known.status
  const body = errorBody(envelope, fields, context)
  const retryAfter = error.details['retryAfterSeconds']
  const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }
  return { status, contentType: jsonType, body, ...headers }
}

function errorBody(
  envelope: Envelope,
  fields: object,
  context: { readonly schemaVersion: number },
): string {
  const rest = membersOf(fields)
  return envelope === 'restpp'
    ? `{${versionField(context.schemaVersion)}${rest}}`
    : `{${rest.slice(1)}}`
}

function textDetail(error: DbError, key: string): string | undefined {
  const value = error.details[key]
  return typeof value === 'string' ? value : undefined
}
