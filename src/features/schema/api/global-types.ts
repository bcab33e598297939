/** Global types, which graphs share, and tuple types, which attributes may have. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { listEdgeTypes, listVertexTypes } from '#contract/schema.ts'
import { createTuples, dropTuples, listTuples } from '#contract/tuples.ts'
import { readSchema } from '#lib/graph-schema/wire-form.ts'
import type { TupleField } from '../model/tuples.ts'

/** The global types of the server, in the graph or not, as one schema. */
export const globalTypesQuery = queryOptions({
  queryKey: [...schemaKeys.all, 'global'],
  queryFn: async ({ signal }) => {
    const [VertexTypes, EdgeTypes] = await Promise.all([
      call(listVertexTypes, { signal }),
      call(listEdgeTypes, { signal }),
    ])
    return readSchema({ VertexTypes, EdgeTypes })
  },
})

export const tuplesQuery = queryOptions({
  queryKey: [...schemaKeys.all, 'tuple-definitions'],
  queryFn: ({ signal }) => call(listTuples, { signal }),
})

export interface NewTuple {
  readonly name: string
  readonly fields: readonly TupleField[]
}

export function useCreateTuple() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, fields }: NewTuple) =>
      call(createTuples, {
        body: {
          tuples: [
            {
              Name: name,
              TupleElements: fields.map(({ name: field, type }) => ({
                name: field,
                AttributeType: type,
              })),
            },
          ],
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: schemaKeys.all }),
  })
}

export function useDropTuple() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (tuple: string) => call(dropTuples, { params: { tuple } }),
    onSuccess: () => client.invalidateQueries({ queryKey: schemaKeys.all }),
  })
}
