/** The designer's own calls: what a change would do, doing it, making a graph. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { graphsKey } from '#api/graphs.ts'
import { changeSchema, createGraph, readSchemaImpact } from '#contract/schema.ts'
import type { SchemaChangeJson } from '../model/change-request.ts'

/** The body as callers of the contract pass it: mutable arrays, the same shape. */
type ChangeBody = Parameters<typeof call<typeof changeSchema>>[1] extends infer O
  ? NonNullable<O> extends { body?: infer B }
    ? B
    : never
  : never

const bodyOf = (request: SchemaChangeJson) => request as unknown as NonNullable<ChangeBody>

export const impactQuery = (graph: string, request: SchemaChangeJson) =>
  queryOptions({
    queryKey: [...schemaKeys.ofGraph(graph), 'impact', request],
    queryFn: ({ signal }) =>
      call(readSchemaImpact, { query: { graph }, body: bodyOf(request), signal }),
    staleTime: 0,
  })

/** Names of types show in the shell, too. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: schemaKeys.all }),
    client.invalidateQueries({ queryKey: graphsKey }),
  ])
}

export function usePublish(graph: string) {
  const client = useQueryClient()
  return useMutation({
    meta: activity(() => `Publish the schema of ${graph}`),
    mutationFn: (request: SchemaChangeJson) =>
      call(changeSchema, { query: { graph }, body: bodyOf(request) }),
    onSuccess: () => refresh(client),
  })
}

export function useCreateGraph() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, withGlobalTypes }: { name: string; withGlobalTypes: boolean }) => {
      const types = withGlobalTypes ? ['*'] : []
      return call(createGraph, {
        query: { graphName: name },
        body: { VertexTypes: types, EdgeTypes: types },
      })
    },
    onSuccess: () => refresh(client),
  })
}
