/** Routes of our own reads: cursors, degrees, neighbours, many vertices or edges, counts. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/quiver-data.ts'
import type { NeighbourService } from '#services/edges/neighbour-service.ts'
import type { BrowseService } from '#services/vertices/browse-service.ts'
import { replyJson } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountQuiverDataRoutes(
  app: FastifyInstance,
  browse: BrowseService,
  neighbours: NeighbourService,
): void {
  serve(app, contract.readDegrees, async ({ params }) => [
    ...(await browse.degrees(params.graph, params.type, params.id)),
  ])
  serve(app, contract.readNeighbours, async ({ params, query }) =>
    replyJson(
      await neighbours.page(params.graph, params, {
        edgeType: query.edge_type,
        direction: query.direction,
        targetType: query.target_type,
        limit: query.limit,
        cursor: query.cursor,
        filter: query.filter,
        sort: query.sort,
        sizeBytesMax: query.size,
        sample: query.sample,
        seed: query.seed,
      }),
    ),
  )
  serve(app, contract.browseVertices, async ({ params, query }) =>
    replyJson(await browse.listVertices(params.graph, params.type, query)),
  )
  serve(app, contract.planVertices, ({ params, query }) =>
    browse.plan(params.graph, params.type, query.filter),
  )
  serve(app, contract.findSimilar, async ({ params, query }) =>
    replyJson(await browse.similar(params.graph, query)),
  )
  serve(app, contract.readVertices, async ({ params, body }) =>
    replyJson(await browse.readVertices(params.graph, body.ids)),
  )
  serve(app, contract.readEdges, async ({ params, body }) =>
    replyJson(await browse.readEdges(params.graph, body.pairs)),
  )
  serve(app, contract.readCounts, async ({ params }) => {
    const { vertices, edges } = await browse.counts(params.graph)
    return { vertices: [...vertices], edges: [...edges] }
  })
}
