/** Reads and deletes of vertices and edges: docs/reference/rest.md. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryBoolean, queryInteger, queryString } from './parameters.ts'

const LIMIT_MAX = 2 ** 53 - 1

/** Ids in paths are never empty; how long they may be the graph decides: too long finds nothing. */
const id = z.string().min(1)

const attributes = z.record(z.string(), z.unknown())

export const vertexRow = z.object({ v_id: z.string(), v_type: z.string(), attributes })

export const vertexCount = z.object({ v_type: z.string(), count: z.number() })

export const edgeRow = z.object({
  e_type: z.string(),
  directed: z.boolean(),
  from_id: z.string(),
  from_type: z.string(),
  to_id: z.string(),
  to_type: z.string(),
  discriminator: z.string().optional(),
  attributes,
})

export const edgeCount = z.object({ e_type: z.string(), count: z.number() })

const readQuery = {
  select: queryString.optional(),
  filter: queryString.optional(),
  sort: queryString.optional(),
  limit: queryInteger(0, LIMIT_MAX).optional(),
  count_only: queryBoolean.default(false),
  /** Seconds; 0 or absent: the system's default. */
  timeout: queryInteger(0, 2_147_483_647).optional(),
}

const ack = queryString.default('all')

/** The ids of deleted vertices may never be inserted again; an edge has no id, so it may. */
const permanent = queryBoolean.default(false)

const deleteQuery = {
  filter: readQuery.filter,
  sort: readQuery.sort,
  limit: readQuery.limit,
  timeout: readQuery.timeout,
  permanent,
}

const vertexErrors = [
  'GRAPH_NOT_FOUND',
  'VERTEX_TYPE_NOT_FOUND',
  'ATTRIBUTE_NOT_FOUND',
  'QUERY_TIMEOUT',
] as const
const edgeErrors = [...vertexErrors, 'EDGE_TYPE_NOT_FOUND', 'VERTEX_NOT_FOUND'] as const
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const

export const readVertex = endpoint({
  method: 'GET',
  path: '/restpp/graph/{graph}/vertices/{vertex_type}/{vertex_id}',
  at: 'any',
  summary: 'Read one vertex',
  params: z.object({ graph: name, vertex_type: name, vertex_id: id }),
  query: z.object(readQuery),
  response: z.array(vertexRow),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  byType: true,
  errors: [...vertexErrors, 'VERTEX_NOT_FOUND'],
})

const searched = {
  ...readQuery,
  vertex_type: queryString.optional(),
  /** The same. */
  type: queryString.optional(),
}

export const searchVertices = endpoint({
  method: ['GET', 'POST'],
  path: '/restpp/searchvertex/{graph}',
  at: 'any',
  summary: 'Vertices of a type by a filter, as the URL or the body says; 50 unless limited',
  params: z.object({ graph: name }),
  query: z.object(searched),
  body: z.object(searched).optional(),
  response: z.array(z.union([vertexRow, vertexCount])),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: vertexErrors,
})

export const listVertices = endpoint({
  method: 'GET',
  path: '/restpp/graph/{graph}/vertices/{vertex_type}',
  at: 'any',
  summary: 'List the vertices of a type, or count them',
  params: z.object({ graph: name, vertex_type: name }),
  /** Without `use_index` every vertex is looked at, as if no attribute had one. */
  query: z.object({ ...readQuery, use_index: queryBoolean.default(true) }),
  response: z.union([z.array(vertexRow), z.array(vertexCount)]),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  byType: true,
  errors: vertexErrors,
})

const deletedVertices = z.object({ v_type: z.string(), deleted_vertices: z.number() })

export const deleteVertex = endpoint({
  method: 'DELETE',
  path: '/restpp/graph/{graph}/vertices/{vertex_type}/{vertex_id}',
  at: 'writer',
  keyed: true,
  summary: 'Delete one vertex with its edges',
  params: z.object({ graph: name, vertex_type: name, vertex_id: id }),
  query: z.object({ timeout: readQuery.timeout, permanent }),
  response: deletedVertices,
  envelope: 'restpp',
  privilege: 'DELETE_DATA',
  byType: true,
  errors: [...vertexErrors, ...writeErrors],
})

export const deleteVertices = endpoint({
  method: 'DELETE',
  path: '/restpp/graph/{graph}/vertices/{vertex_type}',
  at: 'writer',
  keyed: true,
  summary: 'Delete the vertices that a filter finds, with their edges',
  params: z.object({ graph: name, vertex_type: name }),
  query: z.object({ ...deleteQuery, ack }),
  response: deletedVertices,
  envelope: 'restpp',
  privilege: 'DELETE_DATA',
  byType: true,
  errors: [...vertexErrors, ...writeErrors],
})

export const deleteVertexType = endpoint({
  method: 'DELETE',
  path: '/restpp/graph/{graph}/delete_by_type/vertices/{vertex_type}',
  at: 'writer',
  keyed: true,
  summary: 'Delete every vertex of a type, with their edges',
  params: z.object({ graph: name, vertex_type: name }),
  query: z.object({ ack, permanent }),
  response: deletedVertices,
  envelope: 'restpp',
  privilege: 'DELETE_DATA',
  byType: true,
  errors: [...vertexErrors, ...writeErrors],
})

const edgeSource = '/restpp/graph/{graph}/edges/{source_vertex_type}/{source_vertex_id}'

/** Each tail of the path goes one segment further than the one before. */
const edgePaths = [
  edgeSource,
  `${edgeSource}/{edge_type}`,
  `${edgeSource}/{edge_type}/{target_vertex_type}`,
  `${edgeSource}/{edge_type}/{target_vertex_type}/{target_vertex_id}`,
  `${edgeSource}/{edge_type}/{target_vertex_type}/{target_vertex_id}/{discriminator}`,
] as const

const edgeParams = z.object({
  graph: name,
  source_vertex_type: name,
  source_vertex_id: id,
  /** `_`: any, unless `not_wildcard`. */
  edge_type: name.optional(),
  target_vertex_type: name.optional(),
  target_vertex_id: id.optional(),
  /** Values joined by commas, a comma inside one written `\,`. */
  discriminator: z.string().optional(),
})

const notWildcard = queryBoolean.default(false)

export const listEdges = endpoint({
  method: 'GET',
  path: edgePaths,
  at: 'any',
  summary: 'List the edges of a vertex, or count them per edge type',
  params: edgeParams,
  query: z.object({ ...readQuery, not_wildcard: notWildcard }),
  response: z.union([z.array(edgeRow), z.array(edgeCount)]),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  byType: true,
  errors: edgeErrors,
})

export const deleteEdges = endpoint({
  method: 'DELETE',
  path: edgePaths,
  at: 'writer',
  keyed: true,
  summary: 'Delete edges of a vertex',
  params: edgeParams,
  query: z.object({ ...deleteQuery, not_wildcard: notWildcard }),
  response: z.array(z.object({ e_type: z.string(), deleted_edges: z.number() })),
  envelope: 'restpp',
  privilege: 'DELETE_DATA',
  byType: true,
  errors: [...edgeErrors, ...writeErrors],
})
