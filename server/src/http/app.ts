/**
 * The HTTP server of Quiver: hooks that every request meets, then the routes of the contract.
 * `buildApp` listens nowhere; tests call `app.inject`.
 */
import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Endpoint } from '#contract/endpoint.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import {
  BODIES_SIZE_BYTES_MIN,
  BODY_SIZE_BYTES_MAX,
  CONNECTION_COUNT_MAX,
  CONNECTIONS_PER_ADDRESS_SHARE,
  HANDSHAKE_TIMEOUT_MS,
  HEAD_SIZE_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  HEADS_SIZE_BYTES_MAX,
  QUERY_NAMES_MAX,
  STALLED_ANSWER_MS,
} from '#kernel/limits.ts'
import type { Sharing } from '#services/instances/sharing.ts'
import { BodyBudget } from './body-budget.ts'
import { addressTest, clientAddress, isSecureRequest } from './client-address.ts'
import { type ConnectionLimits, trackConnections } from './connection-table.ts'
import { answerUnreadable, endConnectionsOnClose } from './connections.ts'
import { bodyCodingNames, bodyCodingOf } from './content-coding.ts'
import { type HttpDependencies, isFromConsole, type RequestState } from './dependencies.ts'
import { type ErrorAnswer, errorAnswer } from './envelope.ts'
import { FORWARDED_HEADER, type Forwarded, readForwarded } from './forwarded.ts'
import { checkOneHost, checkOrigin, type GuardOptions } from './guard.ts'
import { limitHeads } from './head-budget.ts'
import { Outbox } from './outbox.ts'
import {
  hasNamesAbove,
  hasStrayPercentsAbove,
  originForm,
  queryStringOf,
  reportedUrl,
  routedUrl,
  withoutQuery,
} from './paths.ts'
import { receiveBodies } from './receive.ts'
import { traceField } from './trace.ts'
import { answerUnread, hasUnreadBody, headersOf } from './unread-body.ts'

export interface HttpLimits {
  /** What request bodies in flight may take together; absent: room for one of the largest size. */
  readonly bodyBudgetBytes?: number
  /** How often the rate of a body is checked. */
  readonly bodyProgressMs?: number
  /** How long the request line and the headers may take. */
  readonly headersTimeoutMs?: number
  /** What request heads that are not whole yet may take together. */
  readonly headsSizeBytesMax?: number
  /** How long the handshake of TLS may take. */
  readonly handshakeTimeoutMs?: number
  /** Connections that are open at once, and those of one address; absent: a quarter of all. */
  readonly connectionCountMax?: number
  readonly connectionsPerAddressMax?: number | null
  /** How long a client may take nothing of its answer before another connection may displace its own. */
  readonly stalledAnswerMs?: number
  /** Addresses and networks without a limit of their own. */
  readonly exemptAddresses?: readonly string[]
  /** Of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
  readonly trustedProxies?: readonly string[]
}

export interface AppOptions extends Omit<GuardOptions, 'isSecure'>, HttpLimits {
  readonly dependencies: HttpDependencies
  readonly logger: Logger
  /** Wall clock, for request ids. */
  nowMs(): number
  /** PEM texts: HTTPS instead of HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | null
}

/** Node's parser makes a piece of text for each `+`: a million of them took 30 to 170 ms. URLs come as Latin-1. */
function withBlanks(queryString: string): string {
  if (!queryString.includes('+')) return queryString
  const bytes = Buffer.from(queryString, 'latin1')
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = BLANK
  return bytes.toString('latin1')
}

const PLUS = 0x2b
const BLANK = 0x20

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  /** Requests with too many parameters: routed without them, and refused. */
  const crowded = new WeakSet<object>()
  const newRequestId = requestIds(options.nowMs, options.dependencies.sharing?.log)
  const { trustedProxies = [] } = options
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_SIZE_BYTES_MAX,
    genReqId: newRequestId,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: withoutSchemas },
    ...transport(options),
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    rewriteUrl: (request) => {
      // The contract ignores Content-Type; a malformed one would make the framework answer 415,
      // and one without a body would make it wait for the end that `transport` leaves out.
      if (request.headers['content-type'] !== undefined) {
        request.headers['content-type'] = hasBody(request) ? 'application/octet-stream' : undefined
      }
      const url = originForm(request.url ?? '/', request.headers)
      Object.assign(request, { originalUrl: url })
      const query = queryStringOf(url)
      const isCrowded =
        hasNamesAbove(QUERY_NAMES_MAX, query) || hasStrayPercentsAbove(QUERY_NAMES_MAX, query)
      if (!isCrowded) return routedUrl(url)
      crowded.add(request)
      return routedUrl(withoutQuery(url))
    },
    clientErrorHandler: answerUnreadable,
    routerOptions: {
      ignoreTrailingSlash: true,
      caseSensitive: true,
      // The framework's own takes 60 ms for escapes of a head at its limit, this one 10.
      querystringParser: (text) => parseQueryString(withBlanks(text), '&', '=', { maxKeys: 0 }),
      maxParamLength: HEAD_SIZE_BYTES_MAX,
    },
    frameworkErrors: (_error, request, reply) => {
      const path = withoutQuery(reportedUrl(request.originalUrl))
      const text = `The URL is malformed: the escapes of '${path}' cannot be decoded.`
      const cause = new DbError('INVALID_PARAMETER', text)
      sendError(app, request as FastifyRequest, reply as FastifyReply, cause)
    },
  }) as unknown as FastifyInstance
  // Lines name their request themselves: a logger per request costs more than reading a vertex.
  app.setChildLoggerFactory((logger) => logger)
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.decorate('dependencies', options.dependencies)
  app.decorate('newRequestId', newRequestId)
  app.decorate('outbox', new Outbox())
  app.decorate('endpoints', new Set<Endpoint>())
  app.decorateRequest('state')
  // Cookies are read where they count (serve.ts), not on every request.
  await app.register(cookie, { hook: false })
  const budget = new BodyBudget(options.bodyBudgetBytes ?? BODIES_SIZE_BYTES_MIN)
  receiveBodies(app, { budget, progressMs: options.bodyProgressMs })
  const connections = trackConnections(app, connectionLimits(options))
  limitHeads(app, connections, options.headsSizeBytesMax ?? HEADS_SIZE_BYTES_MAX)
  addHooks(app, options, crowded)
  endConnectionsOnClose(app, connections)
  app.setNotFoundHandler((request, reply) => sendError(app, request, reply, notFound(request)))
  app.setErrorHandler((error, request, reply) => sendError(app, request, reply, translated(error)))
  return app
}

function notFound({ originalUrl }: FastifyRequest): DbError {
  const path = withoutQuery(reportedUrl(originalUrl))
  const message = `Endpoint is not found from url = ${path}, please use GET /endpoints to list all valid endpoints.`
  return new DbError('ENDPOINT_NOT_FOUND', message)
}

function crowdedQuery(): DbError {
  const text = `The query string has more than ${QUERY_NAMES_MAX} names of parameters, or '%' that are no escapes: send a JSON body.`
  return new DbError('INVALID_PARAMETER', text)
}

/** RFC 9112, 6.3: a request without these two fields has none. */
function hasBody({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function connectionLimits(options: AppOptions): ConnectionLimits {
  const { exemptAddresses = ['loopback'], trustedProxies = [] } = options
  const countMax = options.connectionCountMax ?? CONNECTION_COUNT_MAX
  return {
    countMax,
    perAddressMax:
      options.connectionsPerAddressMax ?? Math.ceil(countMax * CONNECTIONS_PER_ADDRESS_SHARE),
    isExempt: addressTest([...exemptAddresses, ...trustedProxies]),
    stalledAnswerMs: options.stalledAnswerMs ?? STALLED_ANSWER_MS,
    nowMs: () => performance.now(),
  }
}

function transport(options: AppOptions) {
  const { tls, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options
  const { handshakeTimeoutMs: handshakeTimeout = HANDSHAKE_TIMEOUT_MS } = options
  const limits = {
    maxHeaderSize: HEAD_SIZE_BYTES_MAX,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 3),
    // A read without a body then costs no stream that ends.
    optimizeEmptyRequests: true,
  }
  return tls ? { https: { ...limits, handshakeTimeout, ...tls } } : { http: limits }
}

/** Contracts validate here (serve.ts): loading the framework's own compilers would take 30 ms. */
const withoutSchemas = {
  buildValidator: () => noSchemas,
  buildSerializer: () => noSchemas,
}

function noSchemas(): never {
  throw new Error('assertion failed: routes have contracts, no framework schemas')
}

/** `{n}.RESTPP_{partition}_{replica}.{epoch ms}.N`; replicas are the instances over one store. */
function requestIds(nowMs: () => number, log: Sharing['log'] | undefined): () => string {
  let counter = randomInt(65_536)
  return () => `${counter++}.RESTPP_1_${log?.self.ordinal ?? 1}.${nowMs()}.N`
}

function addHooks(app: FastifyInstance, options: AppOptions, crowded: WeakSet<object>): void {
  const { hosts } = options
  const isTls = Boolean(options.tls)
  const guards = [false, true].map((isSecure): GuardOptions => ({ hosts, isSecure }))
  const guardOf = (request: FastifyRequest) => guards[isTls || isSecureRequest(request) ? 1 : 0]!
  app.addHook('onRequest', (request, reply, done) => {
    request.state = newState()
    options.dependencies.statistics.started(isFromConsole(request.headers))
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    try {
      if (crowded.has(request.raw)) throw crowdedQuery()
      request.state.forwarded = forwardedOf(request)
      checkOneHost(request.raw.rawHeaders)
      checkOrigin(request.headers, request.originalUrl, guardOf(request))
      checkEncoding(request.headers['content-encoding'], reply)
      // Nobody will read its body.
      if (request.is404 && hasBody(request)) throw notFound(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { key, isCounted, graph, outcome, releaseBody } = request.state
    releaseBody?.()
    const latencyMs = reply.elapsedTime
    const fromConsole = isFromConsole(request.headers)
    if (isCounted) options.dependencies.statistics.ended(fromConsole)
    if (key !== null) {
      options.dependencies.statistics.observe({ key, graph, latencyMs, outcome, fromConsole })
    }
    if (!options.logger.isLevelEnabled('info')) {
      done()
      return
    }
    const { method, id: requestId } = request
    // Query strings may carry secrets.
    const url = withoutQuery(request.originalUrl)
    const { statusCode: status } = reply
    const address = clientAddress(request)
    const trace = traceField(request.headers)
    request.log.info({ requestId, ...trace, method, url, status, latencyMs, address }, 'request')
    done()
  })
}

/** @throws DbError FORBIDDEN */
function forwardedOf({ headers, method, originalUrl, server }: FastifyRequest): Forwarded | null {
  const { sharing = null } = server.dependencies
  const header = headers[FORWARDED_HEADER]
  if (sharing === null || typeof header !== 'string') return null
  return readForwarded((text) => sharing.sign(text), header, { method, url: originalUrl })
}

function newState(): RequestState {
  return {
    key: null,
    isCounted: true,
    graph: null,
    outcome: 'ok',
    principal: null,
    target: null,
    forwarded: null,
    shown: null,
    noteShown: null,
    parameters: null,
    json: undefined,
    releaseBody: null,
    bodyUse: null,
  }
}

/** @throws DbError INVALID_PARAMETER (415) for a body packed in a way that is not known here */
function checkEncoding(encoding: string | undefined, reply: FastifyReply): void {
  if (bodyCodingOf(encoding) !== undefined) return
  reply.header('accept-encoding', bodyCodingNames)
  const text = `The Content-Encoding '${encoding}' is not supported: a body is as it is, or one of ${bodyCodingNames}.`
  throw new DbError('INVALID_PARAMETER', text, { details: { status: 415 } })
}

function translated(error: unknown): unknown {
  const { statusCode, message } = error as {
    statusCode?: number
    message?: string
  }
  if (isDbError(error)) return error
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DbError('INVALID_PARAMETER', message ?? 'The request is malformed.')
  }
  return error
}

function sendError(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): void {
  const gate = request.routeOptions?.config?.body
  // A body was refused: the route answers, as it does for what its handler refuses.
  if (gate !== undefined && request.state.key !== null) {
    post(reply, gate.failure(request, error))
    return
  }
  if (!isDbError(error)) {
    const trace = traceField(request.headers)
    request.log.error({ err: error, requestId: request.id, ...trace }, 'request failed')
  }
  // Errors before a route is known speak the face the path belongs to.
  const isGsql = /^\/(gsql|gsqlserver|quiver)\//.test(request.originalUrl)
  const graph = request.state?.graph
  const wire = errorAnswer(isGsql ? 'gsql' : 'restpp', error, {
    schemaVersion: graph ? app.dependencies.schemaVersionOf(graph) : 0,
    requestId: request.id,
  })
  const body =
    isGsql && isDbError(error, 'ENDPOINT_NOT_FOUND')
      ? JSON.stringify({ error: true, message: error.message, code: 'REST-1000' })
      : wire.body
  // A malformed URL meets no hook before this.
  reply.header('x-request-id', request.id)
  post(reply, { ...wire, body })
}

function post(reply: FastifyReply, wire: ErrorAnswer): void {
  if (hasUnreadBody(reply)) answerUnread(reply, wire)
  else void reply.code(wire.status).headers(headersOf(wire)).send(wire.body)
}
