/**
 * Mounts an endpoint of the contract: validate, admit, call, wrap.
 *
 * ```ts
 * serve(app, readVertex, ({ params, query }) => inspect.vertex(params.graph, params.type, params.id))
 * ```
 *
 * The handler is given validated `params`, `query` and `body`, the request id, the caller and the
 * headers that matter; it returns the results, or a `Reply` (reply.ts). Whatever DbError it throws
 * becomes the contract's code and status (error-status.ts).
 */

import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoint.ts'
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'
import { responseTooLarge } from '#kernel/response-size.ts'
import type { Demand, Principal } from '#services/auth/access.ts'
import type { RequestKey } from '#services/instances/request-key.ts'
import { auditCall, isAudited } from './audit.ts'
import { clientAddress, isSecureRequest } from './client-address.ts'
import { isFromConsole, isGuarded, sessionToken } from './dependencies.ts'
import { type ErrorAnswer, errorAnswer, successAnswer, type WireAnswer } from './envelope.ts'
import { Relayed } from './forward.ts'
import { REFUSED_HEADER } from './forwarded.ts'
import { anyGraphKeys, type GraphKeys, graphKeysOf, graphNamed } from './graph-scope.ts'
import { checkNoVisit } from './guard.ts'
import {
  type Input,
  type InputRules,
  idempotencyKeyOf,
  numericHeader,
  type Parameters,
  readBody,
  readParameters,
  responseLimitOf,
} from './input.ts'
import { bodySize, isStream } from './large-answer.ts'
import { queryStringOf, reportedUrl, routerPath } from './paths.ts'
import { answerShared } from './places.ts'
import { stampPosition } from './positions.ts'
import { type BodyGate, bodyLimitBytes, releaserOf, valuesMax } from './receive.ts'
import { message, Reply } from './reply.ts'
import { traceField } from './trace.ts'

export interface CallContext<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** As it came: JSON of it was found valid. */
  readonly bodyBytes: Uint8Array
  /** `{n}.RESTPP_1_1.{epoch ms}.N`; also the `X-Request-Id` of the answer. */
  readonly requestId: string
  /** Null only on a public endpoint called without credentials. */
  readonly principal: Principal | null
  readonly headers: FastifyRequest['headers']
  readonly method: string
  /** As reports name it: without the RESTPP prefix, with the query string. */
  readonly url: string
  /** The query string as it came, for endpoints that care about the order of keys. */
  readonly queryString: string
  /** The network address of the client. */
  readonly address: string | undefined
  /** The way to the client is encrypted. */
  readonly isSecure: boolean
  /** Milliseconds of the `GSQL-TIMEOUT` header; undefined without one. */
  readonly timeoutMs: number | undefined
  /** Of the `Idempotency-Key` header, of this user; undefined without one. */
  readonly idempotencyKey: RequestKey | undefined
  /** Of the answer: the `RESPONSE-LIMIT` header, at most the ceiling of the server. */
  readonly responseLimitBytes: number
  /** Called once, when the answer was sent or cannot be sent any more. */
  whenSent(call: () => void): void
  /** Aborted when the client goes away before the answer. */
  readonly signal: AbortSignal
  /** To be called when a read takes its view: the answer names the position of then. */
  readonly onBegin: () => void
  /** What goes on behind the answer holds the body until this settles. */
  holdBody(use: Promise<unknown>): void
  /** Names what the call is about to the audit log: never a password, secret or token. */
  note(target: string): void
  /** Counts this call under another statistics key, such as `GET /query/acme/q1`. */
  countAs(key: string, graph: string): void
}

export type Handler<E extends Endpoint> = (
  context: CallContext<E>,
) => HandlerAnswer<E> | Promise<HandlerAnswer<E>>

export type HandlerAnswer<E extends Endpoint> = ResponseOf<E> | Reply<ResponseOf<E>> | Reply<never>

export function serve<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  app.endpoints.add(endpoint)
  const mounted: Mounted = {
    app,
    endpoint,
    handler: handler as Handler<Endpoint>,
    isRestpp: isRestpp(endpoint),
    isAudited: isAudited(endpoint),
    graphKeys: graphKeysOf(endpoint),
    emptyQuery: endpoint.query?.safeParse({}).data ?? null,
  }
  for (const path of endpoint.paths) {
    for (const method of endpoint.methods) {
      const key = statisticsKey(endpoint, method)
      app.route({
        method,
        url: routerPath(path),
        exposeHeadRoute: false,
        config: { body: bodyGate(mounted, key) },
        handler: (request, response) => {
          request.state.key = key
          answer(mounted, { request, response })
        },
      })
    }
    if (endpoint.methods.includes('GET')) mountHead(mounted, path)
  }
}

/** The status and the headers of GET (outbox.ts leaves the body out), for what changes nothing. */
function mountHead(mounted: Mounted, path: string): void {
  const { app, endpoint } = mounted
  const key = statisticsKey(endpoint, 'GET')
  const head: Mounted =
    endpoint.getChanges === undefined
      ? mounted
      : {
          ...mounted,
          endpoint: { ...endpoint, at: 'any' },
          handler: () => message(''),
          isAudited: false,
        }
  app.route({
    method: 'HEAD',
    url: routerPath(path),
    exposeHeadRoute: false,
    handler: (request, response) => {
      request.state.key = key
      answer(head, { request, response })
    },
  })
}

function bodyGate(mounted: Mounted, key: string): BodyGate {
  return {
    limitBytes: bodyLimitBytes(mounted.endpoint),
    valuesMax: valuesMax(mounted.endpoint),
    format: mounted.endpoint.body === undefined ? null : mounted.endpoint.bodyFormat,
    enter: (request) => enter(mounted, key, request),
    failure: (request, error) => {
      request.state.key = key
      return failure(mounted, request, error)
    },
  }
}

/** Built-ins are counted without the graph: `GET /graph/vertices/{vertex_type}/{vertex_id}`. */
export function statisticsKey(endpoint: Endpoint, method: string): string {
  const path = reportedUrl(endpoint.paths[0] ?? '/')
  return `${method} ${path.replace('/{graph}', '')}`
}

/** Who calls. @throws DbError UNAUTHENTICATED on a public endpoint called without credentials */
export function callerName(context: { readonly principal: Principal | null }): string {
  return present(context.principal).name
}

/** An endpoint that is not PUBLIC always has a caller. */
export function present(principal: Principal | null): Principal {
  if (principal) return principal
  throw new DbError('UNAUTHENTICATED', 'Access Denied because input token is empty')
}

interface Mounted extends InputRules {
  readonly app: FastifyInstance
  readonly handler: Handler<Endpoint>
  readonly isAudited: boolean
  /** Where a request names the graph that its privilege is about. */
  readonly graphKeys: GraphKeys
}

interface Exchange {
  readonly request: FastifyRequest
  readonly response: FastifyReply
}

/**
 * Without a promise when nothing has to be waited for: each on the way costs a point read a few
 * per cent.
 */
function answer(mounted: Mounted, exchange: Exchange): void {
  const { state } = exchange.request
  // The handler holds the body, also when its client goes away meanwhile.
  const releaseBody = releaserOf(state)
  let wire: WireAnswer
  try {
    const result = callHandler(mounted, exchange)
    if (result instanceof Promise) {
      answerLater(mounted, exchange, result)
        .catch((error) => exchange.response.send(error))
        .finally(releaseBody)
      return
    }
    wire = success(mounted, exchange, result)
  } catch (error) {
    wire = failure(mounted, exchange.request, error)
    stampFailure(mounted, exchange)
  }
  releaseBody()
  mounted.app.outbox.post(exchange.response, wire)
}

async function answerLater(
  mounted: Mounted,
  exchange: Exchange,
  result: Promise<unknown>,
): Promise<void> {
  let wire: WireAnswer
  try {
    wire = success(mounted, exchange, await result)
  } catch (error) {
    wire = failure(mounted, exchange.request, error)
    stampFailure(mounted, exchange)
  }
  mounted.app.outbox.post(exchange.response, wire)
}

function stampFailure({ app }: Mounted, exchange: Exchange): void {
  const { sharing = null } = app.dependencies
  if (sharing !== null) stampPosition(sharing, exchange, 0)
}

function success(
  { app, endpoint, isAudited: audited }: Mounted,
  exchange: Exchange,
  result: unknown,
): WireAnswer {
  const { request, response } = exchange
  if (result instanceof Relayed) return relayedAnswer(app, exchange, result)
  if (app.dependencies.sharing != null) stampPosition(app.dependencies.sharing, exchange, 0)
  if (audited) auditCall(app, { endpoint, request }, 'done')
  const graph = (result instanceof Reply && result.extras.graph) || request.state.graph
  const version = graph ? app.dependencies.schemaVersionOf(graph) : 0
  const wire = successAnswer(endpoint, result, version)
  // The console learns of changes by others from any answer, also where no envelope says it.
  // Who need not sign in learns nothing of a graph.
  const isKnown = endpoint.privilege !== 'PUBLIC'
  if (graph && isKnown && request.headers['x-console'] !== undefined) {
    response.header('x-schema-version', version)
  }
  if (result instanceof Reply) {
    if (result.extras.headers) response.headers(result.extras.headers)
    if (result.extras.error) request.state.outcome = 'error'
  }
  if (isStream(wire.body)) leaveStatistics(app, request)
  else checkResponseSize(request, wire.body)
  return wire
}

/** Where it was answered it was told to the audit log, and its size checked. */
function relayedAnswer(
  { dependencies: { sharing } }: FastifyInstance,
  exchange: Exchange,
  { message: body, headers, position }: Relayed,
): WireAnswer {
  exchange.response.headers(headers)
  if (sharing != null) stampPosition(sharing, exchange, position)
  const { statusCode: status = 502 } = body
  const contentType = headers['content-type'] as string | undefined
  return { status, contentType: contentType ?? 'application/octet-stream', body, isCoded: true }
}

/** How long a stream lasts says nothing about the server. */
function leaveStatistics(app: FastifyInstance, request: FastifyRequest): void {
  request.state.key = null
  request.state.isCounted = false
  app.dependencies.statistics.ended(isFromConsole(request.headers))
}

/**
 * A request with a body was admitted before the body was read. It is admitted again here: what its
 * caller may do can have changed while the body arrived.
 */
function callHandler(mounted: Mounted, exchange: Exchange): unknown {
  const { request } = exchange
  const early = request.state.parameters
  const parameters = early ?? earlyParameters(mounted, request)
  const principal = admit(mounted, request)
  if (!(principal instanceof Promise)) return callAs(principal, mounted, exchange, parameters)
  return principal.then((late) => callAs(late, mounted, exchange, parameters))
}

/** RESTPP checks parameters before credentials; the others the other way round. */
function earlyParameters(mounted: Mounted, request: FastifyRequest): Parameters | null {
  request.state.graph = graphNamed(anyGraphKeys, request)
  return mounted.isRestpp ? readParameters(mounted, request) : null
}

/** Before the body of a request is read. @throws DbError what `admit` throws */
function enter(
  mounted: Mounted,
  key: string,
  request: FastifyRequest,
): Principal | null | Promise<Principal | null> {
  request.state.key = key
  request.state.parameters = earlyParameters(mounted, request)
  return admit(mounted, request)
}

function callAs(
  principal: Principal | null,
  mounted: Mounted,
  { request, response }: Exchange,
  early: Parameters | null,
): unknown {
  request.state.principal = principal
  const parameters = early ?? readParameters(mounted, request)
  const { endpoint, app } = mounted
  const here = () => {
    const body = readBody(endpoint, request)
    const call = new Call(request, response, { ...parameters, body })
    return mounted.handler(call as CallContext<Endpoint>)
  }
  const { sharing = null } = app.dependencies
  return sharing === null ? here() : answerShared(sharing, { endpoint, request, here })
}

/** Errors of RESTPP wear its envelope even where success is bare. */
function isRestpp(endpoint: Endpoint): boolean {
  return endpoint.envelope === 'restpp' || endpoint.paths[0]?.startsWith('/restpp/') === true
}

/** Fields are read lazily where most handlers never look. */
class Call {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly #request: FastifyRequest
  readonly #response: FastifyReply

  constructor(request: FastifyRequest, response: FastifyReply, input: Input) {
    this.#request = request
    this.#response = response
    this.params = input.params
    this.query = input.query
    this.body = input.body
  }

  get bodyBytes(): Uint8Array {
    return (this.#request.body as Buffer | undefined) ?? new Uint8Array()
  }
  get requestId(): string {
    return this.#request.id
  }
  get principal(): Principal | null {
    return this.#request.state.principal
  }
  get headers(): FastifyRequest['headers'] {
    return this.#request.headers
  }
  get method(): string {
    return this.#request.method === 'HEAD' ? 'GET' : this.#request.method
  }
  get url(): string {
    return reportedUrl(this.#request.originalUrl)
  }
  get queryString(): string {
    return queryStringOf(this.#request.originalUrl)
  }
  get address(): string | undefined {
    return clientAddress(this.#request)
  }
  get isSecure(): boolean {
    return isSecureRequest(this.#request)
  }
  get timeoutMs(): number | undefined {
    return numericHeader(this.#request, 'gsql-timeout')
  }
  get idempotencyKey(): RequestKey | undefined {
    return idempotencyKeyOf(this.#request)
  }
  get responseLimitBytes(): number {
    return responseLimitOf(this.#request)
  }
  get whenSent(): (call: () => void) => void {
    const socket = this.#response.raw
    return (call) => {
      if (socket.destroyed) call()
      else socket.once('close', call)
    }
  }
  get signal(): AbortSignal {
    const controller = new AbortController()
    const socket = this.#response.raw
    socket.once('close', () => {
      if (!socket.writableFinished) controller.abort()
    })
    return controller.signal
  }
  get onBegin(): () => void {
    const { state } = this.#request
    return () => state.noteShown?.()
  }
  get note(): (target: string) => void {
    return (target) => void Object.assign(this.#request.state, { target })
  }
  get holdBody(): (bodyUse: Promise<unknown>) => void {
    return (bodyUse) => void Object.assign(this.#request.state, { bodyUse })
  }
  countAs(key: string, graph: string): void {
    this.#request.state.key = key
    this.#request.state.graph = graph
  }
}

function admit(
  { app, endpoint, graphKeys }: Mounted,
  request: FastifyRequest,
): Principal | null | Promise<Principal | null> {
  if (endpoint.getChanges !== undefined) checkNoVisit(request)
  const { authorization } = request.headers
  const token = sessionToken(app, request.headers)
  const graph = graphNamed(graphKeys, request)
  const hasSession = token !== undefined
  const readOnly = isGuarded(request.headers, hasSession, app.dependencies.lockedWriteGuard)
  const demand = endpoint.byOwner === true ? demandOfOwner(endpoint, request, graph) : endpoint
  const address = clientAddress(request)
  return app.dependencies.access.admit(
    { authorization, sessionToken: token, readOnly, address },
    demand,
    graph,
  )
}

function demandOfOwner(endpoint: Endpoint, request: FastifyRequest, graph: string | null): Demand {
  const { query } = request.params as { readonly query?: string }
  const { dependencies } = request.server
  if (graph === null || query === undefined) return endpoint
  return { ...endpoint, isOwner: (user) => dependencies.ownsQuery(user, graph, query) }
}

function checkResponseSize(
  request: FastifyRequest,
  body: string | Uint8Array | readonly Uint8Array[],
): void {
  const limit = responseLimitOf(request)
  // A UTF-16 unit takes at most three bytes of UTF-8: small answers need no measuring.
  if (typeof body === 'string' && body.length * 3 <= limit) return
  const size = bodySize(body)
  if (size <= limit) return
  throw responseTooLarge(size, limit)
}

/** What the audit log has as denied. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'FORBIDDEN',
  'UNAUTHENTICATED',
  'TOO_MANY_REQUESTS',
])

function failure(mounted: Mounted, request: FastifyRequest, error: unknown): ErrorAnswer {
  const wire = failureAnswer(mounted, request, error)
  return isDbError(error, 'NOT_WRITER')
    ? { ...wire, headers: { ...wire.headers, [REFUSED_HEADER]: error.code } }
    : wire
}

function failureAnswer(
  { app, endpoint, ...mounted }: Mounted,
  request: FastifyRequest,
  error: unknown,
): ErrorAnswer {
  const { state } = request
  state.outcome = isDbError(error, 'QUERY_TIMEOUT') ? 'timeout' : 'error'
  if (isDbError(error) && refusals.has(error.code)) {
    const { user } = error.details
    const known = typeof user === 'string' ? user : undefined
    auditCall(app, { endpoint, request, user: known }, 'denied')
  } else if (mounted.isAudited) auditCall(app, { endpoint, request }, 'failed')
  if (!isDbError(error)) {
    const trace = traceField(request.headers)
    request.log.error({ err: error, requestId: request.id, ...trace }, 'request failed')
  }
  return errorAnswer(mounted.isRestpp ? 'restpp' : endpoint.envelope, error, {
    schemaVersion: state.graph ? app.dependencies.schemaVersionOf(state.graph) : 0,
    requestId: request.id,
  })
}
