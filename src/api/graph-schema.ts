/** One graph's schema, as every page reads it. */
import { queryOptions } from '@tanstack/react-query'
import { readGraph } from '#contract/schema.ts'
import { listTuples } from '#contract/tuples.ts'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import { call } from './client.ts'

export const schemaKeys = {
  all: ['schema'] as const,
  ofGraph: (graph: string) => ['schema', 'graph', graph] as const,
  tuples: ['schema', 'tuples'] as const,
}

/** One graph's schema as the console's model; the same object while nothing changed. */
export const graphSchemaQuery = (graph: string) =>
  queryOptions({
    queryKey: schemaKeys.ofGraph(graph),
    queryFn: async ({ signal }) => {
      const answer = await call(readGraph, { params: { graph }, signal })
      if (!('GraphName' in answer)) throw new Error(`The schema of ${graph} came in another form.`)
      return readSchema(answer)
    },
  })

/** Names of user-defined tuples, which attributes may have as types. */
export const tupleNamesQuery = queryOptions({
  queryKey: schemaKeys.tuples,
  queryFn: async ({ signal }) => (await call(listTuples, { signal })).map(({ name }) => name),
})
