/** Vertices and edges: their services and routes. */
import type { FastifyInstance } from 'fastify'
import type { GraphEngine } from '#graph/engine.ts'
import { mountInspectRoutes } from '#http/routes/inspect.ts'
import { mountPathRoutes } from '#http/routes/paths.ts'
import { mountQuiverDataRoutes } from '#http/routes/quiver-data.ts'
import { mountUpsertRoutes } from '#http/routes/upsert.ts'
import type { Clock } from '#kernel/clock.ts'
import { EdgeService } from '#services/edges/edge-service.ts'
import { NeighbourService } from '#services/edges/neighbour-service.ts'
import { indexLookup } from '#services/indexes/index-lookup.ts'
import type { IndexUsage } from '#services/indexes/index-usage.ts'
import { PathService } from '#services/paths/path-service.ts'
import { type PayloadThreads, UpsertService } from '#services/upsert/upsert-service.ts'
import { BrowseService } from '#services/vertices/browse-service.ts'
import { BuiltinsService } from '#services/vertices/builtins-service.ts'
import { VertexService } from '#services/vertices/vertex-service.ts'

export function mountData(
  app: FastifyInstance,
  engine: GraphEngine,
  clock: Clock,
  { lookups, threads }: { readonly lookups: IndexUsage; readonly threads: PayloadThreads },
) {
  const upserts = new UpsertService(engine, clock, threads)
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
