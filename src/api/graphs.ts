/** The graphs of the server by name, with the names of their types. */
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { call } from './client.ts'

const listGraphs = endpoint({
  method: 'GET',
  path: '/gsql/v1/schema/graphs',
  summary: 'The graphs with the names of their types',
  response: z.object({
    graphs: z.array(
      z.object({
        graphName: z.string(),
        vertices: z.array(z.string()),
        edges: z.array(z.string()),
      }),
    ),
  }),
  envelope: 'gsql-top',
  privilege: 'READ_SCHEMA',
  errors: [],
})

export interface GraphSummary {
  readonly name: string
  readonly vertexTypes: readonly string[]
  /** Names of reverse edges included. */
  readonly edgeTypes: readonly string[]
}

export const graphsKey = ['graphs'] as const

export const graphsQuery = queryOptions({
  queryKey: graphsKey,
  queryFn: async ({ signal }): Promise<readonly GraphSummary[]> => {
    const { graphs } = await call(listGraphs, { signal })
    return graphs.map(({ graphName, vertices, edges }) => ({
      name: graphName,
      vertexTypes: vertices,
      edgeTypes: edges,
    }))
  },
  staleTime: 10_000,
})
