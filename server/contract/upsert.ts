/** Upserts. The body is read from its bytes: no schema could keep repeated keys. */
import { z } from 'zod'
import { bytesBody, endpoint } from './endpoint.ts'
import { name, queryBoolean, queryString } from './parameters.ts'

const flag = queryBoolean.default(false)

const vertexReference = z.object({ v_type: z.string(), v_id: z.string() })

export const upsertResult = z.object({
  accepted_vertices: z.number(),
  accepted_edges: z.number(),
  /** With `new_vertex_only` or `update_vertex_only`. */
  skipped_vertices: z.number().optional(),
  vertices_already_exist: z.array(vertexReference).readonly().optional(),
  vertices_not_exist: z.array(vertexReference).readonly().optional(),
  /** Ids that were deleted permanently: skipped, and counted in `skipped_…`. Only if there are any. */
  vertices_deleted_permanently: z.array(vertexReference).readonly().optional(),
  /** With any must-exist flag. */
  skipped_edges: z.number().optional(),
  edge_vertices_not_exist: z.array(vertexReference).readonly().optional(),
})

export const upsertData = endpoint({
  method: 'POST',
  path: '/restpp/graph/{graph}',
  at: 'writer',
  keyed: true,
  summary: 'Upsert: create or update vertices and edges',
  params: z.object({ graph: name }),
  query: z.object({
    /** `all`: durable and applied; `none`: validated and ordered. Decision 6. */
    ack: queryString.default('all'),
    new_vertex_only: flag,
    update_vertex_only: flag,
    vertex_must_exist: flag,
    source_vertex_must_exist: flag,
    target_vertex_must_exist: flag,
    /** Deprecated spelling of the header `gsql-atomic-level: atomic`. */
    atomic_post: flag,
  }),
  body: bytesBody,
  bodyFormat: 'bytes',
  bodySize: 'data',
  response: z.array(upsertResult),
  envelope: 'restpp',
  privilege: 'UPDATE_DATA',
  byType: true,
  errors: [
    'GRAPH_NOT_FOUND',
    'INVALID_PAYLOAD',
    'EDGE_ENDPOINT_MISSING',
    'MEMORY_LIMIT',
    'STORE_READ_ONLY',
    'STORE_FAILED',
    'DISK_FULL',
  ],
})
