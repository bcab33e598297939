/**
 * Puts the parts together: store, engine, services, routes. `main.ts` gives it a real clock, a data
 * directory and a port; tests give it a store in memory and call `app.inject`.
 */
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { schemaVersionOf } from '#catalog/lookup.ts'
import { GraphEngine } from '#graph/engine.ts'
import { buildApp } from '#http/app.ts'
import { loopbackHosts } from '#http/guard.ts'
import { mountAuthRoutes } from '#http/routes/auth.ts'
import { mountIndexRoutes } from '#http/routes/indexes.ts'
import { mountSampleRoutes } from '#http/routes/sample.ts'
import { mountImpactRoute, mountSchemaRoutes } from '#http/routes/schema.ts'
import { mountSessionRoutes } from '#http/routes/session.ts'
import { mountTupleRoutes } from '#http/routes/tuples.ts'
import { mountConsole } from '#http/static-files.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import { AccountService } from '#services/auth/account-service.ts'
import { AuthService } from '#services/auth/auth-service.ts'
import { SampleService } from '#services/sample/sample-service.ts'
import { elementCounts } from '#services/schema/element-counts.ts'
import { schemaImpact } from '#services/schema/impact.ts'
import { IndexService } from '#services/schema/index-service.ts'
import { noQueries, SchemaService } from '#services/schema/schema-service.ts'
import { TupleService } from '#services/schema/tuple-service.ts'
import type { Store } from '#storage/store.ts'

/** Which build this is; `esbuild` puts the hash in, sources have none. */
export interface BuildInfo {
  /** `4.2.0`-like release of the interface this server speaks is fixed; this is our own. */
  readonly version: string
  /** 40 hexadecimal digits. */
  readonly gitHash: string
}

export interface ServerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly logger: Logger
  readonly memoryLimitBytes: number
  readonly build: BuildInfo
  /** Where files named by requests may lie; null: nowhere, such requests are refused. */
  readonly dataDirectory: string | null
  /** The built console; null: no console. */
  readonly consoleDirectory: string | null
  /** Host names besides the loopback ones that this server answers to. */
  readonly hosts: readonly string[]
  /** Calls `work` every `intervalMs` for `durationMs`; returns at once. */
  repeat(work: () => void, intervalMs: number, durationMs: number): void
}

export interface QuiverServer {
  readonly app: FastifyInstance
  readonly engine: GraphEngine
  readonly auth: AuthService
  /** Ends requests, then the engine. The store is its opener's to close. */
  close(): Promise<void>
}

/** @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT: never serves past damage */
export async function buildServer(options: ServerOptions): Promise<QuiverServer> {
  const { store, clock, scheduler, memoryLimitBytes } = options
  const engine = await GraphEngine.open({ store, clock, scheduler, memoryLimitBytes })
  const auth = await AuthService.open({ documents: store, clock })
  const app = await buildApp({
    edge: {
      access: auth,
      schemaVersionOf: (graph) => schemaVersionOf(engine.catalog, graph),
      observe: () => undefined,
    },
    logger: options.logger,
    hosts: new Set([...loopbackHosts, ...options.hosts]),
    nowMs: () => clock.nowMs(),
  })
  mountSchema(app, engine)
  mountAccess(app, auth, options)
  mountSampleRoutes(app, new SampleService({ repeat: options.repeat }))
  if (options.consoleDirectory !== null) await mountConsole(app, options.consoleDirectory)
  return {
    app,
    engine,
    auth,
    close: async () => {
      await app.close()
      await engine.close()
    },
  }
}

function mountSchema(app: FastifyInstance, engine: GraphEngine): void {
  const queries = noQueries
  const onChange = () => undefined
  mountSchemaRoutes(app, new SchemaService({ store: engine, queries, onChange }))
  mountIndexRoutes(app, new IndexService({ store: engine, onChange }))
  mountTupleRoutes(app, new TupleService(engine))
  mountImpactRoute(app, (graph, change) =>
    schemaImpact(
      { catalog: engine.catalog, graph, counts: elementCounts(engine.view()), queries },
      change,
    ),
  )
}

function mountAccess(app: FastifyInstance, auth: AuthService, options: ServerOptions): void {
  const accounts = new AccountService(auth, options.clock)
  mountAuthRoutes(app, auth, accounts)
  const version = `${options.build.version} (${options.build.gitHash.slice(0, 12)})`
  mountSessionRoutes(app, { auth, accounts, version })
}
