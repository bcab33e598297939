/** A new edge type, made where its rows are about to be loaded. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { graphsKey } from '#api/graphs.ts'
import { changeSchema } from '#contract/schema.ts'
import type { EdgeTypeJson } from '#lib/graph-schema/wire-form.ts'

type ChangeBody = NonNullable<NonNullable<Parameters<typeof call<typeof changeSchema>>[1]>['body']>

/** Settles when the schema with the type has been read. */
export function useMakeEdgeType(graph: string) {
  const client = useQueryClient()
  return useMutation({
    meta: activity(({ Name }: EdgeTypeJson) => `Create the edge type ${Name}`),
    mutationFn: async (type: EdgeTypeJson) => {
      const change = { addEdgeTypes: [type] }
      await call(changeSchema, { query: { graph }, body: change as unknown as ChangeBody })
      await Promise.all([
        client.invalidateQueries({ queryKey: schemaKeys.all }),
        client.invalidateQueries({ queryKey: graphsKey }),
      ])
    },
  })
}
