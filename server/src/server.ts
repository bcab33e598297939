/**
 * Puts the parts together: store, engine, services, routes. `main.ts` gives it a real clock, a data
 * directory and a port; tests give it a store in memory and call `app.inject`.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { findGraph, requireGraphInPath, schemaVersionOf } from '#catalog/lookup.ts'
import { GraphEngine } from '#graph/engine.ts'
import type { EngineOptions, ReloadEvent } from '#graph/engine-options.ts'
import { IndexFactsReader } from '#graph/index/facts.ts'
import type { VectorIndexes } from '#graph/vectors/vector-indexes.ts'
import { buildApp, type HttpLimits } from '#http/app.ts'
import { loopbackHosts } from '#http/guard.ts'
import { mountDataSourceRoutes } from '#http/routes/data-sources.ts'
import { mountDocumentRoutes } from '#http/routes/documents.ts'
import { mountIndexRoutes } from '#http/routes/indexes.ts'
import { mountInspectRoutes } from '#http/routes/inspect.ts'
import { mountLoadingRoutes } from '#http/routes/loading.ts'
import { mountPathRoutes } from '#http/routes/paths.ts'
import { mountPlannerStatisticsRoutes } from '#http/routes/planner-statistics.ts'
import { mountQuiverDataRoutes } from '#http/routes/quiver-data.ts'
import { mountSampleRoutes } from '#http/routes/sample.ts'
import { mountImpactRoute, mountSchemaRoutes } from '#http/routes/schema.ts'
import { mountSchemaJobRoutes } from '#http/routes/schema-jobs.ts'
import { mountStatementRoutes } from '#http/routes/statements.ts'
import { mountStatisticsRoutes } from '#http/routes/statistics.ts'
import { mountTransferRoutes } from '#http/routes/transfer.ts'
import { mountTupleRoutes } from '#http/routes/tuples.ts'
import { mountUpsertRoutes } from '#http/routes/upsert.ts'
import { mountConsole } from '#http/static-files.ts'
import type { Clock } from '#kernel/clock.ts'
import { LoopTurns } from '#kernel/loop-turns.ts'
import { AuditLog, type AuditSink } from '#services/auth/audit-log.ts'
import { AuthService } from '#services/auth/auth-service.ts'
import { RoleService } from '#services/auth/role-service.ts'
import { EdgeService } from '#services/edges/edge-service.ts'
import { NeighbourService } from '#services/edges/neighbour-service.ts'
import { DetachedScripts } from '#services/gsql/detached-scripts.ts'
import { indexLookup } from '#services/indexes/index-lookup.ts'
import { IndexService } from '#services/indexes/index-service.ts'
import { type IndexPlace, IndexUsage } from '#services/indexes/index-usage.ts'
import { JobStore } from '#services/jobs/job-store.ts'
import { DataSources } from '#services/loading/data-sources.ts'
import { FileAccess } from '#services/loading/file-access.ts'
import { LoadRunStore } from '#services/loading/load-run-store.ts'
import { PathService } from '#services/paths/path-service.ts'
import { PlannerStatistics } from '#services/queries/planner-statistics.ts'
import { QueryFiles } from '#services/queries/query-files.ts'
import type { QueryLimits } from '#services/queries/query-limits.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import { SampleService } from '#services/sample/sample-service.ts'
import { ImpactService } from '#services/schema/impact-service.ts'
import { SchemaService } from '#services/schema/schema-service.ts'
import type { GraphUsers } from '#services/schema/schema-users.ts'
import { TupleService } from '#services/schema/tuple-service.ts'
import { StatisticsService } from '#services/statistics/statistics-service.ts'
import type { ConsoleSettings } from '#services/system/console-settings.ts'
import { DocumentService } from '#services/system/document-service.ts'
import type { LogTail } from '#services/system/log-tail.ts'
import type { MachineSample } from '#services/system/machine.ts'
import { RequestMetrics } from '#services/system/request-metrics.ts'
import { type BuildInfo, gsqlVersionText } from '#services/system/versions.ts'
import { UpsertService } from '#services/upsert/upsert-service.ts'
import { BrowseService } from '#services/vertices/browse-service.ts'
import { BuiltinsService } from '#services/vertices/builtins-service.ts'
import { VertexService } from '#services/vertices/vertex-service.ts'
import { httpLimits, mountAccess } from './modules/access.ts'
import { mountQueries, queryLimitsOf, startPool } from './modules/queries.ts'
import { type Gsql, type GsqlParts, openGsql } from './modules/scripts.ts'
import {
  type Mark,
  makeVectorIndexes,
  marker,
  mountGiven,
  mountPackages,
  mountSystem,
  observers,
  openQueries,
  openTransfers,
  repeater,
  saveAtEnd,
  startHousekeeping,
} from './modules/system.ts'

type EngineParts = Pick<
  EngineOptions,
  'store' | 'clock' | 'scheduler' | 'memoryLimitBytes' | 'residentBytes' | 'collectGarbage'
>

export interface ServerOptions extends EngineParts {
  readonly logger: Logger
  /** Of new password hashes (N of scrypt); absent: what the day demands. */
  readonly passwordCost?: number
  readonly build: BuildInfo
  /** Where files named by requests may lie; null: nowhere, such requests are refused. */
  readonly dataDirectory: string | null
  /** The directory whose files loading jobs may read; null: none. */
  readonly filesDirectory: string | null
  /** Where queries read and write files, one folder for each graph; null: nowhere. */
  readonly queryFilesDirectory: string | null
  /** Where exports are written and imports are read; null: nowhere. */
  readonly exportsDirectory: string | null
  /** The built console; null: no console. */
  readonly consoleDirectory: string | null
  /** Where the logger writes beside its output; absent: the log is not told. */
  readonly logTail?: LogTail
  /** What the console presets and locks; absent: nothing. */
  readonly consoleSettings?: ConsoleSettings
  /** Host names besides the loopback ones that this server answers to. */
  readonly hosts: readonly string[]
  /** Where rebuild summaries go when a request names no folder; null: nowhere. */
  readonly reportDirectory: string | null
  machine(dataDirectory: string | null): MachineSample
  /** Where the audit log goes beside memory; null or absent: nowhere. */
  readonly audit?: AuditSink | null
  readonly timers: Timers
  /** Limits of the HTTP layer that differ from the defaults. */
  readonly http?: HttpLimits
  /** PEM texts: HTTPS instead of HTTP; null or absent: HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | null
  /** Threads that run queries. */
  readonly queryWorkerCount: number
  /** What requests may ask for; absent: the usual limits. */
  readonly queryLimits?: QueryLimits
  /** Numbers of a vector attribute from which on it has an index; absent: the usual limit. */
  readonly vectorIndexFromNumbers?: number
}

/** Each returns the function that cancels. */
export interface Timers {
  after(ms: number, call: () => void): () => void
  every(ms: number, call: () => void): () => void
}

export interface QuiverServer {
  readonly app: FastifyInstance
  readonly engine: GraphEngine
  readonly vectors: VectorIndexes
  readonly auth: AuthService
  /** Ends requests, then the engine. The store is its opener's to close. */
  close(): Promise<void>
}

/** @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT: never serves past damage */
export async function buildServer(options: ServerOptions): Promise<QuiverServer> {
  const { store, clock, passwordCost } = options
  let forgetViews = () => {}
  const engine = await openEngine(options, () => forgetViews())
  const turns = new LoopTurns(options.scheduler)
  const isGraph = (name: string) => findGraph(engine.catalog, name) !== undefined
  const auth = await AuthService.open({ documents: store, clock, passwordCost, isGraph })
  const statistics = await StatisticsService.open({ documents: store, clock, isGraph })
  const mark = marker(statistics, options.logger)
  mark('start', null, 'The server started.')
  const requests = new RequestMetrics()
  const lookups = new IndexUsage(clock)
  const audit = new AuditLog(clock, options.audit ?? null)
  const app = await buildApp({
    dependencies: {
      access: auth,
      schemaVersionOf: (graph) => schemaVersionOf(engine.catalog, graph),
      ownsQuery: (user, graph, name) => queries.stored.find(graph, name)?.owner === user,
      statistics: observers(statistics, requests),
      audit,
      ...httpSettings(options),
    },
    logger: options.logger,
    hosts: new Set([...loopbackHosts, ...options.hosts]),
    nowMs: () => clock.nowMs(),
    ...httpLimits(options),
    tls: options.tls ?? null,
  })
  const queries = await openQueries(engine, { turns, mark }, options)
  const vectors = makeVectorIndexes(engine, options)
  const pool = await startPool(engine, vectors, options)
  forgetViews = () => pool.forgetViews()
  const jobs = await JobStore.open(store)
  const roles = new RoleService({ auth, catalogue: engine })
  const loads = { ...(await openLoadSources(engine, options)), ...(await openTransfers(options)) }
  const plannerStatistics = await PlannerStatistics.open(store, engine, clock)
  mountPlannerStatisticsRoutes(app, plannerStatistics)
  const queryFiles = queryFilesOf(options)
  const users = await openGraphUsers(engine, roles, [loads.sources, plannerStatistics, queryFiles])
  const common = { engine, queries, lookups, options }
  const { schema, tuples } = mountSchema(app, { ...common, jobs, mark, users })
  const documents = new DocumentService(store, clock)
  const accounts = mountAccess(app, { auth, roles, audit, documents, queries }, options)
  const data = mountData(app, engine, clock, lookups)
  const runs = mountQueries(app, { ...common, pool, vectors, plannerStatistics })
  mountStatisticsRoutes(app, {
    ...{ statistics, runs },
    requireGraph: (graph, url) => void requireGraphInPath(engine.catalog, graph, url),
    after: (ms, call) => options.timers.after(ms, call),
  })
  const templates = await mountPackages(app, store, { queries, runs, catalogue: engine })
  const parts = { engine, jobs, templates, clock, queries, runs, accounts, auth, roles, ...data }
  const { loading } = mountScripts(app, { ...parts, ...loads, turns, schema, tuples }, options)
  const monitor = mountSystem(app, {
    ...{ engine, queries, pool, vectors, statistics, requests },
    ...{ options, lookups, mark },
  })
  mountDocumentRoutes(app, documents)
  mountGiven(app, options)
  mountSampleRoutes(app, new SampleService({ repeat: repeater(options.timers) }))
  if (options.consoleDirectory !== null) await mountConsole(app, options.consoleDirectory)
  const cancel = startHousekeeping({ auth, engine, vectors, statistics, monitor }, options)
  return {
    app,
    engine,
    vectors,
    auth,
    close: async () => {
      cancel()
      // What runs long is ended, so that requests end and the listener can close.
      const threads = [pool.close(), queries.close(), vectors.close(), loading.runs.close()]
      await Promise.all([engine.endRebuilds(), app.close(), ...threads])
      await saveAtEnd({ statistics, auth }, options.logger)
      await engine.close()
    },
  }
}

function httpSettings(options: ServerOptions) {
  return {
    lockedWriteGuard: options.consoleSettings?.locked.writeGuard ?? 'off',
    responseSizeBytesMax: queryLimitsOf(options).responseSizeBytesMax,
  } as const
}

function mountData(app: FastifyInstance, engine: GraphEngine, clock: Clock, lookups: IndexUsage) {
  const upserts = new UpsertService(engine, clock)
  mountUpsertRoutes(app, upserts)
  const vertices = new VertexService(engine, clock, indexLookup(engine, lookups))
  const edges = new EdgeService(engine, clock)
  const builtins = new BuiltinsService(engine, clock)
  mountInspectRoutes(app, { vertices, edges, builtins })
  mountPathRoutes(app, new PathService(engine, clock))
  const browse = new BrowseService(engine, clock, { engine, usage: lookups })
  mountQuiverDataRoutes(app, browse, new NeighbourService(engine, clock))
  return { upserts, vertices, edges }
}

/** @param forgetViews query workers let go of superseded arrays before they are collected */
function openEngine(
  { logger, collectGarbage, ...options }: ServerOptions,
  forgetViews: () => void,
): Promise<GraphEngine> {
  const onRebuildFailure = (error: unknown) => logger.error({ err: error }, 'rebuild failed')
  const collect = () => {
    forgetViews()
    collectGarbage?.()
  }
  const onReload = (event: ReloadEvent) => logReload(logger, event)
  return GraphEngine.open({ ...options, onRebuildFailure, onReload, collectGarbage: collect })
}

function logReload(logger: ServerOptions['logger'], event: ReloadEvent): void {
  if (event.kind === 'begun') {
    logger.error({ err: event.cause }, 'a log entry was not applied: reading the graph again')
  } else if (event.kind === 'attempt-failed') {
    logger.error({ err: event.cause }, 'the graph could not be read again')
  } else logger.info({ sequence: event.sequence }, 'the graph was read again')
}

async function openLoadSources(
  engine: GraphEngine,
  { store, clock, filesDirectory }: ServerOptions,
) {
  const files = new FileAccess(filesDirectory)
  const checkFolder = (path: string) => files.checkFolder(path)
  const sources = await DataSources.open({ documents: store, catalogue: engine, checkFolder })
  const loadRuns = await LoadRunStore.open(store)
  return { files, sources, loadRuns, detached: await DetachedScripts.open(store, clock) }
}

function queryFilesOf({ queryFilesDirectory, clock }: ServerOptions): QueryFiles {
  return new QueryFiles(queryFilesDirectory, clock)
}

/** What a crash kept from following the last renames follows them first. */
async function openGraphUsers(
  { catalog }: GraphEngine,
  roles: RoleService,
  keepers: readonly Pick<GraphUsers, 'forgetGraph'>[],
): Promise<GraphUsers> {
  if (catalog.renames !== undefined) await roles.followRenames(catalog.renames)
  return {
    forgetGraph: async (graph) => {
      for (const keeper of [roles, ...keepers]) await keeper.forgetGraph(graph)
    },
    followRenames: (renames) => roles.followRenames(renames),
  }
}

function mountScripts(
  app: FastifyInstance,
  parts: Omit<GsqlParts, 'versionText' | 'onLoadFailure' | 'catalogue'>,
  { build, logger, timers }: ServerOptions,
): Gsql {
  const versionText = gsqlVersionText(build, true)
  const onLoadFailure = (error: unknown) => logger.error({ err: error }, 'a loading job failed')
  const given = { catalogue: parts.engine, versionText, onLoadFailure }
  const gsql = openGsql({ ...parts, ...given })
  mountStatementRoutes(app, gsql)
  mountLoadingRoutes(app, gsql.loading, (ms, call) => timers.after(ms, call))
  mountTransferRoutes(app, { ...gsql, engine: parts.engine })
  mountDataSourceRoutes(app, parts.sources, parts.files)
  mountSchemaJobRoutes(app, gsql.schemaJobs, parts.schema)
  return gsql
}

interface SchemaParts {
  readonly engine: GraphEngine
  readonly queries: QueryService
  readonly jobs: JobStore
  readonly mark: Mark
  readonly users: GraphUsers
  readonly lookups: IndexUsage
  readonly options: ServerOptions
}

function mountSchema(app: FastifyInstance, parts: SchemaParts) {
  const { engine, queries, jobs, mark, lookups: usage } = parts
  const marking = (kind: 'schema' | 'index') => (graph: string | null, text: string) =>
    mark(kind, graph, text)
  const onChange = marking('schema')
  const schema = new SchemaService({ ...parts, store: engine, onChange, moved: usage.moved })
  const tuples = new TupleService(engine)
  mountSchemaRoutes(app, schema)
  const facts = new IndexFactsReader({ ...parts.options, tables: engine.tables })
  const factsOf = (place: IndexPlace) => facts.read(place.typeId, place.attributeId)
  mountIndexRoutes(
    app,
    new IndexService({ store: engine, usage, queries, factsOf, onChange: marking('index') }),
  )
  mountTupleRoutes(app, tuples)
  mountImpactRoute(app, new ImpactService({ ...parts.options, engine, queries, jobs }))
  return { schema, tuples }
}
