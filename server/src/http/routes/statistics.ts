import type { FastifyInstance } from 'fastify'
import { readStatistics, readStatisticsHistory } from '#contract/statistics.ts'
import { STREAM_SECONDS_MAX, streamStatistics } from '#contract/statistics-stream.ts'
import { isDbError } from '#kernel/errors.ts'
import { addressGroup } from '#services/auth/login-limit.ts'
import type { RunService } from '#services/queries/run-service.ts'
import type { StatisticsService } from '#services/statistics/statistics-service.ts'
import { EventStreams } from '../event-stream.ts'
import type { After } from '../pause.ts'
import { replyStream } from '../reply.ts'
import { present, serve } from '../serve.ts'
import { runningFor } from './query-runs.ts'

export interface StatisticsRoutesOptions {
  readonly runs: RunService
  readonly after: After
  readonly statistics: StatisticsService
  /** @throws DbError GRAPH_NOT_FOUND in the words of RESTPP */
  requireGraph(graph: string, url: string): void
}

export function mountStatisticsRoutes(
  app: FastifyInstance,
  options: StatisticsRoutesOptions,
): void {
  const { statistics, requireGraph } = options
  serve(app, readStatistics, ({ params, query, url }) => {
    requireGraph(params.graph, url)
    const options = { segments: query.segments, withConsole: query.console }
    return statistics.lookBack(params.graph, query.seconds, options)
  })
  serve(app, readStatisticsHistory, ({ params, query, url }) => {
    requireGraph(params.graph, url)
    const { from, to, step, heat, before: withBefore, console: withConsole } = query
    return statistics.history(params.graph, { from, to, step, heat, withBefore, withConsole })
  })
  mountStream(app, options)
}

function mountStream(
  app: FastifyInstance,
  { statistics, requireGraph, runs, after }: StatisticsRoutesOptions,
): void {
  const streams = new EventStreams(after)
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  serve(app, streamStatistics, (context) => {
    const { query, url, principal, signal } = context
    const { graph } = context.params
    requireGraph(graph, url)
    const { seconds, interval, console: withConsole } = query
    const roundsInTime = Math.ceil(STREAM_SECONDS_MAX / interval)
    const round = () => [
      {
        event: 'statistics',
        data: {
          inFlight: statistics.inFlightOf(withConsole),
          endpoints: statistics.lookBack(graph, seconds, { segments: SEGMENTS, withConsole }),
        },
      },
      { event: 'running', data: runningFor(runs, graph, present(principal)) },
    ]
    const stream = streams.open({
      ...{ signal, intervalMs: interval * 1_000 },
      user: present(principal).name,
      address: addressGroup(context.address),
      roundCount: Math.min(query.rounds ?? roundsInTime, roundsInTime),
      round: () => whileThere(round),
    })
    return replyStream(stream)
  })
}

/** As many as the endpoint of statistics cuts latencies into unless asked for others. */
const SEGMENTS = 10

/** A graph that is dropped meanwhile has nothing more to tell. */
function whileThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isDbError(error, 'GRAPH_NOT_FOUND')) return null
    throw error
  }
}
