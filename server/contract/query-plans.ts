/** Plans of queries, and what each step of a run has cost: ours, under /quiver/v1. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { anyQuery, graphQuery, name, queryInteger } from './parameters.ts'
import { runErrors, textOrCall } from './queries.ts'

const conditions = z.number()
const types = z.array(z.string()).readonly()

/** One statement of a plan, in the order they are run; `select` has how it is carried out. */
const planStep = z.object({
  id: z.number(),
  line: z.number(),
  /** Nesting in loops and branches. */
  depth: z.number(),
  statement: z.string(),
  /** The vertex set that is assigned. */
  result: z.string().nullable(),
  select: z
    .object({
      /** `source`: `all`, the name of a set, or `expression`. */
      start: z.object({
        alias: z.string(),
        types,
        source: z.string(),
        conditions,
        /** Names of the secondary indexes that propose its vertices, instead of a scan. */
        indexes: z.array(z.string()).readonly(),
        /** Vertices that each execution is expected to look at; beside it, the `rows` of a run. */
        estimatedScan: z.number(),
        /** Those of them that the conditions are expected to keep; beside it, what a run has `kept`. */
        estimatedRows: z.number(),
      }),
      hops: z
        .array(
          z.object({
            from: z.string(),
            to: z.string(),
            toTypes: types,
            edges: z.array(z.object({ type: z.string(), direction: z.string() })).readonly(),
            method: z.enum(['push', 'push or pull', 'edge scan', 'search', 'search from all']),
            /** The other end is known: the hop only tests. */
            joins: z.boolean(),
            backwards: z.boolean(),
            repeat: z.object({ min: z.number(), max: z.number().nullable() }).nullable(),
            conditions,
            estimatedEdges: z.number(),
            estimatedRows: z.number(),
          }),
        )
        .readonly(),
      accum: z.boolean(),
      postAccum: z.number(),
      sorted: z.boolean(),
      /** What several threads may do at the same time: rows by source or target, POST-ACCUM. */
      parallel: z.array(z.enum(['sources', 'targets', 'vertices'])).readonly(),
      estimatedRows: z.number(),
    })
    .nullable(),
  /**
   * A vectorSearch, for each attribute it looks at. `index`: an HNSW index proposes `width` candidates;
   * `building`: it will, once it is made; `scan`: every vector of the candidates is looked at.
   */
  vectorSearches: z
    .array(
      z.object({
        attribute: z.string(),
        method: z.enum(['index', 'building', 'scan']),
        candidates: z.number(),
        width: z.number().nullable(),
      }),
    )
    .readonly(),
})

export const explanation = z.object({
  graph: z.string(),
  query: z.string(),
  steps: z.array(planStep).readonly(),
  /** What a run has cost, in all and by the ids of the steps; null: it was not run. */
  run: z
    .object({
      rows: z.number(),
      edges: z.number(),
      elapsedMs: z.number(),
      peakMemoryBytes: z.number(),
      statements: z
        .array(
          z.object({
            id: z.number(),
            executions: z.number(),
            timeMs: z.number(),
            /** Vertices, and rows of tables, that its loops came to. */
            rows: z.number(),
            /** Edges that its hops looked at, beside their `estimatedEdges`. */
            edges: z.number(),
            /** Most threads that worked on it at the same time. */
            threads: z.number(),
            /**
             * Rows that the conditions of a SELECT's start, and of each hop, have kept in all executions:
             * beside their `estimatedRows`. A hop whose targets look for a source (`pull`) keeps
             * each target once. Empty: not a SELECT.
             */
            kept: z.array(z.number()).readonly(),
          }),
        )
        .readonly(),
    })
    .nullable(),
})

export const explainQuery = endpoint({
  method: 'POST',
  path: '/quiver/v1/queries/explain',
  at: 'any',
  summary: 'The plan of a query text, without running it; parameters in the URL',
  query: anyQuery,
  body: textOrCall,
  bodyFormat: 'text-or-json',
  bodySize: 'parameters',
  response: explanation,
  envelope: 'gsql',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: [...runErrors, 'QUERY_INVALID'],
})

export const profileQuery = endpoint({
  method: 'POST',
  path: '/quiver/v1/queries/profile',
  at: 'query',
  summary: 'Run a query text and tell what each step of its plan has cost; parameters in the URL',
  query: anyQuery,
  body: textOrCall,
  bodyFormat: 'text-or-json',
  bodySize: 'parameters',
  response: explanation,
  envelope: 'gsql',
  privilege: 'EXECUTE_QUERY',
  ofSomeGraph: true,
  errors: [...runErrors, 'QUERY_INVALID'],
})

const slowRun = z.object({
  requestId: z.string(),
  /** Of the client's trace (`traceparent`); null: it has named none. */
  traceId: z.string().nullable(),
  graph: z.string(),
  query: z.string(),
  user: z.string(),
  /** Of its request. */
  url: z.string(),
  /** Epoch milliseconds. */
  startMs: z.number(),
  /** Waiting for a worker included. */
  elapsedMs: z.number(),
  outcome: z.enum(['done', 'timeout', 'aborted', 'failed']),
  /** Of what ended it early. */
  message: z.string(),
  /** Null: it did not come to its end. */
  counters: z.object({ rows: z.number(), edges: z.number() }).nullable(),
  peakMemoryBytes: z.number().nullable(),
  /** As JSON, cut where it is very long; what was given in a URL as texts. */
  parameters: z.string(),
})

export const listSlowRuns = endpoint({
  method: 'GET',
  path: '/quiver/v1/queries/slow',
  at: 'any',
  ofInstance: true,
  gathers: true,
  summary: 'The newest runs that took long, on one graph or all that the caller may read',
  query: z.object({
    graph: graphQuery,
    /** So many of the newest; absent: all that are kept. */
    limit: queryInteger(1, 1_000).optional(),
  }),
  response: z.object({
    thresholdMs: z.number(),
    /** Epoch milliseconds: those that had ended by then are no longer kept; null: all are since the start. */
    forgottenUntilMs: z.number().nullable(),
    runs: z.array(slowRun).readonly(),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  ofSomeGraph: true,
  errors: ['GRAPH_NOT_FOUND'],
})

export const readSlowRun = endpoint({
  method: 'GET',
  path: '/quiver/v1/queries/slow/{request_id}',
  at: 'named',
  ofInstance: true,
  summary: 'A run that took long, with its text and the plan it followed',
  params: z.object({ request_id: name }),
  response: slowRun.extend({ text: z.string(), steps: z.array(planStep).readonly() }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  ofSomeGraph: true,
  errors: ['REQUEST_NOT_FOUND'],
})
