/** Schema-change jobs and the calls about the whole schema. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryList, queryString } from './parameters.ts'
import { schemaChangeForm } from './schema-forms.ts'

const path = '/gsql/v1/schema/jobs'
const params = z.object({ job: name })
const inGraph = z.object({ graph: graphQuery })
const readErrors = ['GRAPH_NOT_FOUND', 'REQUEST_NOT_FOUND'] as const
const writeErrors = [...readErrors, 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const
const changeErrors = [
  'NAME_TAKEN',
  'INVALID_NAME',
  'SCHEMA_RULE',
  'VERTEX_TYPE_NOT_FOUND',
  'EDGE_TYPE_NOT_FOUND',
  'ATTRIBUTE_NOT_FOUND',
  'INDEX_NOT_FOUND',
] as const

export const listSchemaJobs = endpoint({
  method: 'GET',
  path,
  at: 'any',
  summary: 'Schema-change jobs of a graph, or global ones: their texts, or json=true their parts',
  query: inGraph.extend({ json: queryBoolean.default(false) }),
  response: z.array(z.record(z.string(), z.unknown())),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: readErrors,
})

export const readSchemaJob = endpoint({
  method: 'GET',
  path: `${path}/{job}`,
  at: 'any',
  summary: 'One schema-change job',
  params,
  query: inGraph.extend({ json: queryBoolean.default(false) }),
  response: z.record(z.string(), z.unknown()),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: readErrors,
})

export const createSchemaJob = endpoint({
  method: 'POST',
  path: `${path}/{job}`,
  at: 'writer',
  summary: 'Create a schema-change job; without a body run the one there is',
  params,
  query: inGraph.extend({ type: queryString.optional(), gsql: queryBoolean.optional() }),
  body: schemaChangeForm.extend({ gsql: z.string().optional() }).optional(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: [...writeErrors, ...changeErrors],
})

export const runSchemaJob = endpoint({
  method: 'PUT',
  path: `${path}/{job}`,
  at: 'writer',
  summary: 'Run a schema-change job: all of it or nothing',
  params,
  query: inGraph,
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: [...writeErrors, ...changeErrors],
})

export const dropSchemaJobs = endpoint({
  method: 'DELETE',
  path,
  at: 'writer',
  summary: 'Drop schema-change jobs',
  query: inGraph.extend({ jobName: queryList.optional() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: writeErrors,
})

export const checkSchema = endpoint({
  method: 'POST',
  path: '/gsql/v1/schema/check',
  at: 'any',
  summary: 'Check that everything the schema refers to is there',
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['SCHEMA_RULE'],
})

export const recoverSchema = endpoint({
  method: 'POST',
  path: '/gsql/v1/schema/recover',
  at: 'writer',
  summary: 'The catalogue is recovered at each start, or the server does not start: nothing to do',
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: [],
})
