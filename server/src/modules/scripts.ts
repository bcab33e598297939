/** GSQL scripts, and what they do: loading jobs, schema jobs, exports and imports. */
import type { FastifyInstance } from 'fastify'
import { findVertexType } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { GraphEngine } from '#graph/engine.ts'
import { mountDataSourceRoutes } from '#http/routes/data-sources.ts'
import { mountLoadingRoutes } from '#http/routes/loading.ts'
import { mountSchemaJobRoutes } from '#http/routes/schema-jobs.ts'
import { mountStatementRoutes } from '#http/routes/statements.ts'
import { mountTransferRoutes } from '#http/routes/transfer.ts'
import type { Clock } from '#kernel/clock.ts'
import { isDbError } from '#kernel/errors.ts'
import {
  LOAD_HEAP_BYTES_MAX,
  LOAD_HEAP_BYTES_MIN,
  LOAD_RUNS_UNDER_WAY_MAX,
} from '#kernel/limits.ts'
import type { LoopTurns } from '#kernel/loop-turns.ts'
import type { AccountService } from '#services/auth/account-service.ts'
import type { RoleService } from '#services/auth/role-service.ts'
import type { EdgeService } from '#services/edges/edge-service.ts'
import { AccessCommands } from '#services/gsql/access-commands.ts'
import { AccountCommands } from '#services/gsql/account-commands.ts'
import { DataSourceCommands } from '#services/gsql/data-source-commands.ts'
import { DetachedScripts } from '#services/gsql/detached-scripts.ts'
import { GsqlService } from '#services/gsql/gsql-service.ts'
import { LoadingCommands } from '#services/gsql/loading-commands.ts'
import { PackageCommands } from '#services/gsql/package-commands.ts'
import { QueryCommands } from '#services/gsql/query-commands.ts'
import { SchemaCommands } from '#services/gsql/schema-commands.ts'
import { StoreCommands } from '#services/gsql/store-commands.ts'
import { TransferCommands } from '#services/gsql/transfer-commands.ts'
import type { JobStore } from '#services/jobs/job-store.ts'
import { SchemaJobService } from '#services/jobs/schema-job-service.ts'
import { DataSources } from '#services/loading/data-sources.ts'
import type { Deleter } from '#services/loading/delete-targets.ts'
import { FileAccess } from '#services/loading/file-access.ts'
import { LoadRunStore } from '#services/loading/load-run-store.ts'
import type { RunPositions } from '#services/loading/load-runs.ts'
import { LoadThreads } from '#services/loading/load-threads.ts'
import { LoadingService } from '#services/loading/loading-service.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import type { RunService } from '#services/queries/run-service.ts'
import type { TemplateQueries } from '#services/queries/template-queries.ts'
import type { ReadEngine } from '#services/read/read-scope.ts'
import type { CatalogStore, SchemaService } from '#services/schema/schema-service.ts'
import type { TupleService } from '#services/schema/tuple-service.ts'
import { gsqlVersionText } from '#services/system/versions.ts'
import { ExportService } from '#services/transfer/export-service.ts'
import { ImportMarks } from '#services/transfer/import-marks.ts'
import { ImportService } from '#services/transfer/import-service.ts'
import { TransferDirectory } from '#services/transfer/transfer-directory.ts'
import type { UserStores } from '#services/transfer/user-document.ts'
import type { UpsertService } from '#services/upsert/upsert-service.ts'
import type { VertexService } from '#services/vertices/vertex-service.ts'
import type { Documents } from '#storage/documents.ts'
import type { ServerOptions, Timers } from './server-options.ts'

export interface GsqlParts {
  readonly catalogue: { readonly catalog: Catalog }
  readonly jobs: JobStore
  readonly clock: Clock
  readonly turns: LoopTurns
  readonly schema: SchemaService
  readonly tuples: TupleService
  readonly vertices: VertexService
  readonly edges: EdgeService
  readonly queries: QueryService
  readonly runs: RunService
  readonly templates: TemplateQueries
  readonly accounts: AccountService
  readonly roles: RoleService
  readonly upserts: UpsertService
  readonly files: FileAccess
  readonly sources: DataSources
  readonly loadRuns: LoadRunStore
  readonly loadThreads: LoadThreads
  readonly loadPositions: RunPositions
  readonly detached: DetachedScripts
  readonly importMarks: ImportMarks
  readonly timers: Timers
  /** Of this instance among those that share the store, from 1. */
  ordinal(): number
  /** Told of a run of a loading job that failed by a fault of the server. */
  onLoadFailure(error: unknown): void
  readonly engine: ReadEngine & CatalogStore
  /** Whose users and roles an export may hold. */
  readonly auth: UserStores
  /** The directory of all files that requests name; null: none. */
  readonly transferDirectory: TransferDirectory
  readonly versionText: string
}

export interface Gsql {
  readonly gsql: GsqlService
  readonly store: StoreCommands
  readonly transfer: TransferCommands
  readonly exports: ExportService
  readonly imports: ImportService
  readonly detached: DetachedScripts
  readonly loading: LoadingService
  readonly schemaJobs: SchemaJobService
}

export function openGsql(parts: GsqlParts): Gsql {
  const { catalogue, clock, jobs, schema, tuples, vertices, queries, runs, versionText } = parts
  const { upserts, files, sources, templates, onLoadFailure: onFailure } = parts
  const deleter = deleterOf(vertices, parts.edges)
  const writes = { upserts, deleter, onFailure }
  const loading = new LoadingService({
    ...{ catalogue, jobs, files, sources, runs: parts.loadRuns, clock },
    ...{ ...writes, threads: parts.loadThreads, positions: parts.loadPositions },
    ordinal: () => parts.ordinal(),
    after: (ms, call) => parts.timers.after(ms, call),
    every: (ms, call) => parts.timers.every(ms, call),
  })
  const requireUser = (name: string) => parts.accounts.require(name)
  const schemaJobs = new SchemaJobService({ catalogue, schema, jobs })
  const store = new StoreCommands({ catalogue, schema, tuples, templates, vertices, jobs, sources })
  const { exports, imports, transfer } = openTransfer(parts)
  const gsql = new GsqlService({
    catalogue,
    jobs,
    schema: new SchemaCommands({ catalogue, schema, tuples, jobs, schemaJobs, clock }),
    queries: new QueryCommands({ catalogue, queries, templates, runs, requireUser }),
    accounts: new AccountCommands(parts.accounts),
    access: new AccessCommands(parts.accounts, parts.roles),
    loading: new LoadingCommands(loading),
    sources: new DataSourceCommands(sources, files),
    packages: new PackageCommands(templates),
    scriptAt: (path) => files.text(path),
    compiler: queries.compiler,
    clock,
    turns: parts.turns,
    store,
    transfer,
    versionText,
  })
  return {
    gsql,
    store,
    loading,
    schemaJobs,
    transfer,
    exports,
    imports,
    detached: parts.detached,
  }
}

function openTransfer(parts: GsqlParts) {
  const { engine, jobs, sources, auth: users, upserts, clock, versionText } = parts
  const kept = { jobs, sources, users }
  const directory = parts.transferDirectory
  const queries = parts.queries.stored
  const product = versionText.split('\n')[0] ?? ''
  const exports = new ExportService({ engine, queries, ...kept, directory, clock, product })
  const marks = parts.importMarks
  const imports = new ImportService({
    ...{ store: engine, queries, ...kept, upserts, directory, marks, clock },
    vertexCount: (graph, type) => {
      const typeId = findVertexType(engine.catalog, graph, type)?.id
      return engine.view().vertexTables.find((one) => one.typeId === typeId)?.liveCount ?? 0
    },
  })
  return { exports, imports, transfer: new TransferCommands(exports, imports) }
}

/** An edge whose source is not there is not there either. */
function deleterOf(vertices: VertexService, edges: EdgeService): Deleter {
  const placeOf = (graph: string) => ({ graph, url: `/graph/${graph}` })
  return {
    vertex: async (graph, type, id) => {
      await vertices.deleteOne(placeOf(graph), type, id)
    },
    edges: async (graph, path) => {
      try {
        await edges.delete(placeOf(graph), path)
      } catch (error) {
        if (!isDbError(error, 'VERTEX_NOT_FOUND')) throw error
      }
    },
  }
}

/** Of the memory limit, what temporary tables hold, and what the heaps of all loading threads may take. */
const TABLES_MEMORY_SHARE = 1 / 8
const LOAD_HEAPS_MEMORY_SHARE = 1 / 8

function loadMemory(memoryLimitBytes: number) {
  const share = (memoryLimitBytes * LOAD_HEAPS_MEMORY_SHARE) / LOAD_RUNS_UNDER_WAY_MAX
  return {
    heapLimitBytes: Math.min(LOAD_HEAP_BYTES_MAX, Math.max(LOAD_HEAP_BYTES_MIN, share)),
    tablesLimitBytes: memoryLimitBytes * TABLES_MEMORY_SHARE,
  }
}

export async function openLoadSources(
  engine: GraphEngine,
  documents: Documents,
  { clock, filesDirectory, queryFilesDirectory, timers, memoryLimitBytes }: ServerOptions,
) {
  const files = new FileAccess(filesDirectory, queryFilesDirectory)
  const checkFolder = (path: string) => files.checkFolder(path)
  const sources = await DataSources.open({ documents, catalogue: engine, checkFolder })
  const loadRuns = await LoadRunStore.open(documents)
  const every = (ms: number, call: () => void) => timers.every(ms, call)
  const loadThreads = new LoadThreads({ ...loadMemory(memoryLimitBytes), clock, every })
  return {
    files,
    sources,
    loadRuns,
    loadThreads,
    loadPositions: engine.loadPositions,
    detached: await DetachedScripts.open(documents, clock),
  }
}

/**
 * What transfers that were cut short have left is removed, or told to whoever reads the log. Only the
 * writer does so: what another instance writes into a directory that they share is under way.
 */
export async function openTransfers(documents: Documents, options: ServerOptions) {
  const { logger, exportsDirectory, filesDirectory } = options
  const transferDirectory = new TransferDirectory(exportsDirectory, filesDirectory)
  const importMarks = await ImportMarks.open(documents)
  await documents.asWriter(async () => {
    await removePartial(transferDirectory, logger)
    for (const { path, startMs } of importMarks.list()) {
      const text = 'an import was cut short: import the same export again to go on with it'
      logger.warn({ path, startedAt: new Date(startMs).toISOString() }, text)
    }
  })
  return { transferDirectory, importMarks }
}

async function removePartial(
  transferDirectory: TransferDirectory,
  logger: ServerOptions['logger'],
): Promise<void> {
  try {
    for (const path of await transferDirectory.removePartial()) {
      logger.warn({ path }, 'removed what an export that was cut short had written')
    }
  } catch (error) {
    logger.error({ err: error }, 'what an export had written could not be removed')
  }
}

export function mountScripts(
  app: FastifyInstance,
  parts: Omit<GsqlParts, 'versionText' | 'onLoadFailure' | 'catalogue' | 'timers' | 'ordinal'>,
  { build, logger, timers, shared }: ServerOptions,
): Gsql {
  const versionText = gsqlVersionText(build, true)
  const onLoadFailure = (error: unknown) => logger.error({ err: error }, 'a loading job failed')
  const ordinal = () => shared?.self.ordinal ?? 1
  const given = { catalogue: parts.engine, versionText, onLoadFailure, timers, ordinal }
  const gsql = openGsql({ ...parts, ...given })
  mountStatementRoutes(app, gsql)
  mountLoadingRoutes(app, gsql.loading, (ms, call) => timers.after(ms, call))
  mountTransferRoutes(app, { ...gsql, engine: parts.engine })
  mountDataSourceRoutes(app, parts.sources, { files: parts.files, threads: parts.loadThreads })
  mountSchemaJobRoutes(app, gsql.schemaJobs, parts.schema)
  return gsql
}
