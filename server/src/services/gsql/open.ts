/** Puts the parts of scripts together. */
import { findVertexType } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { isDbError } from '#kernel/errors.ts'
import type { LoopTurns } from '#kernel/loop-turns.ts'
import type { AccountService } from '../auth/account-service.ts'
import type { RoleService } from '../auth/role-service.ts'
import type { EdgeService } from '../inspect/edge-service.ts'
import type { ReadEngine } from '../inspect/read-scope.ts'
import type { VertexService } from '../inspect/vertex-service.ts'
import type { DataSources } from '../loading/data-sources.ts'
import type { Deleter } from '../loading/delete-targets.ts'
import type { FileAccess } from '../loading/file-access.ts'
import type { LoadRunStore } from '../loading/load-run-store.ts'
import { LoadingService } from '../loading/loading-service.ts'
import type { QueryService } from '../queries/query-service.ts'
import type { RunService } from '../queries/run-service.ts'
import type { TemplateQueries } from '../queries/template-queries.ts'
import type { CatalogStore, SchemaService } from '../schema/schema-service.ts'
import type { TupleService } from '../schema/tuple-service.ts'
import { ExportService } from '../transfer/export-service.ts'
import type { ImportMarks } from '../transfer/import-marks.ts'
import { ImportService } from '../transfer/import-service.ts'
import type { TransferDirectory } from '../transfer/transfer-directory.ts'
import type { UserStores } from '../transfer/user-document.ts'
import type { UpsertService } from '../upsert/upsert-service.ts'
import { AccessCommands } from './access-commands.ts'
import { AccountCommands } from './account-commands.ts'
import { DataSourceCommands } from './data-source-commands.ts'
import type { DetachedScripts } from './detached-scripts.ts'
import { GsqlService } from './gsql-service.ts'
import type { JobStore } from './job-store.ts'
import { LoadingCommands } from './loading-commands.ts'
import { PackageCommands } from './package-commands.ts'
import { QueryCommands } from './query-commands.ts'
import { SchemaCommands } from './schema-commands.ts'
import { SchemaJobService } from './schema-job-service.ts'
import { StoreCommands } from './store-commands.ts'
import { TransferCommands } from './transfer-commands.ts'

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
  readonly detached: DetachedScripts
  readonly importMarks: ImportMarks
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
    ...writes,
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
