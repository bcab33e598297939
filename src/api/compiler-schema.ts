/** What the compiler knows of a graph besides a text: its types, and the queries that may be called. */
import { queryOptions } from '@tanstack/react-query'
import type { CompilerSchema } from '#compiler/compiler.worker.ts'
import { readQueryInfo } from '#contract/queries.ts'
import { readGraph } from '#contract/schema.ts'
import { listAccums, listTuples } from '#contract/tuples.ts'
import { call } from './client.ts'

export const infoQuery = (graph: string) =>
  queryOptions({
    queryKey: ['queries', graph, 'info'],
    queryFn: ({ signal }) => call(readQueryInfo, { query: { graph }, signal }),
  })

/** The schema in the server's own form, which the compiler reads. */
export const compilerSchemaQuery = (graph: string) =>
  queryOptions({
    queryKey: ['queries', graph, 'schema'],
    queryFn: async ({ signal }): Promise<CompilerSchema> => {
      const [schema, tuples, accums] = await Promise.all([
        call(readGraph, { params: { graph }, signal }),
        call(listTuples, { signal }),
        call(listAccums, { signal }),
      ])
      if (!('GraphName' in schema)) throw new Error(`The schema of ${graph} came in another form.`)
      const { VertexTypes: vertexTypes, EdgeTypes: edgeTypes } = schema
      return { graph, vertexTypes, edgeTypes, tuples, accums: Object.assign({}, ...accums) }
    },
  })
