/** `/gsql/v1/udt/tuples` and `/gsql/v1/udt/accum`. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryList, queryString } from './parameters.ts'
import { tupleView } from './schema-forms.ts'

const path = '/gsql/v1/udt/tuples'

const tupleElement = z
  .object({
    name,
    AttributeType: z.union([z.string(), z.object({ Name: z.string() })]).optional(),
    type: z.string().optional(),
    length: z.number().int().optional(),
  })
  .transform(({ name: fieldName, AttributeType, type, length }) => {
    const declared = typeof AttributeType === 'object' ? AttributeType.Name : AttributeType
    return { name: fieldName, type: declared ?? type ?? '', length }
  })

export const listTuples = endpoint({
  method: 'GET',
  path: [path, `${path}/{tuple}`, '/gsqlserver/gsql/udtlist'],
  at: 'any',
  summary: 'List user-defined tuples, or one of them',
  params: z.object({ tuple: name.optional() }),
  query: z.object({ graph: graphQuery }),
  response: z.array(tupleView).readonly(),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: ['TUPLE_NOT_FOUND'],
})

export const createTuples = endpoint({
  method: 'POST',
  path,
  at: 'writer',
  summary: 'Create user-defined tuples',
  query: z.object({ gsql: queryBoolean.optional() }),
  body: z.object({
    tuples: z.array(z.object({ Name: name, TupleElements: z.array(tupleElement) })).optional(),
    gsql: z.string().optional(),
  }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: ['NAME_TAKEN', 'INVALID_NAME', 'SCHEMA_RULE', 'STORE_READ_ONLY', 'STORE_FAILED'],
})

export const dropTuples = endpoint({
  method: 'DELETE',
  path: [path, `${path}/{tuple}`],
  at: 'writer',
  summary: 'Drop user-defined tuples that no type uses',
  params: z.object({ tuple: name.optional() }),
  query: z.object({ tupleName: queryList.optional() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: ['TUPLE_NOT_FOUND', 'SCHEMA_RULE', 'STORE_READ_ONLY', 'STORE_FAILED'],
})

const accumPath = '/gsql/v1/udt/accum'
const accumParams = z.object({ accum: name.optional() })
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const

export const listAccums = endpoint({
  method: 'GET',
  path: [accumPath, `${accumPath}/{accum}`],
  at: 'any',
  summary: 'List the accumulator types of the catalogue, or one of them: their texts by name',
  params: accumParams,
  query: z.object({ accumName: queryString.optional() }),
  response: z.array(z.record(z.string(), z.string())),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: ['TUPLE_NOT_FOUND'],
})

export const createAccum = endpoint({
  method: 'POST',
  path: accumPath,
  at: 'writer',
  summary: 'Create an accumulator type that queries may declare, return and nest',
  body: z.object({ AccumString: z.string() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: ['NAME_TAKEN', 'INVALID_NAME', 'QUERY_INVALID', 'QUERY_RUNTIME', ...writeErrors],
})

export const dropAccums = endpoint({
  method: 'DELETE',
  path: [accumPath, `${accumPath}/{accum}`],
  at: 'writer',
  summary: 'Drop accumulator types; queries that name them are disabled',
  params: accumParams,
  query: z.object({ accumName: queryList.optional() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: ['TUPLE_NOT_FOUND', 'SCHEMA_RULE', ...writeErrors],
})
