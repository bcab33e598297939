/**
 * Puts the parts together: store, engine, services, routes. `main.ts` gives it a real clock, a data
 * directory and a port; tests give it a store in memory and call `app.inject`.
 */
import type { FastifyInstance } from 'fastify'
import { findGraph, schemaVersionOf } from '#catalog/lookup.ts'
import type { GraphEngine } from '#graph/engine.ts'
import type { VectorIndexes } from '#graph/vectors/vector-indexes.ts'
import { buildApp } from '#http/app.ts'
import { loopbackHosts } from '#http/guard.ts'
import { mountPlannerStatisticsRoutes } from '#http/routes/planner-statistics.ts'
import { LoopTurns } from '#kernel/loop-turns.ts'
import { AuditLog } from '#services/auth/audit-log.ts'
import { AuthService } from '#services/auth/auth-service.ts'
import { RoleService } from '#services/auth/role-service.ts'
import { IndexUsage } from '#services/indexes/index-usage.ts'
import { JobStore } from '#services/jobs/job-store.ts'
import { PlannerStatistics } from '#services/queries/planner-statistics.ts'
import { StatisticsService } from '#services/statistics/statistics-service.ts'
import { LoadMetrics } from '#services/system/load-metrics.ts'
import { RequestMetrics } from '#services/system/request-metrics.ts'
import type { SharedDocuments } from '#storage/shared-documents.ts'
import { mountAccess } from './modules/access.ts'
import { mountData } from './modules/data.ts'
import { joinOthers, openDocuments } from './modules/documents.ts'
import { beginEngine, makeVectorIndexes } from './modules/engine.ts'
import { httpLimits, httpSettings } from './modules/http.ts'
import {
  makePool,
  mountPackages,
  mountQueries,
  openQueries,
  queryFilesOf,
} from './modules/queries.ts'
import { mountSchema, openGraphUsers } from './modules/schema.ts'
import { mountScripts, openLoadSources, openTransfers } from './modules/scripts.ts'
import type { ServerOptions } from './modules/server-options.ts'
import {
  marker,
  mountGiven,
  mountStatistics,
  mountSystem,
  observers,
  saveAtEnd,
  startHousekeeping,
} from './modules/system.ts'

export interface QuiverServer {
  readonly app: FastifyInstance
  readonly engine: GraphEngine
  readonly vectors: VectorIndexes
  readonly auth: AuthService
  /** Null: the store is of this server alone. */
  readonly sharedDocuments: SharedDocuments | null
  /** Ends requests, then the engine. The store is its opener's to close. */
  close(): Promise<void>
}

/** @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT: never serves past damage */
export async function buildServer(options: ServerOptions): Promise<QuiverServer> {
  const { clock, passwordCost, firstPassword } = options
  let forgetViews = () => {}
  const opening = await beginEngine(options, () => forgetViews())
  const turns = new LoopTurns(options.scheduler)
  const isGraph = (name: string) => findGraph(engine.catalog, name) !== undefined
  const { documents, shared } = openDocuments(options)
  const auth = await AuthService.open({ documents, clock, passwordCost, firstPassword, isGraph })
  const statistics = await StatisticsService.open({ documents, clock, isGraph })
  const requests = new RequestMetrics()
  const load = new LoadMetrics(options.clock)
  const lookups = new IndexUsage(clock)
  const audit = new AuditLog(clock, options.audit ?? null)
  const app = await buildApp({
    dependencies: {
      access: auth,
      schemaVersionOf: (graph) => schemaVersionOf(engine.catalog, graph),
      ownsQuery: (user, graph, name) => queries.stored.find(graph, name)?.owner === user,
      statistics: observers(statistics, requests),
      audit,
      ...httpSettings(options, auth),
    },
    logger: options.logger,
    hosts: new Set([...loopbackHosts, ...options.hosts]),
    nowMs: () => clock.nowMs(),
    ...httpLimits(options),
    tls: options.tls ?? null,
  })
  const jobs = await JobStore.open(documents)
  const engine = await opening.engine
  const mark = marker(statistics, options.logger)
  mark('start', null, 'The server started.')
  const queries = await openQueries(engine, { documents, turns, mark }, options)
  const vectors = makeVectorIndexes(engine, options)
  const pool = makePool({ engine, vectors, load }, options)
  forgetViews = () => pool.forgetViews()
  const roles = new RoleService({ auth, catalogue: engine })
  const sources = await openLoadSources(engine, documents, options)
  const loads = { ...sources, ...(await openTransfers(documents, options)) }
  const plannerStatistics = await PlannerStatistics.open(documents, engine, clock)
  mountPlannerStatisticsRoutes(app, plannerStatistics)
  const queryFiles = queryFilesOf(options)
  const forgetful = [loads.sources, plannerStatistics, queryFiles]
  const users = await openGraphUsers(engine, { documents, roles }, forgetful)
  const common = { engine, queries, lookups, options }
  const { schema, tuples } = mountSchema(app, { ...common, jobs, mark, users })
  const accounts = mountAccess(app, { auth, roles, audit, documents, queries }, options)
  const data = mountData(app, engine, clock, { lookups, threads: loads.loadThreads })
  const runs = mountQueries(app, { ...common, pool, vectors, plannerStatistics })
  mountStatistics(app, { engine, statistics, runs }, options)
  const templates = await mountPackages(app, documents, { queries, runs, catalogue: engine })
  const parts = { engine, jobs, templates, clock, queries, runs, accounts, auth, roles, ...data }
  const { loading } = mountScripts(app, { ...parts, ...loads, turns, schema, tuples }, options)
  const observed = { engine, pool, vectors, statistics, load }
  const toldOf = { queries, requests, lookups, mark, documents }
  const monitor = mountSystem(app, { ...observed, ...toldOf, options })
  await mountGiven(app, options)
  if (shared !== null) await joinOthers(engine, shared, { ...options, mark, lookups })
  await auth.start()
  const cancel = startHousekeeping({ ...observed, auth, monitor }, options)
  return {
    app,
    engine,
    vectors,
    auth,
    sharedDocuments: shared,
    close: async () => {
      cancel()
      // What runs long is ended, so that requests end and the listener can close.
      const threads = [pool.close(), queries.close(), vectors.close(), loading.close()]
      await Promise.all([engine.endRebuilds(), app.close(), ...threads])
      await saveAtEnd({ statistics, auth }, options.logger)
      await engine.close()
    },
  }
}
