/** The graphs of the server by name, with the names of their types. */
import { queryOptions } from '@tanstack/react-query'
import { listGraphs } from '#contract/schema.ts'
import { call } from './client.ts'

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
