/** What the server does, as it happens: an answer that goes on (the browser's bundle needs none of it). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryBoolean, queryInteger } from './parameters.ts'

export const STREAM_SECONDS_MAX = 600

/**
 * Server-sent events, two each round: `statistics` has what `readStatistics` answers and how many
 * requests are in flight, `running` what `listRunning` answers for the graph, both of the instance that
 * is asked alone: its number is in `X-Request-Id`. A browser's EventSource asks again when the stream
 * ends, and its rights are looked at again.
 */
export const streamStatistics = endpoint({
  method: 'GET',
  path: '/quiver/v1/statistics/{graph}/stream',
  at: 'any',
  ofInstance: true,
  summary: 'Statistics and running queries as server-sent events, for ten minutes at most',
  params: z.object({ graph: name }),
  query: z.object({
    /** How far each event of statistics looks back. */
    seconds: queryInteger(1, 60).default(10),
    /** Seconds from one round to the next. */
    interval: queryInteger(1, 60).default(1),
    /** The stream ends after so many; absent: when the client goes. */
    rounds: queryInteger(1, STREAM_SECONDS_MAX).optional(),
    /** Count requests with the header `X-Console`, too. */
    console: queryBoolean.default(false),
  }),
  response: z.string(),
  envelope: 'text',
  contentType: 'text/event-stream; charset=utf-8',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})
