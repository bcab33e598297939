/** Paths between vertices. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name } from './parameters.ts'
import { edgeRow, vertexRow } from './quiver-data.ts'

const end = z.object({
  type: name,
  id: z.union([z.string(), z.number(), z.bigint()]).transform(String),
})
const ends = z.union([end, z.array(end)]).transform((value) => [value].flat())
const filter = z.object({ type: name, condition: z.string().optional() })
const filters = z
  .union([filter, z.array(filter)])
  .transform((value) => [value].flat())
  .optional()

const fields = {
  source: ends.optional(),
  sources: ends.optional(),
  target: ends.optional(),
  targets: ends.optional(),
  vertexFilters: filters,
  edgeFilters: filters,
}

const lengthMax = z.number().int().min(0).max(1_000)

const shared = {
  method: 'POST',
  params: z.object({ graph: name }),
  response: z.array(z.object({ vertices: z.array(vertexRow), edges: z.array(edgeRow) })),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  bodySize: 'ids',
  errors: [
    'GRAPH_NOT_FOUND',
    'VERTEX_TYPE_NOT_FOUND',
    'EDGE_TYPE_NOT_FOUND',
    'ATTRIBUTE_NOT_FOUND',
    'VERTEX_NOT_FOUND',
    'QUERY_TIMEOUT',
    'MEMORY_LIMIT',
  ],
} as const

export const shortestPath = endpoint({
  ...shared,
  path: '/restpp/shortestpath/{graph}',
  at: 'any',
  summary: 'A shortest path to each target, or all of them, as one sub-graph',
  body: z.object({
    ...fields,
    maxLength: lengthMax.default(6),
    allShortestPaths: z.boolean().default(false),
  }),
})

export const allPaths = endpoint({
  ...shared,
  path: '/restpp/allpaths/{graph}',
  at: 'any',
  summary: 'All paths of at most a length, as one sub-graph',
  body: z.object({ ...fields, maxLength: lengthMax }),
})

export const expandSteps = endpoint({
  ...shared,
  method: ['GET', 'POST'],
  path: '/restpp/kstep_expansion/{graph}',
  at: 'any',
  summary: 'What can be reached from vertices within some steps, as one sub-graph',
  body: z.object({
    source_vertices: ends.optional(),
    sources: ends.optional(),
    step: lengthMax.default(1),
    vertexFilters: filters,
    edgeFilters: filters,
  }),
})
