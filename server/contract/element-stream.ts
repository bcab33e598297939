/** Data of types as a file, made while it is read (the browser's bundle needs none of it). */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryList } from './parameters.ts'

export const streamElements = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/elements',
  at: 'any',
  summary: 'All elements of some types, one upsert payload a line; what loads them takes it again',
  params: z.object({ graph: name }),
  query: z.object({
    vertex_types: queryList.default([]),
    edge_types: queryList.default([]),
  }),
  response: z.string(),
  envelope: 'text',
  contentType: 'application/x-ndjson; charset=utf-8',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'EDGE_TYPE_NOT_FOUND'],
})
