import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BodyOf, Endpoint } from '#contract/endpoint.ts'
import {
  abortQuery,
  abortRunning,
  interpretQuery,
  listRunning,
  readQueryResult,
  readQueryStatus,
  runQuery,
  runQueryByName,
  showDelayedList,
  showProcessList,
} from '#contract/queries.ts'
import { explainQuery, listSlowRuns, profileQuery, readSlowRun } from '#contract/query-plans.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { SLOW_RUN_MS_MIN } from '#kernel/limits.ts'
import type { Principal } from '#services/auth/access.ts'
import type { UrlValues } from '#services/queries/arguments.ts'
import { type DetachedRun, SUBMITTED } from '#services/queries/detached-runs.ts'
import type { RunAnswer, RunCall } from '#services/queries/run-call.ts'
import type { RunService } from '#services/queries/run-service.ts'
import { serverTiming } from '#services/queries/run-timing.ts'
import { parametersText } from '#services/queries/slow-runs.ts'
import { message, reply, replyJson } from '../reply.ts'
import { type CallContext, serve } from '../serve.ts'
import { traceIdOf } from '../trace.ts'

export function mountQueryRunRoutes(app: FastifyInstance, runs: RunService): void {
  serve(app, runQuery, async (context) => {
    const { params, query, body } = context
    const call = callOf(context, query, body)
    const stored = await runs.resolve(params.graph, params.query, call)
    const key = `${context.method} /query/${stored.graph}/${stored.name}`
    context.countAs(key, stored.graph)
    if (isDetached(context.headers)) {
      return submitted(await runs.runDetached(stored, call, context.holdBody))
    }
    return sent(context, await runs.run(stored, call))
  })
  serve(app, interpretQuery, async (context) => {
    const { text, parameters } = planRequest(context.body)
    const call = callOf(context, context.query, parameters)
    return sent(context, await runs.interpret(graphOf(context.query), text, call))
  })
  serve(app, explainQuery, async (context) => {
    const { text, parameters } = planRequest(context.body)
    const call = { ...callOf(context, context.query, parameters), profile: false }
    return await runs.explain(graphOf(context.query), text, call)
  })
  serve(app, profileQuery, async (context) => {
    const { text, parameters } = planRequest(context.body)
    const call = { ...callOf(context, context.query, parameters), profile: true }
    return await runs.explain(graphOf(context.query), text, call)
  })
  mountSlowRuns(app, runs)
  serve(app, runQueryByName, async (context) => {
    const { params, query, body } = context
    const call = callOf(context, {}, null)
    const schema = app.dependencies.schemaVersionOf(query.graph)
    const version = { edition: 'enterprise', api: 'v2', schema }
    const found = () => runs.byName(query.graph, params.query, call, body?.parameters ?? {})
    const { stored, source } = await toldByName(query.graph, params.query, found)
    if (body?.asyncRun !== true) {
      const answer = await runs.run(stored, source)
      context.whenSent(() => answer.release())
      return replyJson(nested(version, answer))
    }
    const request_id = await runs.runDetached(stored, source, context.holdBody)
    return { version, error: false, message: SUBMITTED, request_id }
  })
  serve(app, readQueryStatus, ({ query, url, principal }) => {
    const graph = typeof query['graph_name'] === 'string' ? query['graph_name'] : null
    runs.requireGraphAt(graph ?? undefined, url)
    const { known, unknown } = runs.detached.list(graph, valuesOf(query['requestid']))
    const fields = unknown.length === 0 ? {} : { unknown_requestid: unknown }
    return reply(known.filter((run) => maySee(principal, run)).map(statusEntry), { fields })
  })
  serve(app, readQueryResult, ({ query, principal }) => {
    const { known } = runs.detached.list(null, [query.requestid])
    for (const run of known) {
      if (!maySeeResult(principal, run)) {
        throw new DbError('FORBIDDEN', 'The run is of another user.')
      }
    }
    return answerOf(runs.detached.resultOf(query.requestid))
  })
  serve(app, listRunning, ({ query, principal }) =>
    runningFor(runs, query.graph ?? null, principal),
  )
  serve(app, showProcessList, ({ params, url }) => {
    runs.requireGraphAt(params.graph, url)
    return reply(processList(runs, params.graph ?? null), success)
  })
  serve(app, showDelayedList, () =>
    reply(
      runs.delayed().map(({ requestId, startMs, url, elapsedMs }) => ({
        requestidPartial: requestId.split('.').at(-2) ?? requestId,
        startTime: timeText(startMs),
        url,
        elapsedTime: Math.round(elapsedMs),
      })),
      success,
    ),
  )
  serve(app, abortRunning, ({ params, principal }) =>
    abortedList([runs.abort(params.request_id, principal)]),
  )
  serve(app, abortQuery, ({ params, query, url }) => {
    runs.requireGraphAt(params.graph, url)
    const wanted = { ids: valuesOf(query['requestid']), urls: valuesOf(query['url']) }
    return reply(abortedList(runs.abortMatching(params.graph ?? null, wanted)), success)
  })
}

/** GSQL keeps 404 for paths that are none. */
async function toldByName<Found>(
  graph: string,
  query: string,
  find: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find()
  } catch (cause) {
    if (!isDbError(cause, 'QUERY_NOT_FOUND')) throw cause
    const text = `Query '${query}' does not exist on the graph '${graph}', or is not installed.`
    throw new DbError('QUERY_NOT_FOUND', text, { cause, details: { status: 400 } })
  }
}

/** The text itself, or JSON of the text and its parameters. */
function planRequest(body: BodyOf<typeof interpretQuery>) {
  if (typeof body === 'string') return { text: body, parameters: null }
  const { text, parameters } = body
  if (typeof text !== 'string') {
    throw new DbError('INVALID_PARAMETER', "The body has no 'text' with the query.")
  }
  return { text, parameters }
}

/** One's own runs, and with READ_DATA those of a graph. */
function mountSlowRuns(app: FastifyInstance, runs: RunService): void {
  serve(app, listSlowRuns, ({ query, url, principal }) => {
    runs.requireGraphAt(query.graph, url)
    const listed = runs.slow.list(query.graph ?? null).filter((run) => maySee(principal, run))
    // Texts and plans come with one run.
    const known = listed.slice(0, query.limit).map(({ text: _text, steps: _steps, ...run }) => run)
    const { forgottenUntilMs } = runs.slow
    return { thresholdMs: SLOW_RUN_MS_MIN, forgottenUntilMs, runs: known }
  })
  serve(app, readSlowRun, ({ params, principal }) => {
    const run = runs.slow.find(params.request_id)
    if (run !== undefined && maySee(principal, run)) return run
    throw new DbError('REQUEST_NOT_FOUND', `No slow run has the request id '${params.request_id}'.`)
  })
}

/** A run may print what it read from files: who may not read these is not shown it, either. */
function maySeeResult(caller: Principal | null, run: DetachedRun): boolean {
  if (!maySee(caller, run)) return false
  return run.user === caller?.name || caller?.rights.allows('READ_FILE', run.graph) === true
}

function maySee(
  caller: Principal | null,
  run: { readonly graph: string; readonly user?: string | undefined },
): boolean {
  if (caller === null) return false
  if (caller.graph !== null && caller.graph !== run.graph) return false
  return run.user === caller.name || caller.rights.allows('READ_DATA', run.graph)
}

function graphOf(query: Readonly<Record<string, unknown>>): string | null {
  return typeof query['graph'] === 'string' && query['graph'] !== '' ? query['graph'] : null
}

/** Lists of the data plane carry their code; `results` may be empty all the same. */
const success = { code: 'REST-0000' }

/** What HTTP knows of a call that runs something. */
export function callOf(
  context: Pick<
    CallContext<Endpoint>,
    | 'requestId'
    | 'url'
    | 'principal'
    | 'timeoutMs'
    | 'responseLimitBytes'
    | 'headers'
    | 'signal'
    | 'idempotencyKey'
  >,
  url: UrlValues,
  body: unknown,
): RunCall {
  checkRunHeaders(context.headers)
  return {
    requestId: context.requestId,
    traceId: traceIdOf(context.headers),
    url: context.url,
    user: context.principal?.name ?? '',
    principal: context.principal,
    timeoutMs: context.timeoutMs,
    memoryLimitBytes: megabytes(context.headers['gsql-querylocalmemlimitmb']),
    responseLimitBytes: context.responseLimitBytes,
    threadsMax: numberOf(context.headers['gsql-thread-limit']),
    source: { url, body: objectOf(body) },
    signal: context.signal,
    key: context.idempotencyKey,
  }
}

/** An empty body, `null` and `{}` all mean: no parameters. */
function objectOf(body: unknown): Readonly<Record<string, unknown>> | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>
  throw new DbError('INVALID_PARAMETER', 'The body of a query must be a JSON object of parameters.')
}

/** docs/reference/rest.md. There is one replica: any other wish is an error. */
function checkRunHeaders(headers: FastifyRequest['headers']): void {
  wholeHeader(headers, 'gsql-replica', 1)
  wholeHeader(headers, 'gsql-thread-limit', 2 ** 31)
  wholeHeader(headers, 'gsql-querylocalmemlimitmb', 2 ** 31)
  checkQueue(headers['workload-queue'])
}

/** There are no queues here: whatever a client asks for, it was not granted. */
function checkQueue(queue: string | string[] | undefined): void {
  if (queue === undefined || queue === '') return
  const text = `The workload queue '${queue}' does not exist or is not granted.`
  throw new DbError('INVALID_PARAMETER', text, {
    details: { contractCode: 'REST-14000', status: 422 },
  })
}

/** From 1 on; clients write whole numbers as floats, too. */
function wholeHeader(headers: FastifyRequest['headers'], name: string, max: number): void {
  const text = headers[name]
  if (text === undefined || text === '') return
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return
  const range = max === 1 ? '1: there is one replica' : `a whole number from 1 to ${max}`
  throw headerError(`The header ${name} must be ${range}, not '${text}'.`)
}

function isDetached(headers: FastifyRequest['headers']): boolean {
  const text = String(headers['gsql-async'] ?? '').toLowerCase()
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0' || text === '') return false
  throw headerError(`The header gsql-async must be true or false, not '${text}'.`)
}

function headerError(text: string): DbError {
  return new DbError('INVALID_PARAMETER', text, { details: { contractCode: 'REST-30001' } })
}

function numberOf(header: string | string[] | undefined): number | undefined {
  const value = Number(header)
  return typeof header === 'string' && value > 0 ? value : undefined
}

function megabytes(header: string | string[] | undefined): number | undefined {
  const value = numberOf(header)
  return value === undefined ? undefined : value * 2 ** 20
}

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

function answerOf({ json, message: warnings, graph, timing }: RunAnswer) {
  const headers = { 'server-timing': serverTiming(timing) }
  return replyJson(json, { message: warnings, graph, headers })
}

/** An answer that nobody keeps: it counts as memory until it was sent. */
function sent(context: Pick<CallContext<Endpoint>, 'whenSent'>, answer: RunAnswer) {
  context.whenSent(() => answer.release())
  return answerOf(answer)
}

function submitted(requestId: string) {
  return message(SUBMITTED, { fields: { request_id: requestId } })
}

/** The answer that the data plane gives, whole, as `results` of another. */
export function nested(version: object, answer: RunAnswer): Buffer {
  const head = `{"version":${JSON.stringify(version)},"error":false,"message":${JSON.stringify(answer.message)},"results":`
  return Buffer.concat([Buffer.from(head), answer.json, Buffer.from('}')])
}

function statusEntry(run: DetachedRun) {
  return {
    requestid: run.requestId,
    startTime: timeText(run.startMs),
    expirationTime: timeText(run.expirationMs),
    url: run.url,
    elapsedTime: Math.round(run.elapsedMs),
    status: run.status,
  }
}

/** Those that the caller may see. @throws DbError GRAPH_NOT_FOUND */
export function runningFor(runs: RunService, graph: string | null, caller: Principal | null) {
  return processList(runs, graph).filter((run) => maySee(caller, run))
}

function processList(runs: RunService, graph: string | null) {
  return runs.running(graph).map((run) => {
    const call = runs.callOf(run.requestId)
    return {
      requestid: run.requestId,
      startTime: timeText(run.startMs),
      expirationTime: timeText(run.expirationMs),
      url: run.url,
      elapsedTime: Math.round(run.elapsedMs),
      graph: run.graph,
      query: run.name,
      waiting: run.waiting,
      ...(call && { user: call.user, parameters: parametersOf(call) }),
      rows: run.counters.rows,
      edges: run.counters.edges,
      line: run.counters.line,
      memoryBytes: run.memoryBytes,
    }
  })
}

/** Written once for each run: the list is looked at twice a second. */
const parameterTexts = new WeakMap<RunCall, string>()

function parametersOf(call: RunCall): string {
  const known = parameterTexts.get(call)
  if (known !== undefined) return known
  const text = parametersText(call.source)
  parameterTexts.set(call, text)
  return text
}

/** `2022-08-10 21:07:28.638`, UTC. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
}

function abortedList(runs: readonly { readonly requestId: string; readonly url: string }[]) {
  return [{ aborted_queries: runs.map(({ requestId, url }) => ({ requestid: requestId, url })) }]
}
