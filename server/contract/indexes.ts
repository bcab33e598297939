/** `/gsql/v1/schema/indexes`. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryList, queryString } from './parameters.ts'
import { indexForms } from './schema-forms.ts'

const path = '/gsql/v1/schema/indexes'
const inGraph = z.object({ graph: graphQuery })
const indexView = z.object({ index: z.string(), attribute: z.string() })

export const listIndexes = endpoint({
  method: 'GET',
  path,
  at: 'any',
  summary: 'List secondary indexes: one object per vertex type that has any',
  query: inGraph,
  response: z.array(z.record(z.string(), z.array(indexView).readonly())).readonly(),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})

export const readIndex = endpoint({
  method: 'GET',
  path: `${path}/{index}`,
  at: 'any',
  summary: 'Read one secondary index',
  params: z.object({ index: name }),
  query: inGraph,
  response: indexView,
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND', 'INDEX_NOT_FOUND'],
})

export const createIndexes = endpoint({
  method: 'POST',
  path,
  at: 'writer',
  summary: 'Add secondary indexes to attributes of a vertex type',
  query: inGraph,
  body: z.object({ vertex: name, addIndexAttributes: indexForms }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: [
    'GRAPH_NOT_FOUND',
    'VERTEX_TYPE_NOT_FOUND',
    'ATTRIBUTE_NOT_FOUND',
    'NAME_TAKEN',
    'INVALID_NAME',
    'SCHEMA_RULE',
    'MEMORY_LIMIT',
    'STORE_READ_ONLY',
    'STORE_FAILED',
    'DISK_FULL',
  ],
})

export const dropIndexes = endpoint({
  method: 'DELETE',
  path: [path, `${path}/{index}`],
  at: 'writer',
  summary: 'Drop secondary indexes of a vertex type',
  params: z.object({ index: name.optional() }),
  query: inGraph.extend({ vertex: queryString.optional(), index: queryList.optional() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: [
    'GRAPH_NOT_FOUND',
    'VERTEX_TYPE_NOT_FOUND',
    'INDEX_NOT_FOUND',
    'STORE_READ_ONLY',
    'STORE_FAILED',
    'DISK_FULL',
  ],
})
