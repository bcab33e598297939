import type { FastifyInstance } from 'fastify'
import { readStatistics, readStatisticsHistory } from '#contract/statistics.ts'
import type { StatisticsService } from '#services/statistics/statistics-service.ts'
import { serve } from '../serve.ts'

export interface StatisticsRoutesOptions {
  readonly statistics: StatisticsService
  /** @throws DbError GRAPH_NOT_FOUND in the words of RESTPP */
  requireGraph(graph: string, url: string): void
}

export function mountStatisticsRoutes(
  app: FastifyInstance,
  { statistics, requireGraph }: StatisticsRoutesOptions,
): void {
  serve(app, readStatistics, ({ params, query, url }) => {
    requireGraph(params.graph, url)
    const options = { segments: query.segments, withConsole: query.console }
    return statistics.lookBack(params.graph, query.seconds, options)
  })
  serve(app, readStatisticsHistory, ({ params, query, url }) => {
    requireGraph(params.graph, url)
    const { from, to, step, heat, console: withConsole } = query
    return statistics.history(params.graph, { from, to, step, heat, withConsole })
  })
}
