/**
 * Running queries (contract 3.3): arguments, specialisation by type names, the pool, abort, and
 * detached runs whose answers wait to be fetched.
 */
import { requireGraph, requireGraphInPath } from '#catalog/lookup.ts'
import { findRow } from '#graph/ids/read.ts'
import type { GraphView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  QUERY_TIMEOUT_MS_DEFAULT,
  QUERY_TIMEOUT_MS_MAX,
  RESPONSE_SIZE_BYTES_DEFAULT,
} from '#kernel/limits.ts'
import type { BoundQuery } from '#query/bind/bound.ts'
import type { Statistics } from '#query/exec/estimates.ts'
import type { PlanStep } from '#query/exec/explain.ts'
import { compileQuery, type InstalledPlan } from '#query/exec/plan.ts'
import type { QueryPool, RunningQuery, RunResult } from '#query/exec/pool/pool.ts'
import type { Principal } from '../auth/access.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import {
  type ArgumentSource,
  type ReadArguments,
  readArguments,
  typeArgumentsOf,
  type VertexArgument,
  vertexObjects,
} from './arguments.ts'
import { checkTextSize, invalidQuery } from './compiled-queries.ts'
import { checkDataRights, checkNamedGraph, fileRightsOf } from './data-rights.ts'
import { DetachedRuns } from './detached-runs.ts'
import type { QueryIndexes } from './index-rows.ts'
import { type KnownVectorIndexes, planSteps } from './plan-steps.ts'
import type { QueryService } from './query-service.ts'
import { staleBinding, translated } from './run-errors.ts'
import type { RunTiming } from './run-timing.ts'
import { SlowRuns } from './slow-runs.ts'
import type { StoredQuery } from './stored-query.ts'
import { urlPattern } from './url-pattern.ts'

/** A query and its arguments, of one catalogue. */
interface BoundCall extends ReadArguments {
  readonly query: BoundQuery
}

export interface RunServiceOptions {
  readonly queries: QueryService
  readonly pool: QueryPool
  readonly clock: Clock
  /** Of one run, unless its request asks for less. */
  readonly memoryLimitBytes: number
  /** The engine's current state, to look arguments up. */
  view(): GraphView
  /** Writes answered before they were applied (`ack=none`): a run that comes later sees them. */
  earlyAnswered?(): Promise<void> | null
  /** Counts and histograms for the estimates of plans; absent: live counts alone. */
  readonly statistics?: { of(graph: string): Statistics }
  /** Writes what LOG says to the server's log; absent: it is dropped. */
  log?(fields: { readonly query: string; readonly requestId: string }, line: string): void
  /** Secondary indexes, for the starts of runs; absent: none is used. */
  readonly indexes?: QueryIndexes
  /** Indexes of vectors, for plans; absent: there are none. */
  readonly vectors?: KnownVectorIndexes
  /** Makes durable and visible what a query changes. */
  commit(frame: Uint8Array): Promise<unknown>
}

/** What HTTP knows of a call. */
export interface RunCall {
  readonly requestId: string
  readonly url: string
  readonly user: string
  /** Whose rights count; absent: the server's own. */
  readonly principal?: Principal | null
  /** Milliseconds of the GSQL-TIMEOUT header; undefined or 0: the default. */
  readonly timeoutMs: number | undefined
  readonly memoryLimitBytes: number | undefined
  readonly responseLimitBytes: number | undefined
  /** Threads that may work on it at the same time; absent: as many as are idle. */
  readonly threadsMax?: number | undefined
  readonly source: ArgumentSource
  /** Raised when nobody waits for the answer any more: the run is aborted then. */
  readonly signal?: AbortSignal
}

export interface RunAnswer {
  readonly graph: string
  readonly query: string
  /** The `results` array as JSON. */
  readonly json: Uint8Array
  /** Runtime warnings, joined. */
  readonly message: string
  readonly timing: RunTiming
}

/** A plan; `run` has what its steps have cost, by their ids. */
export interface Explanation {
  readonly graph: string
  readonly query: string
  readonly steps: readonly PlanStep[]
  readonly run: {
    readonly rows: number
    readonly edges: number
    readonly elapsedMs: number
    readonly peakMemoryBytes: number
    readonly statements: NonNullable<RunResult['profile']>
  } | null
}

export class RunService {
  readonly #options: RunServiceOptions
  readonly #plans = new WeakMap<BoundQuery, InstalledPlan>()
  /** The calls of what is running, by request id. */
  readonly #calls = new Map<string, RunCall>()
  readonly detached: DetachedRuns
  readonly slow: SlowRuns

  constructor(options: RunServiceOptions) {
    this.#options = options
    this.detached = new DetachedRuns(options.clock)
    this.slow = new SlowRuns(options.clock)
  }

  /** The installed query that a URL names. @throws DbError QUERY_NOT_FOUND, GRAPH_NOT_FOUND */
  resolve(graph: string | undefined, name: string, url: string): StoredQuery {
    const { queries } = this.#options
    this.requireGraphAt(graph, url)
    const { stored } = queries
    const query = graph === undefined ? stored.findAnywhere(name) : stored.find(graph, name)
    if (query?.installed && queries.compile(query).query !== null) return query
    const path = url.split('?')[0]
    throw new DbError(
      'QUERY_NOT_FOUND',
      `Endpoint is not found from url = ${path}, please use GET /endpoints to list all valid endpoints.`,
    )
  }

  /** Starts a run that nobody waits for. @returns its request id */
  runDetached(query: StoredQuery, call: RunCall): string {
    const timeoutMs = timeoutOf(call)
    const { signal: _, ...kept } = call
    return this.detached.start(query.graph, { ...call, timeoutMs }, this.run(query, kept))
  }

  /** As GSQL passes parameters: a vertex is its id, or `[id, type]`. @returns what `run` takes */
  byName(
    graph: string,
    name: string,
    call: RunCall,
    parameters: Readonly<Record<string, unknown>>,
  ): { readonly stored: StoredQuery; readonly source: RunCall } {
    const stored = this.resolve(graph, name, call.url)
    return { stored, source: this.withParameters(stored, call, parameters) }
  }

  /** Parameters as GSQL passes them, on a call of a query that need not be installed. */
  withParameters(
    stored: StoredQuery,
    call: RunCall,
    parameters: Readonly<Record<string, unknown>>,
  ): RunCall {
    const { query } = this.#options.queries.compile(stored)
    const body = query === null ? parameters : vertexObjects(query, parameters)
    return { ...call, source: { url: {}, body } }
  }

  async run(query: StoredQuery, call: RunCall): Promise<RunAnswer> {
    const { queries } = this.#options
    const { graph, name, text } = query
    const isOwn = call.principal ? queries.isOwner(call.principal, graph, name) : false
    return await this.#runText({ graph, text, isOwn }, call)
  }

  /** @throws DbError GRAPH_NOT_FOUND, QUERY_INVALID with the diagnostics of the text */
  async interpret(graph: string | null, text: string, call: RunCall): Promise<RunAnswer> {
    checkTextSize(text)
    if (text.trim() === '') throw new DbError('QUERY_INVALID', 'The text contains no query.')
    const home = this.#homeOf(graph)
    checkNamedGraph(call.principal, { graph: home, text })
    return await this.#runText({ graph: home, text }, call)
  }

  /**
   * The plan of a text, and with `profile` what each step has cost in a run of it.
   * @throws DbError GRAPH_NOT_FOUND, QUERY_INVALID with the diagnostics of the text
   */
  async explain(
    graph: string | null,
    text: string,
    call: RunCall & { readonly profile: boolean },
  ): Promise<Explanation> {
    checkTextSize(text)
    const home = this.#homeOf(graph)
    checkNamedGraph(call.principal, { graph: home, text })
    const bound = this.#bindCall({ graph: home, text }, call)
    const { query } = bound
    const steps = this.#stepsOf(query)
    if (!call.profile) return { graph: query.graph, query: query.name, steps, run: null }
    const result = await translated(this.#startCurrent({ graph: home, text }, call, bound))
    const { counters, elapsedMs, peakMemoryBytes, profile } = result
    const { rows, edges } = counters
    const run = { rows, edges, elapsedMs, peakMemoryBytes, statements: profile ?? [] }
    return { graph: query.graph, query: query.name, steps, run }
  }

  /** Of a text that may name its graph itself. @throws DbError GRAPH_NOT_FOUND */
  #homeOf(graph: string | null): string {
    const { catalog } = this.#options.queries
    return graph === null ? (catalog.graphs[0]?.name ?? '') : requireGraph(catalog, graph).name
  }

  async #runText(source: TextSource, call: RunCall): Promise<RunAnswer> {
    const { clock } = this.#options
    const start = clock.monotonicMs()
    await this.#options.earlyAnswered?.()
    const bound = this.#bindCall(source, call)
    const { query, warnings } = bound
    const prepareMs = clock.monotonicMs() - start
    const { requestId, user, url } = call
    const { graph, name } = query
    const about = { requestId, user, url, graph, query: name, text: source.text }
    const watched = { ...about, source: call.source, plan: () => this.#stepsOf(query) }
    const run = this.slow.watch(watched, this.#startCurrent(source, call, bound))
    const { bytes: json, warnings: more, elapsedMs, queuedMs: queueMs } = await translated(run)
    const message = [...warnings, ...more].join(' ')
    const commitMs = Math.max(0, clock.monotonicMs() - start - prepareMs - elapsedMs)
    const timing = { prepareMs, queueMs, executeMs: elapsedMs - queueMs, commitMs }
    return { graph, query: name, json, message, timing }
  }

  /** The query of a text as this call runs it, and its arguments. */
  #bindCall(source: TextSource, call: RunCall): BoundCall {
    const { queries } = this.#options
    const { catalog } = queries
    const general = required(queries.compiled.get(catalog, source))
    if (call.principal && source.isOwn !== true) {
      requirePrivilege(call.principal, 'EXECUTE_QUERY', general.graph)
    }
    const vertexExists = (vertex: VertexArgument) => this.#exists(vertex)
    const context = { catalog, graph: general.graph, vertexExists }
    const { values, warnings } = readArguments(general, call.source, context)
    const query = general.executable
      ? general
      : required(queries.compiled.get(catalog, source, typeArgumentsOf(general, values)))
    if (call.principal) checkDataRights(call.principal, query, catalog)
    return { query, values, warnings }
  }

  /** What waited for a thread while the schema changed is bound anew: columns may be others. */
  async #startCurrent(source: TextSource, call: RunCall, bound: BoundCall): Promise<RunResult> {
    try {
      return await this.#start(bound.query, bound.values, call)
    } catch (error) {
      if (error !== staleBinding) throw error
      return await this.#startCurrent(source, call, this.#bindCall(source, call))
    }
  }

  async #start(
    query: BoundQuery,
    values: ReadArguments['values'],
    call: RunCall & { readonly profile?: boolean },
  ): Promise<RunResult> {
    const { pool, memoryLimitBytes, indexes, queries } = this.#options
    const { catalog } = queries
    const plan = this.#planOf(query)
    this.#calls.set(call.requestId, call)
    const abort = () => pool.abort(call.requestId)
    try {
      const { result } = pool.run({
        plan,
        indexRows: () => {
          if (queries.catalog !== catalog) throw staleBinding
          return indexes?.rowsFor(plan, values) ?? []
        },
        requestId: call.requestId,
        graph: query.graph,
        url: call.url,
        timeoutMs: timeoutOf(call),
        timeoutCode: call.timeoutMs ? 'REST-3000' : 'REST-3002',
        threadsMax: call.threadsMax,
        options: {
          arguments: values,
          memoryLimitBytes: Math.min(memoryLimitBytes, call.memoryLimitBytes ?? memoryLimitBytes),
          responseLimitBytes: call.responseLimitBytes ?? RESPONSE_SIZE_BYTES_DEFAULT,
          profile: call.profile ?? false,
          roles: call.principal?.rights.rolesOn(query.graph) ?? [],
          fileRights: fileRightsOf(call.principal, query.graph),
        },
      })
      if (call.signal?.aborted) abort()
      call.signal?.addEventListener('abort', abort, { once: true })
      const done = await result
      if (done.changes !== null) await this.#options.commit(done.changes)
      const { log } = this.#options
      for (const line of done.logged) log?.({ query: query.name, requestId: call.requestId }, line)
      return done
    } finally {
      call.signal?.removeEventListener('abort', abort)
      this.#calls.delete(call.requestId)
    }
  }

  #stepsOf(query: BoundQuery): readonly PlanStep[] {
    const { queries, view, vectors = null, statistics } = this.#options
    const { catalog } = queries
    const context = { catalog, view: view(), vectors, statistics: statistics?.of(query.graph) }
    return planSteps(query, context)
  }

  /** Bound queries belong to one catalogue, so their plans may be kept beside them. */
  #planOf(query: BoundQuery): InstalledPlan {
    const known = this.#plans.get(query)
    if (known !== undefined) return known
    const plan = compileQuery(query, this.#options.queries.catalog)
    this.#plans.set(query, plan)
    return plan
  }

  #exists({ typeId, id }: VertexArgument): boolean {
    const table = this.#options.view().vertexTables.find((candidate) => candidate.typeId === typeId)
    return table !== undefined && findRow(table, id) >= 0
  }

  /** @throws DbError GRAPH_NOT_FOUND in the words of RESTPP, for a graph that its path names */
  requireGraphAt(graph: string | undefined, url: string): void {
    if (graph !== undefined) requireGraphInPath(this.#options.queries.catalog, graph, url)
  }

  /** Runs that have a worker, on one graph or on all. */
  running(graph: string | null): readonly RunningQuery[] {
    return this.#listed(graph).filter(({ waiting }) => !waiting)
  }

  /** Runs that wait for a worker. */
  delayed(): readonly RunningQuery[] {
    return this.#listed(null).filter(({ waiting }) => waiting)
  }

  #listed(graph: string | null): readonly RunningQuery[] {
    if (graph !== null) requireGraph(this.#options.queries.catalog, graph)
    const all = this.#options.pool.running()
    return graph === null ? all : all.filter((run) => run.graph === graph)
  }

  /** Of a run that is listed: who started it, and with what. */
  callOf(requestId: string): RunCall | undefined {
    return this.#calls.get(requestId)
  }

  /**
   * One's own run, or with DELETE_DATA any of its graph.
   * @throws DbError REQUEST_NOT_FOUND, FORBIDDEN
   */
  abort(requestId: string, caller: Principal | null = null): RunningQuery {
    const run = this.#listed(null).find((candidate) => candidate.requestId === requestId)
    if (run !== undefined && caller !== null && this.#calls.get(requestId)?.user !== caller.name) {
      requirePrivilege(caller, 'DELETE_DATA', run.graph)
    }
    if (run !== undefined && this.#options.pool.abort(requestId)) return run
    throw new DbError('REQUEST_NOT_FOUND', `No running query has the request id '${requestId}'.`)
  }

  /**
   * Aborts by ids, `all`, or URL patterns whose `.*` stands for anything.
   * @returns those that were running
   */
  abortMatching(
    graph: string | null,
    { ids, urls }: { readonly ids: readonly string[]; readonly urls: readonly string[] },
  ): readonly RunningQuery[] {
    const patterns = urls.map(urlPattern)
    const wanted = ({ requestId, url }: RunningQuery) =>
      ids.includes('all') || ids.includes(requestId) || patterns.some((matches) => matches(url))
    return this.running(graph).filter(
      (run) => wanted(run) && this.#options.pool.abort(run.requestId),
    )
  }
}

interface TextSource {
  readonly graph: string
  readonly text: string
  /** The caller owns it, and needs no privilege to run it. */
  readonly isOwn?: boolean
}

function required(compiled: {
  query: BoundQuery | null
  diagnostics: Parameters<typeof invalidQuery>[0]
}) {
  if (compiled.query === null) throw invalidQuery(compiled.diagnostics)
  return compiled.query
}

function timeoutOf({ timeoutMs }: Pick<RunCall, 'timeoutMs'>): number {
  return Math.min(timeoutMs || QUERY_TIMEOUT_MS_DEFAULT, QUERY_TIMEOUT_MS_MAX)
}
