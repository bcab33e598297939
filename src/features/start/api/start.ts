/** Making a graph with its types in one step, from JSON or by a GSQL script. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { graphsKey, graphsQuery } from '#api/graphs.ts'
import { changeSchema, createGraph, dropGraphs } from '#contract/schema.ts'
import { runStatements } from '#contract/statements.ts'
import type { SchemaJson } from '#lib/graph-schema/wire-form.ts'

type ChangeBody = NonNullable<NonNullable<Parameters<typeof call<typeof changeSchema>>[1]>['body']>

const refresh = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: schemaKeys.all }),
    client.invalidateQueries({ queryKey: graphsKey }),
  ])

interface NewGraph {
  readonly graph: string
  readonly schema: SchemaJson
}

/** All or nothing: a graph whose types are refused is taken back. */
export function useMakeGraph() {
  const client = useQueryClient()
  return useMutation({
    meta: activity(({ graph }: NewGraph) => `Create the graph ${graph}`),
    mutationFn: async ({ graph, schema }: NewGraph) => {
      await call(createGraph, {
        query: { graphName: graph },
        body: { VertexTypes: [], EdgeTypes: [] },
      })
      // A type of a new graph is its own unless it says otherwise.
      const local = <T extends object>(type: T) => ({ IsLocal: true, ...type })
      const change = {
        addVertexTypes: schema.VertexTypes.map(local),
        addEdgeTypes: schema.EdgeTypes.map(local),
      }
      try {
        await call(changeSchema, { query: { graph }, body: change as unknown as ChangeBody })
      } catch (error) {
        await call(dropGraphs, { params: { graph }, query: {} })
        throw error
      }
    },
    onSettled: () => refresh(client),
  })
}

interface ScriptOutcome {
  /** What the server printed. */
  readonly output: string
  /** Graphs that were not there before. */
  readonly made: readonly string[]
}

export function useRunScript() {
  const client = useQueryClient()
  return useMutation({
    meta: activity(() => 'Run a GSQL script'),
    mutationFn: async (script: string): Promise<ScriptOutcome> => {
      const read = () => client.fetchQuery({ ...graphsQuery, staleTime: 0 })
      const before = new Set((await read()).map(({ name }) => name))
      const output = await call(runStatements, { query: {}, body: script })
      const made = (await read()).map(({ name }) => name).filter((name) => !before.has(name))
      return { output, made }
    },
    onSettled: () => refresh(client),
  })
}
