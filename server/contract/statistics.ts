/** What the endpoints of a graph did: the given look-back, and the history that the server keeps. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryBoolean, queryInteger, queryString } from './parameters.ts'

/** Latencies are in milliseconds. */
export const endpointStatistics = z.object({
  CompletedRequests: z.number(),
  QPS: z.number(),
  TimeoutRequests: z.number(),
  AverageLatency: z.number(),
  MaxLatency: z.number(),
  MinLatency: z.number(),
  /** One entry per segment, ascending: what the first, second, … slice of requests did not exceed. */
  LatencyPercentile: z.array(z.number()),
})

export const readStatistics = endpoint({
  method: 'GET',
  path: '/restpp/statistics/{graph}',
  at: 'any',
  ofInstance: true,
  summary: 'Rate and latency of each endpoint over the last seconds; {} when none was called',
  params: z.object({ graph: name }),
  query: z.object({
    seconds: queryInteger(1, 60).default(10),
    segments: queryInteger(1, 100).default(10),
    /** Ours: `false` leaves out requests with the header `X-Console`. */
    console: queryBoolean.default(true),
  }),
  response: z.record(z.string(), endpointStatistics),
  envelope: 'bare',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND', 'INVALID_STATISTICS_PARAMETER'],
  invalidQuery: 'INVALID_STATISTICS_PARAMETER',
})

/** Columns of equal length, one entry per step. A latency is null where nothing completed. */
const series = z.object({
  completed: z.array(z.number()),
  /** Of the completed ones, those that were answered with an error. */
  errors: z.array(z.number()),
  timeouts: z.array(z.number()),
  averageMs: z.array(z.number().nullable()),
  minMs: z.array(z.number().nullable()),
  maxMs: z.array(z.number().nullable()),
  p50Ms: z.array(z.number().nullable()),
  p95Ms: z.array(z.number().nullable()),
  p99Ms: z.array(z.number().nullable()),
})

/** The same over the whole range, percentiles from the merged histogram. */
const summary = z.object({
  completed: z.number(),
  errors: z.number(),
  timeouts: z.number(),
  averageMs: z.number().nullable(),
  minMs: z.number().nullable(),
  maxMs: z.number().nullable(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
})

export const historyMarker = z.object({
  /** Epoch seconds. */
  at: z.number(),
  kind: z.enum(['start', 'schema', 'index', 'query', 'rebuild']),
  /** What it concerns; null: the server as a whole. */
  graph: z.string().nullable().optional(),
  text: z.string(),
})

/** Ends of the bands of the heat map, in milliseconds: three to each power of ten. */
export const HEAT_BOUNDS_MS: readonly number[] = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000,
  100_000,
]

const heat = z.object({
  /** Upper ends of the bands, inclusive; one more band lies above the last. */
  boundsMs: z.array(z.number()).readonly(),
  /** Step, band, count; step, band, count; …: what is empty is left out. */
  cells: z.array(z.number()).readonly(),
})

/** The time of the same length that ends where the range begins. */
const before = z.object({
  from: z.number(),
  to: z.number(),
  /** Epoch seconds from which on requests were counted; after `from`: a part of it is not known. */
  since: z.number(),
  total: summary,
  /** Endpoints that were not called in it are absent. */
  endpoints: z.array(z.object({ endpoint: z.string(), summary })),
})

export const statisticsHistory = z.object({
  /** Epoch seconds; inclusive start of the first step, exclusive end of the last. */
  from: z.number(),
  to: z.number(),
  stepSeconds: z.number(),
  /** Requests being answered right now, the console's own left out unless asked for. */
  inFlight: z.number(),
  /** All endpoints together. */
  total: z.object({ series, summary }),
  /** Busiest first; endpoints that were not called in the range are absent. */
  endpoints: z.array(z.object({ endpoint: z.string(), series, summary })),
  markers: z.array(historyMarker),
  /** How latencies are spread; present when asked for. */
  heat: heat.optional(),
  /** What was there before; present when asked for. */
  before: before.optional(),
})

export type StatisticsHistory = z.output<typeof statisticsHistory>

export const HISTORY_STEPS_MAX = 300

export const readStatisticsHistory = endpoint({
  method: 'GET',
  path: '/quiver/v1/statistics/{graph}/history',
  at: 'any',
  ofInstance: true,
  summary: 'Rates and latencies per endpoint over time: seconds for an hour, minutes for a week',
  params: z.object({ graph: name }),
  query: z.object({
    /** Epoch seconds; the last minute unless said. At most HISTORY_STEPS_MAX steps are answered. */
    from: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
    to: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
    /** Seconds per step; the smallest that keeps the number of steps unless said. */
    step: queryInteger(1, 86_400).optional(),
    /** Count requests with the header `X-Console`, too. */
    console: queryBoolean.default(false),
    /** An endpoint, or `*` for all together: adds how its latencies are spread. */
    heat: queryString.optional(),
    /** Adds the sums of the time before, as long as the range. */
    before: queryBoolean.default(false),
  }),
  response: statisticsHistory,
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND', 'INVALID_PARAMETER'],
})
