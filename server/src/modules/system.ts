/** The parts of the server that watch and keep it: monitor, metrics, maintenance, timers. */

import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { requireGraphInPath } from '#catalog/lookup.ts'
import type { GraphEngine } from '#graph/engine.ts'
import type { VectorIndexes } from '#graph/vectors/vector-indexes.ts'
import { countConnections } from '#http/connections.ts'
import type { RequestObserver } from '#http/dependencies.ts'
import { mountAbsentRoutes } from '#http/routes/absent.ts'
import { mountConsoleSettings } from '#http/routes/console-settings.ts'
import { mountInstances } from '#http/routes/instances.ts'
import { mountSampleRoutes } from '#http/routes/sample.ts'
import { mountServerLog } from '#http/routes/server-log.ts'
import { mountStatisticsRoutes } from '#http/routes/statistics.ts'
import { mountSystemRoutes, serviceNames } from '#http/routes/system.ts'
import { mountWorkloadRoutes } from '#http/routes/workload.ts'
import { mountConsole, mountManual } from '#http/static-files.ts'
import type { QueryPool } from '#query/workers/pool.ts'
import type { AuthService } from '#services/auth/auth-service.ts'
import type { IndexUsage } from '#services/indexes/index-usage.ts'
import { Instances } from '#services/instances/instances.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import type { RunService } from '#services/queries/run-service.ts'
import { SampleService } from '#services/sample/sample-service.ts'
import { elementTotals } from '#services/schema/element-counts.ts'
import type { MarkerKind } from '#services/statistics/markers.ts'
import type { StatisticsService } from '#services/statistics/statistics-service.ts'
import { noConsoleSettings } from '#services/system/console-settings.ts'
import { LAG_INTERVAL_MS, type LoadMetrics } from '#services/system/load-metrics.ts'
import { LogTail } from '#services/system/log-tail.ts'
import { MaintenanceService } from '#services/system/maintenance.ts'
import { Metrics, type ThreadHeap } from '#services/system/metrics.ts'
import { Monitor, SAMPLE_INTERVAL_MS } from '#services/system/monitor.ts'
import type { RequestMetrics } from '#services/system/request-metrics.ts'
import type { Documents } from '#storage/documents.ts'
import { logRebuildFailure } from './engine.ts'
import { maxStalenessOf } from './http.ts'
import type { ServerOptions } from './server-options.ts'

/** How often the engine is asked whether its deltas have grown enough to be folded. */
const REBUILD_CHECK_MS = 5_000
/** How often it is looked for vector attributes that have grown enough for an index. */
const VECTOR_CHECK_MS = 1_000
/** How often an idle query thread lets go of what it read last, one thread each time. */
const FORGET_VIEW_MS = 10_000
/** How much of the statistics a crash may forget, besides the running second. */
const STATISTICS_SAVE_MS = 2_000
const CREDENTIAL_USE_SAVE_MS = 60_000

export type Mark = (kind: MarkerKind, graph: string | null, text: string) => void

/** A marker is a courtesy: what it tells of has happened all the same. */
export function marker(statistics: StatisticsService, logger: Logger): Mark {
  return (kind, graph, text) => {
    statistics.mark(kind, graph, text).catch((error: unknown) => {
      logger.error({ err: error }, 'a marker could not be saved')
    })
  }
}

interface SystemParts {
  readonly engine: GraphEngine
  readonly queries: QueryService
  readonly pool: QueryPool
  readonly vectors: VectorIndexes
  readonly options: ServerOptions
  readonly lookups: IndexUsage
  readonly mark: Mark
  readonly documents: Documents
  readonly statistics: StatisticsService
  readonly requests: RequestMetrics
  readonly load: LoadMetrics
}

/** Everybody who is told of requests, as one. */
export function observers(
  statistics: StatisticsService,
  requests: RequestMetrics,
): RequestObserver {
  return {
    started: (fromConsole) => statistics.started(fromConsole),
    ended: (fromConsole) => statistics.ended(fromConsole),
    observe: (sample) => {
      statistics.observe(sample)
      requests.observe(sample)
    },
  }
}

export function mountSystem(app: FastifyInstance, parts: SystemParts): Monitor {
  const { engine, queries, pool, vectors, statistics, options, lookups, mark, requests } = parts
  const { load } = parts
  const { sharing = null } = app.dependencies
  const { store, clock, dataDirectory, reportDirectory, build, timers } = options
  const monitor = new Monitor({
    clock,
    machine: () => options.machine(dataDirectory),
    connectionCount: countConnections(app),
    lastMinute: () => statistics.lastMinute(),
    dataDirectory,
  })
  const metrics = new Metrics({
    monitor,
    dataDirectory,
    services: serviceNames,
    store: () => ({ ...store.statistics(), isReady: store.state.kind === 'ready' }),
    memory: () => engine.memory(),
    counts: () => elementTotals(engine.view()),
    runningQueries: () => pool.running().length,
    waitingQueries: () => pool.running().filter(({ waiting }) => waiting).length,
    heaps: () => heapsOf(pool),
    inFlightRequests: () => statistics.inFlight,
    lookups: () => lookups,
    vectors: () => ({ memoryBytes: vectors.memoryBytes, searches: vectors.searchCount }),
    requests,
    load,
    build,
    startedAtMs: clock.nowMs(),
    sharing,
  })
  const maintenance = new MaintenanceService({
    engine,
    vectors,
    documents: parts.documents,
    clock,
    dataDirectory,
    reportDirectory,
    onRebuilt: (text) => mark('rebuild', null, text),
    onSummaryFailure: (error) =>
      options.logger.warn({ err: error }, 'the summary of a rebuild could not be written'),
  })
  const instances = new Instances({
    log: options.shared ?? null,
    maxStalenessMs: maxStalenessOf(options),
    sequence: () => engine.sequence,
  })
  mountSystemRoutes(app, {
    build,
    monitor,
    metrics,
    maintenance,
    checkReadable: () => void engine.view(),
    storeState: () => store.state,
    queryEndpoints: (graph, maySee) => queries.endpoints(graph, maySee),
    log: (fields, text) => options.logger.info(fields, text),
    requireGraph: (graph, url) => void requireGraphInPath(engine.catalog, graph, url),
    after: (ms, call) => timers.after(ms, call),
    nowMs: () => clock.nowMs(),
    sequence: () => engine.sequence,
    sharing,
  })
  mountInstances(app, instances)
  return monitor
}

async function heapsOf(pool: QueryPool): Promise<readonly ThreadHeap[]> {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics()
  const heaps = await pool.heaps()
  const workers = heaps.flatMap((heap, index) =>
    heap === null ? [] : [{ thread: `query-${index + 1}`, ...heap }],
  )
  return [{ thread: 'main', usedBytes, limitBytes }, ...workers]
}

interface StatisticsParts {
  readonly engine: GraphEngine
  readonly statistics: StatisticsService
  readonly runs: RunService
}

export function mountStatistics(
  app: FastifyInstance,
  { engine, statistics, runs }: StatisticsParts,
  { timers }: ServerOptions,
): void {
  mountStatisticsRoutes(app, {
    ...{ statistics, runs },
    requireGraph: (graph, url) => void requireGraphInPath(engine.catalog, graph, url),
    after: (ms, call) => timers.after(ms, call),
  })
}

/** Routes that need nothing but what the server was given at its start, and its pages. */
export async function mountGiven(app: FastifyInstance, options: ServerOptions): Promise<void> {
  mountConsoleSettings(app, options.consoleSettings ?? noConsoleSettings)
  mountServerLog(app, options.logTail ?? new LogTail(), options.logger.level)
  mountWorkloadRoutes(app)
  mountAbsentRoutes(app)
  mountSampleRoutes(app, new SampleService({ repeat: repeater(options.timers) }))
  if (options.consoleDirectory !== null) await mountConsole(app, options.consoleDirectory)
  if (options.manualDirectory != null) await mountManual(app, options.manualDirectory)
}

interface HousekeepingParts {
  readonly auth: AuthService
  readonly engine: GraphEngine
  readonly vectors: VectorIndexes
  readonly pool: QueryPool
  readonly statistics: StatisticsService
  readonly monitor: Monitor
  readonly load: LoadMetrics
}

/** @returns the function that ends it */
export function startHousekeeping(
  { auth, engine, vectors, pool, statistics, monitor, load }: HousekeepingParts,
  { store, timers, logger }: ServerOptions,
): () => void {
  let ended = false
  // What an orderly end interrupts has not failed.
  const failed = (text: string) => (error: unknown) => {
    if (!ended) logger.error({ err: error }, text)
  }
  const cancels = [
    timers.every(REBUILD_CHECK_MS, () => {
      engine.rebuildIfDue().catch((error: unknown) => {
        if (!ended) logRebuildFailure(logger, error)
      })
    }),
    timers.every(VECTOR_CHECK_MS, () => vectors.check()),
    timers.every(FORGET_VIEW_MS, () => pool.forgetNextView()),
    timers.every(LAG_INTERVAL_MS, () => load.tick()),
    timers.every(SAMPLE_INTERVAL_MS, () => void monitor.sample()),
    timers.every(CREDENTIAL_USE_SAVE_MS, () => {
      if (store.state.kind !== 'ready') return
      auth.saveUses().catch(failed('the last use of credentials could not be saved'))
    }),
    timers.every(STATISTICS_SAVE_MS, () => {
      // A store that refuses writes has said so once; it need not every few seconds.
      if (store.state.kind !== 'ready') return
      statistics.save().catch(failed('statistics could not be saved'))
    }),
  ]
  return () => {
    ended = true
    for (const cancel of cancels) cancel()
  }
}

/** A store that refuses writes must not keep the server from ending in order. */
export async function saveAtEnd(
  { statistics, auth }: { readonly statistics: StatisticsService; readonly auth: AuthService },
  logger: Logger,
): Promise<void> {
  const failed = (text: string) => (error: unknown) => logger.error({ err: error }, text)
  await statistics.close().catch(failed('statistics could not be saved'))
  await auth.saveUses().catch(failed('the last use of credentials could not be saved'))
}

/** Repeats a piece of work until its time is over. */
function repeater(timers: ServerOptions['timers']) {
  return (work: () => void, intervalMs: number, durationMs: number): void => {
    timers.after(durationMs, timers.every(intervalMs, work))
  }
}
