/** What a request brings, validated by the schemas of its endpoint. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { DbError, type ErrorCode } from '#kernel/errors.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT, SCRIPT_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { RequestKey } from '#services/instances/request-key.ts'
import { type BodyContent, contentOf } from './body-content.ts'
import { bodyTooLarge } from './body-reader.ts'
import { parseForm } from './form.ts'
import { describeIssues } from './issues.ts'
import { parseJson } from './json.ts'
import { reportedUrl, withoutQuery } from './paths.ts'

export interface Parameters {
  readonly params: unknown
  readonly query: unknown
}

export interface Input extends Parameters {
  readonly body: unknown
}

export interface InputRules {
  readonly endpoint: Endpoint
  readonly isRestpp: boolean
  /** What a request without a query string has for `query`; null: the schema wants some. */
  readonly emptyQuery: unknown
}

/** What the URL and the headers hold. */
export function readParameters(
  { endpoint, emptyQuery, isRestpp }: InputRules,
  request: FastifyRequest,
): Parameters {
  if (isRestpp) checkLimitHeaders(request)
  const params = validated(endpoint.params, request.params, 'INVALID_PARAMETER')
  const query =
    emptyQuery !== null && isEmpty(request.query)
      ? emptyQuery
      : validated(endpoint.query, request.query, endpoint.invalidQuery)
  return { params, query }
}

function isEmpty(query: unknown): boolean {
  for (const _ in query as object) return false
  return true
}

export function readBody(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.body === undefined) return undefined
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  const content = contentOf(endpoint.bodyFormat, bytes)
  if (content === 'bytes') return bytes
  if (content === 'text') {
    checkTextSize(endpoint, bytes)
    return validated(endpoint.body, bytes.toString('utf8'), endpoint.invalidBody)
  }
  if (bytes.length === 0 && !endpoint.body.safeParse(undefined).success) {
    throw new DbError(endpoint.invalidBody ?? 'INVALID_PARAMETER', 'The request needs a JSON body.')
  }
  const context = bytes.length > ALL_ISSUES_BODY_BYTES ? firstIssueOnly : undefined
  const result = endpoint.body.safeParse(jsonOf(content, request, bytes), context)
  return checked(result, endpoint.invalidBody)
}

/**
 * Of larger bodies the first issue is reported only: each takes some microseconds and a hundred bytes,
 * so that a list of millions of wrong elements would take all memory.
 */
const ALL_ISSUES_BODY_BYTES = 16 * 1024

const firstIssueOnly: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true }

/** Where JSON may be longer than a text may be. */
function checkTextSize({ bodyFormat }: Endpoint, { length }: Buffer): void {
  if (bodyFormat === 'text-or-json' && length > SCRIPT_SIZE_BYTES_MAX) {
    throw bodyTooLarge(SCRIPT_SIZE_BYTES_MAX)
  }
}

function jsonOf(content: BodyContent, { state }: FastifyRequest, bytes: Buffer): unknown {
  if (state.json !== undefined) return state.json.value
  if (content === 'form') return parseForm(bytes)
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

function validated(
  schema: z.ZodType | undefined,
  value: unknown,
  code: ErrorCode = 'INVALID_PARAMETER',
): unknown {
  if (schema === undefined) return value
  return checked(schema.safeParse(value), code)
}

function checked<T>(result: z.ZodSafeParseResult<T>, code: ErrorCode = 'INVALID_PARAMETER'): T {
  if (result.success) return result.data
  throw new DbError(code, describeIssues(result.error.issues))
}

/** Before anything is done: a limit that cannot be read must not be reported after a write. */
function checkLimitHeaders(request: FastifyRequest): void {
  numericHeader(request, 'gsql-timeout')
  numericHeader(request, 'response-limit')
}

/** In bytes: of the header, at most the ceiling of the server. */
export function responseLimitOf(request: FastifyRequest): number {
  const asked = numericHeader(request, 'response-limit') || RESPONSE_SIZE_BYTES_DEFAULT
  return Math.min(asked, request.server.dependencies.responseSizeBytesMax)
}

/** Clients write header numbers as floats, too (`32000000.0`). */
export function numericHeader(request: FastifyRequest, name: string): number | undefined {
  const text = request.headers[name]
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const value = Number(text)
  if (Number.isFinite(value) && value >= 0) return Math.floor(value)
  throw new DbError('INVALID_PARAMETER', `The header ${name} must be a number, not '${text}'.`, {
    details: { contractCode: 'REST-30001' },
  })
}

const KEY_LENGTH_MAX = 128

/**
 * One user's keys are nobody else's, and one that was used for something else is another one.
 * @throws DbError INVALID_PARAMETER
 */
export function idempotencyKeyOf(request: FastifyRequest): RequestKey | undefined {
  const { headers, state, method, originalUrl } = request
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length >= 1 && key.length <= KEY_LENGTH_MAX) {
    const path = withoutQuery(reportedUrl(originalUrl))
    return { user: state.principal?.name ?? '', key: `${method} ${path} ${key}` }
  }
  const text = `The header idempotency-key must have 1 to ${KEY_LENGTH_MAX} characters.`
  throw new DbError('INVALID_PARAMETER', text, { details: { contractCode: 'REST-30001' } })
}
