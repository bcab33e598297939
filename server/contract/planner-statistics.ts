/** Statistics that estimates of plans go by: counts and histograms. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryString } from './parameters.ts'

const lookErrors = [
  'GRAPH_NOT_FOUND',
  'VERTEX_TYPE_NOT_FOUND',
  'EDGE_TYPE_NOT_FOUND',
  'ATTRIBUTE_NOT_FOUND',
] as const
const readErrors = ['QUERY_TIMEOUT', ...lookErrors] as const
const changeErrors = [...readErrors, 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const

const cardinality = '/gsql/v1/stats/cardinality'
const histogram = '/gsql/v1/stats/histogram'

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const counts = z.object({
  vertex_counts: z.array(z.object({ type: name, count })).readonly(),
  edge_counts: z
    .array(z.object({ type: name, from: name.optional(), to: name.optional(), count }))
    .readonly(),
})
const ofElements = z.object({
  graph: graphQuery,
  vertex: queryString.optional(),
  edge: queryString.optional(),
  from: queryString.optional(),
  to: queryString.optional(),
})

export const readCardinality = endpoint({
  method: 'GET',
  path: cardinality,
  at: 'any',
  summary: 'Counts that plans are estimated by: as kept, or else live',
  query: ofElements,
  response: counts,
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: lookErrors,
})

export const keepCardinality = endpoint({
  method: 'POST',
  path: cardinality,
  at: 'writer',
  summary:
    'Keep counts for the estimates of plans: those given, or without a body the present ones',
  query: ofElements,
  body: counts.partial().optional(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: changeErrors,
})

export const dropCardinality = endpoint({
  method: 'DELETE',
  path: cardinality,
  at: 'writer',
  summary: 'Forget kept counts: plans are estimated by live ones again',
  query: ofElements,
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: changeErrors,
})

const value = z.union([z.number(), z.bigint(), z.string(), z.boolean()])
const bucket = z.object({
  rowsTotal: z.number(),
  rowsUpper: z.number(),
  upperBound: value,
})
/** A body, or the same names in the URL: not every client sends a body with GET. */
const ofAttributes = ofElements.extend({ attribute: queryString.optional() })
const attributeNames = z.object({
  graph: name.optional(),
  vertex: name.optional(),
  edge: name.optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  attribute: name.optional(),
})
const oneGraph = { envelope: 'gsql', ofSomeGraph: true } as const

export const readHistograms = endpoint({
  ...oneGraph,
  method: 'GET',
  path: histogram,
  at: 'any',
  summary: 'Histograms of attributes, as they were measured; names in the body or in the URL',
  query: ofAttributes,
  body: attributeNames.optional(),
  response: z.array(
    z.object({
      vertex: z.string().optional(),
      edge: z.string().optional(),
      attribute: z.string(),
      histogram: z.array(bucket).readonly(),
    }),
  ),
  privilege: 'READ_DATA',
  errors: lookErrors,
})

export const measureHistogram = endpoint({
  ...oneGraph,
  method: 'POST',
  path: histogram,
  at: 'writer',
  summary: 'Measure the histogram of an attribute for the estimates of plans, and keep it',
  query: z.object({ graph: graphQuery }),
  body: attributeNames.extend({ attribute: name, bucket: z.int().min(1).max(1_000).default(10) }),
  /** Buckets by their numbers, from "0". */
  response: z.record(z.string(), bucket),
  privilege: 'WRITE_SCHEMA',
  errors: [...changeErrors],
})

export const dropHistograms = endpoint({
  method: 'DELETE',
  path: histogram,
  at: 'writer',
  summary: 'Forget histograms',
  query: ofAttributes,
  body: attributeNames.optional(),
  response: z.string(),
  envelope: 'gsql',
  ofSomeGraph: true,
  privilege: 'WRITE_SCHEMA',
  errors: changeErrors,
})
