/** The parts of the server that run queries: their workers, what they may take, their routes. */
import type { FastifyInstance } from 'fastify'
import type { GraphEngine } from '#graph/engine.ts'
import type { VectorIndexes } from '#graph/vectors/vector-indexes.ts'
import { mountPackageRoutes, type PackageParts } from '#http/routes/packages.ts'
import { mountQueryRoutes } from '#http/routes/queries.ts'
import { mountQueryRunRoutes } from '#http/routes/query-runs.ts'
import { DbError } from '#kernel/errors.ts'
import { QUERY_HEAP_BYTES_MAX, QUERY_HEAP_BYTES_MIN } from '#kernel/limits.ts'
import type { LoopTurns } from '#kernel/loop-turns.ts'
import { QueryPool } from '#query/workers/pool.ts'
import type { IndexUsage } from '#services/indexes/index-usage.ts'
import { QueryIndexes } from '#services/queries/index-rows.ts'
import { Installations } from '#services/queries/installations.ts'
import type { PlannerStatistics } from '#services/queries/planner-statistics.ts'
import { QueryFiles } from '#services/queries/query-files.ts'
import { QUERY_LIMITS_DEFAULT, type QueryLimits } from '#services/queries/query-limits.ts'
import { QueryService } from '#services/queries/query-service.ts'
import { RunService } from '#services/queries/run-service.ts'
import { TemplateQueries } from '#services/queries/template-queries.ts'
import type { LoadMetrics } from '#services/system/load-metrics.ts'
import type { Documents } from '#storage/documents.ts'
import type { ServerOptions } from './server-options.ts'
import type { Mark } from './system.ts'

/** Of the memory limit, what one query may take for itself, and what all of them together. */
const QUERY_MEMORY_SHARE = 0.25
const QUERIES_MEMORY_SHARE = 0.5

/** Answers of detached runs that wait to be fetched. */
const DETACHED_MEMORY_SHARE = 0.125

export function queryLimitsOf({ queryLimits = QUERY_LIMITS_DEFAULT }: ServerOptions): QueryLimits {
  return queryLimits
}

/** All heaps together are a quarter of the memory limit, as far as each of them can work then. */
function workerHeapBytes(memoryLimitBytes: number, workerCount: number): number {
  const share = memoryLimitBytes / 4 / (workerCount + 1)
  return Math.floor(Math.min(QUERY_HEAP_BYTES_MAX, Math.max(QUERY_HEAP_BYTES_MIN, share)))
}

interface PoolParts {
  readonly engine: GraphEngine
  readonly vectors: VectorIndexes
  readonly load: LoadMetrics
}

export function makePool({ engine, vectors, load }: PoolParts, options: ServerOptions): QueryPool {
  const { clock, timers, queryWorkerCount: workerCount, queryFilesDirectory } = options
  const after = (ms: number, call: () => void) => timers.after(ms, call)
  const files = queryFilesDirectory === null ? {} : { fileDirectory: queryFilesDirectory }
  return new QueryPool({
    workerCount,
    heapLimitBytes: workerHeapBytes(options.memoryLimitBytes, workerCount),
    memoryLimitBytes: options.memoryLimitBytes * QUERIES_MEMORY_SHARE,
    clock,
    after,
    pin: (onRevoke) => engine.pin(onRevoke),
    vectors,
    onBegun: (queuedMs) => load.queryBegan(queuedMs),
    ...files,
  })
}

interface QueryParts {
  readonly engine: GraphEngine
  readonly queries: QueryService
  readonly pool: QueryPool
  readonly vectors: VectorIndexes
  readonly options: ServerOptions
  readonly lookups: IndexUsage
  readonly plannerStatistics: PlannerStatistics
}

export function mountQueries(
  app: FastifyInstance,
  { engine, queries, pool, vectors, options, lookups, plannerStatistics: statistics }: QueryParts,
): RunService {
  const { clock } = options
  const memoryLimitBytes = Math.floor(options.memoryLimitBytes * QUERY_MEMORY_SHARE)
  mountQueryRoutes(app, queries, new Installations(clock))
  const view = () => engine.view()
  const earlyAnswered = () => engine.earlyAnswered
  const runs = new RunService({
    queries,
    pool,
    clock,
    memoryLimitBytes,
    limits: queryLimitsOf(options),
    detachedSizeBytesMax: Math.floor(options.memoryLimitBytes * DETACHED_MEMORY_SHARE),
    view,
    earlyAnswered,
    indexes: new QueryIndexes(engine, lookups),
    statistics,
    vectors,
    ...(options.shared && { requireWriter: () => requireWriter(options.shared) }),
    commit: (frame, options) => engine.commit(frame, options),
    log: (fields, line) => options.logger.info(fields, line),
  })
  mountQueryRunRoutes(app, runs)
  return runs
}

function requireWriter(log: ServerOptions['shared']): void {
  if (log?.role !== 'follower') return
  throw new DbError('NOT_WRITER', 'This instance does not write: nothing was done.')
}

/** Stored queries, compiled in slices of the event loop and on a thread. */
export function openQueries(
  engine: GraphEngine,
  parts: { readonly documents: Documents; readonly turns: LoopTurns; readonly mark: Mark },
  { clock, timers }: ServerOptions,
): Promise<QueryService> {
  const { documents, turns, mark } = parts
  return QueryService.open({
    documents,
    catalogue: engine,
    onInstalled: (graph, text) => mark('query', graph, text),
    after: (ms, call) => timers.after(ms, call),
    slices: { clock, turns },
  })
}

export function queryFilesOf({ queryFilesDirectory, clock }: ServerOptions): QueryFiles {
  return new QueryFiles(queryFilesDirectory, clock)
}

/** Packages and their template queries. */
export async function mountPackages(
  app: FastifyInstance,
  documents: Documents,
  { queries, ...parts }: Omit<PackageParts, 'templates'> & { readonly queries: QueryService },
): Promise<TemplateQueries> {
  const templates = await TemplateQueries.open(documents, queries)
  mountPackageRoutes(app, { templates, ...parts })
  return templates
}
