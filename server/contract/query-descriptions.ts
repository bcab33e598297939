/** What people say of their queries: `/gsql/v1/description`. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryList, queryString } from './parameters.ts'

const path = ['/gsql/v1/description', '/gsqlserver/gsql/description'] as const

const parameterDescription = z.object({ paramName: z.string(), description: z.string() })

const described = z.object({
  queryName: z.string(),
  /** Absent when there is no text. */
  description: z.string().optional(),
  parameters: z.array(parameterDescription).readonly(),
})

export const readDescriptions = endpoint({
  method: 'GET',
  path,
  at: 'any',
  summary: 'Descriptions of queries and their parameters',
  query: z.object({ graph: queryString, query: queryList.optional() }),
  response: z.object({ queries: z.array(described) }),
  envelope: 'gsql',
  privilege: 'READ_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND'],
})

export const writeDescriptions = endpoint({
  method: 'PUT',
  path,
  at: 'writer',
  summary: 'Describe queries and their parameters',
  query: z.object({ graph: queryString }),
  body: z.object({
    queries: z.array(
      z.object({
        queryName: z.string(),
        description: z.string().optional(),
        parameters: z.array(parameterDescription).optional(),
      }),
    ),
  }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'UPDATE_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'QUERY_NOT_FOUND', 'STORE_READ_ONLY', 'STORE_FAILED'],
})

export const dropDescriptions = endpoint({
  method: 'DELETE',
  path,
  at: 'writer',
  summary: 'Forget descriptions; `query.*` and `query.parameter` name those of parameters',
  query: z.object({ graph: queryString }),
  body: z
    .object({
      queries: z.array(z.string()).optional(),
      queryParameters: z.array(z.string()).optional(),
    })
    .optional(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'UPDATE_QUERY',
  errors: ['GRAPH_NOT_FOUND', 'STORE_READ_ONLY', 'STORE_FAILED'],
})
