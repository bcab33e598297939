/**
 * Running queries: arguments, specialisation by type names, the pool, abort, and
 * detached runs whose answers wait to be fetched.
 */
import { requireGraph, requireGraphInPath } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { PlanStep } from '#query/explain/explain.ts'
import type { QueryPool } from '#query/workers/pool.ts'
import type { RunningQuery, RunResult } from '#query/workers/runs.ts'
import type { Principal } from '../auth/access.ts'
import { requirePrivilege } from '../auth/authorise.ts'
import {
  type ReadArguments,
  readArguments,
  typeArgumentsOf,
  type VertexArgument,
  vertexObjects,
} from './arguments.ts'
import type { CompiledQuery, ExplainRequest, TypeArguments } from './compile-text.ts'
import { checkTextSize, keyOf, type QuerySource, requiredQuery } from './compiled-queries.ts'
import {
  checkDataRights,
  checkNamedGraphs,
  fileRightsOf,
  homeGraph,
  knownTo,
} from './data-rights.ts'
import { DetachedRuns } from './detached-runs.ts'
import type { QueryIndexes } from './index-rows.ts'
import type { KnownVectorIndexes } from './plan-steps.ts'
import { type QueryLimits, responseSizeWithin, timeoutWithin } from './query-limits.ts'
import type { QueryService } from './query-service.ts'
import type { Explanation, RunAnswer, RunCall } from './run-call.ts'
import { staleBinding, translated } from './run-errors.ts'
import { SlowPlans } from './slow-plans.ts'
import { SlowRuns } from './slow-runs.ts'
import type { KeptStatistics } from './statistics-documents.ts'
import type { StoredQuery } from './stored-query.ts'
import { urlPattern } from './url-pattern.ts'
import { type ConflictOptions, WriteConflicts } from './write-conflicts.ts'

/** A query and its arguments, of one catalogue. */
interface BoundCall extends ReadArguments {
  readonly query: CompiledQuery
  readonly catalog: Catalog
  /** Those that the query was compiled with. */
  readonly typeArguments: TypeArguments
}

export interface RunServiceOptions {
  readonly queries: QueryService
  readonly pool: QueryPool
  readonly clock: Clock
  /** Of one run, unless its request asks for less. */
  readonly memoryLimitBytes: number
  /** Absent: the usual ones. */
  readonly limits?: QueryLimits
  /** Answers of detached runs together; absent: the usual limit. */
  readonly detachedSizeBytesMax?: number
  /** The engine's current state, to look arguments up. */
  view(): GraphView
  /** Writes answered before they were applied (`ack=none`): a run that comes later sees them. */
  earlyAnswered?(): Promise<void> | null
  /** Counts and histograms for the estimates of plans; absent: live counts alone. */
  readonly statistics?: { plain(graph: string): KeptStatistics }
  /** Writes what LOG says to the server's log; absent: it is dropped. */
  log?(fields: { readonly query: string; readonly requestId: string }, line: string): void
  /** Secondary indexes, for the starts of runs; absent: none is used. */
  readonly indexes?: QueryIndexes
  /** Indexes of vectors, for plans; absent: there are none. */
  readonly vectors?: KnownVectorIndexes
  /** @throws DbError NOT_WRITER where this server may not change anything; absent: it may */
  requireWriter?(): void
  /** Makes durable and visible what a query changes, or says that it is in conflict. */
  commit: ConflictOptions['commit']
}

export class RunService {
  readonly #options: RunServiceOptions
  /** The calls of what is running, by request id. */
  readonly #calls = new Map<string, RunCall>()
  readonly detached: DetachedRuns
  readonly slow: SlowRuns
  readonly #slowPlans: SlowPlans
  readonly #conflicts: WriteConflicts

  constructor(options: RunServiceOptions) {
    this.#options = options
    this.detached = new DetachedRuns(options.clock, options.detachedSizeBytesMax)
    this.slow = new SlowRuns(options.clock)
    this.#slowPlans = new SlowPlans(options.clock)
    this.#conflicts = new WriteConflicts(options)
  }

  /**
   * The installed query that a URL names: without a graph, among those that the caller may know.
   * @throws DbError QUERY_NOT_FOUND, GRAPH_NOT_FOUND
   */
  async resolve(
    graph: string | undefined,
    name: string,
    call: Pick<RunCall, 'url' | 'user' | 'signal' | 'principal'>,
  ): Promise<StoredQuery> {
    const { queries } = this.#options
    const { url } = call
    this.requireGraphAt(graph, url)
    const { stored } = queries
    const anywhere = () => stored.findAnywhere(name, knownTo(call.principal))
    const query = graph === undefined ? anywhere() : stored.find(graph, name)
    if (query?.installed && (await queries.compile(query, call)).query !== null) return query
    const path = url.split('?')[0]
    throw new DbError(
      'QUERY_NOT_FOUND',
      `Endpoint is not found from url = ${path}, please use GET /endpoints to list all valid endpoints.`,
    )
  }

  /** Starts a run that nobody waits for. @param hold is given its end @returns its request id */
  async runDetached(
    query: StoredQuery,
    call: RunCall,
    hold?: (run: Promise<unknown>) => void,
  ): Promise<string> {
    this.#options.pool.checkRoom(call.user)
    if (this.#options.requireWriter !== undefined) {
      this.#checkPlace(requiredQuery(await this.#options.queries.compile(query, call)))
    }
    const timeoutMs = this.#timeoutOf(call)
    const { signal: _, ...kept } = call
    const run = this.run(query, kept)
    hold?.(run)
    return this.detached.start(query.graph, { ...call, timeoutMs }, run)
  }

  /** As GSQL passes parameters: a vertex is its id, or `[id, type]`. @returns what `run` takes */
  async byName(
    graph: string,
    name: string,
    call: RunCall,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly stored: StoredQuery; readonly source: RunCall }> {
    const stored = await this.resolve(graph, name, call)
    return { stored, source: await this.withParameters(stored, call, parameters) }
  }

  /** Parameters as GSQL passes them, on a call of a query that need not be installed. */
  async withParameters(
    stored: StoredQuery,
    call: RunCall,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<RunCall> {
    const { query } = await this.#options.queries.compile(stored, call)
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
    const home = homeGraph(this.#options.queries.catalog, graph, call.principal)
    await this.#checkNamedGraphs({ graph: home, text }, call)
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
    const home = homeGraph(this.#options.queries.catalog, graph, call.principal)
    await this.#checkNamedGraphs({ graph: home, text }, call)
    const bound = await this.#bindCall({ graph: home, text }, call)
    const { query } = bound
    const steps = await this.#stepsOf({ graph: home, text }, call.user, bound)
    if (!call.profile) return { graph: query.graph, query: query.name, steps, run: null }
    const result = await translated(this.#startCurrent({ graph: home, text }, call, bound))
    result.release()
    const { counters, elapsedMs, peakMemoryBytes, profile } = result
    const { rows, edges } = counters
    const run = { rows, edges, elapsedMs, peakMemoryBytes, statements: profile ?? [] }
    return { graph: query.graph, query: query.name, steps, run }
  }

  async #checkNamedGraphs(source: QuerySource, call: RunCall): Promise<void> {
    if (!call.principal) return
    const graphs = await this.#options.queries.graphsNamedIn(source, call)
    checkNamedGraphs(call.principal, graphs)
  }

  async #runText(source: TextSource, call: RunCall): Promise<RunAnswer> {
    const { clock } = this.#options
    const start = clock.monotonicMs()
    await this.#options.earlyAnswered?.()
    const bound = await this.#bindCall(source, call)
    const { query, warnings } = bound
    const prepareMs = clock.monotonicMs() - start
    const { requestId, traceId = null, user, url } = call
    const { graph, name } = query
    const about = { requestId, traceId, user, url, graph, query: name, text: source.text }
    const watched = {
      ...about,
      source: call.source,
      plan: () => this.#slowPlan(source, bound),
    }
    const run = this.slow.watch(watched, this.#startCurrent(source, call, bound))
    const result = await translated(run)
    const { bytes: json, warnings: more, elapsedMs, queuedMs: queueMs, release } = result
    const message = [...warnings, ...more].join(' ')
    const commitMs = Math.max(0, clock.monotonicMs() - start - prepareMs - elapsedMs)
    const timing = { prepareMs, queueMs, executeMs: elapsedMs - queueMs, commitMs }
    // A function of this scope would hold the compiled query and its catalog for as long as the answer.
    return { graph, query: name, json, message, timing, release }
  }

  /** The query of a text as this call runs it, and its arguments. */
  async #bindCall(source: TextSource, call: RunCall): Promise<BoundCall> {
    const { queries } = this.#options
    const compiled = await queries.compile(source, call)
    const { catalog } = compiled
    const general = requiredQuery(compiled)
    if (call.principal && source.isOwn !== true) {
      requirePrivilege(call.principal, 'EXECUTE_QUERY', general.graph)
    }
    const vertexExists = (vertex: VertexArgument) => this.#exists(vertex)
    const context = { catalog, graph: general.graph, vertexExists }
    const { values, warnings } = readArguments(general, call.source, context)
    if (general.executable) {
      if (call.principal) checkDataRights(call.principal, general, catalog)
      return { query: general, catalog, values, warnings, typeArguments: new Map() }
    }
    const typeArguments = typeArgumentsOf(general, values)
    const special = await queries.compiled.get(source, call, typeArguments)
    const query = requiredQuery(special)
    if (call.principal) checkDataRights(call.principal, query, special.catalog)
    return { query, catalog: special.catalog, values, warnings, typeArguments }
  }

  /** What waited for a thread while the schema changed is bound anew: columns may be others. */
  async #startCurrent(source: TextSource, call: RunCall, bound: BoundCall): Promise<RunResult> {
    try {
      return await this.#start(bound, call)
    } catch (error) {
      if (error !== staleBinding) throw error
      return await this.#startCurrent(source, call, await this.#bindCall(source, call))
    }
  }

  async #start(
    bound: BoundCall,
    call: RunCall & { readonly profile?: boolean },
  ): Promise<RunResult> {
    const { requestId, url } = call
    const { name, graph } = bound.query
    this.#checkPlace(bound.query)
    this.#calls.set(requestId, call)
    const abort = () => this.#abortRun(requestId)
    call.signal?.addEventListener('abort', abort, { once: true })
    try {
      const timeoutMs = this.#timeoutOf(call)
      const start = (leftMs: number) => this.#attempt(bound, call, leftMs)
      const done = await this.#conflicts.run({
        ...{ requestId, name, graph, url, timeoutMs, start },
        key: call.key,
      })
      for (const line of done.logged) this.#options.log?.({ query: name, requestId }, line)
      return done
    } finally {
      call.signal?.removeEventListener('abort', abort)
      this.#calls.delete(requestId)
    }
  }

  /** @throws DbError NOT_WRITER, before anything is run */
  #checkPlace({ changesGraph, writesFiles }: CompiledQuery): void {
    if (changesGraph || writesFiles) this.#options.requireWriter?.()
  }

  #abortRun(requestId: string): boolean {
    return this.#options.pool.abort(requestId) || this.#conflicts.abort(requestId)
  }

  async #attempt(
    { query, values, catalog }: BoundCall,
    call: RunCall & { readonly profile?: boolean },
    timeoutMs: number,
  ): Promise<RunResult> {
    const { pool, memoryLimitBytes, indexes, queries } = this.#options
    const { plan } = query
    assert(plan !== null, 'a query that is bound for its run has a plan')
    const { result } = pool.run({
      plan,
      indexRows: () => {
        if (queries.catalog !== catalog) throw staleBinding
        return indexes?.rowsFor(query, values) ?? []
      },
      requestId: call.requestId,
      user: call.user,
      graph: query.graph,
      url: call.url,
      timeoutMs,
      timeoutCode: call.timeoutMs ? 'REST-3000' : 'REST-3002',
      threadsMax: call.threadsMax,
      options: {
        arguments: values,
        memoryLimitBytes: Math.min(memoryLimitBytes, call.memoryLimitBytes ?? memoryLimitBytes),
        responseLimitBytes: responseSizeWithin(this.#options.limits, call.responseLimitBytes),
        profile: call.profile ?? false,
        roles: call.principal?.rights.rolesOn(query.graph) ?? [],
        fileRights: fileRightsOf(call.principal, query.graph),
      },
    })
    if (call.signal?.aborted) pool.abort(call.requestId)
    return await result
  }

  #timeoutOf({ timeoutMs }: Pick<RunCall, 'timeoutMs'>): number {
    return timeoutWithin(this.#options.limits, timeoutMs)
  }

  #stepsOf(
    { graph, text }: QuerySource,
    user: string | null,
    { query, typeArguments }: BoundCall,
  ): Promise<readonly PlanStep[]> {
    const { queries, view, vectors, statistics } = this.#options
    const request = (): ExplainRequest => ({
      kind: 'explain',
      graph,
      text,
      typeArguments,
      view: view(),
      vectors:
        vectors === undefined
          ? null
          : { fromNumbers: vectors.fromNumbers, status: vectors.status() },
      statistics: statistics?.plain(query.graph) ?? null,
    })
    return queries.compiler.explain(request, { user })
  }

  /** For the log of slow runs: in the turn of the server, so that texts of the user do not wait for it. */
  #slowPlan(source: QuerySource, bound: BoundCall): Promise<readonly PlanStep[]> {
    const key = keyOf(source, bound.typeArguments)
    return this.#slowPlans.get(key, bound.catalog, () => this.#stepsOf(source, null, bound))
  }

  #exists({ typeId, id }: VertexArgument): boolean {
    const table = this.#options.view().vertexTables.find((candidate) => candidate.typeId === typeId)
    return table !== undefined && findVertex(table, id) >= 0
  }

  /** @throws DbError GRAPH_NOT_FOUND in the words of RESTPP, for a graph that its path names */
  requireGraphAt(graph: string | undefined, url: string): void {
    if (graph !== undefined) requireGraphInPath(this.#options.queries.catalog, graph, url)
  }

  /** Runs that wait for a worker. */
  delayed(): readonly RunningQuery[] {
    return this.running(null).filter(({ waiting }) => waiting)
  }

  /** Runs that have a worker or wait for one, on one graph or on all. */
  running(graph: string | null): readonly RunningQuery[] {
    if (graph !== null) requireGraph(this.#options.queries.catalog, graph)
    const all = [...this.#options.pool.running(), ...this.#conflicts.waiting()]
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
    const run = this.running(null).find((candidate) => candidate.requestId === requestId)
    if (run !== undefined && caller !== null && this.#calls.get(requestId)?.user !== caller.name) {
      requirePrivilege(caller, 'DELETE_DATA', run.graph)
    }
    if (run !== undefined && this.#abortRun(requestId)) return run
    throw new DbError('REQUEST_NOT_FOUND', `No running query has the request id '${requestId}'.`)
  }

  /**
   * Aborts by ids, `all`, or URL patterns whose `.*` stands for anything.
   * @returns those that were running, or waited for a worker
   */
  abortMatching(
    graph: string | null,
    { ids, urls }: { readonly ids: readonly string[]; readonly urls: readonly string[] },
  ): readonly RunningQuery[] {
    const patterns = urls.map(urlPattern)
    const wanted = ({ requestId, url }: RunningQuery) =>
      ids.includes('all') || ids.includes(requestId) || patterns.some((matches) => matches(url))
    return this.running(graph).filter((run) => wanted(run) && this.#abortRun(run.requestId))
  }
}

interface TextSource {
  readonly graph: string
  readonly text: string
  /** The caller owns it, and needs no privilege to run it. */
  readonly isOwn?: boolean
}
