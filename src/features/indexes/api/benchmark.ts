/** Reads for a benchmark: one value to start from, then the same count with and without the index. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, callWhole } from '#api/client.ts'
import { readIndexFacts } from '#contract/index-usage.ts'
import { listVertices } from '#contract/inspect.ts'
import { runBenchmark } from '../model/benchmark.ts'
import type { IndexRow } from '../model/indexes.ts'
import { indexKeys } from './indexes.ts'

const pathOf = (graph: string, row: IndexRow) => ({ graph, vertex_type: row.vertexType })

/** The value of the first vertex; none: empty. */
export const sampleValueQuery = (graph: string, row: IndexRow) =>
  queryOptions({
    queryKey: ['indexes', 'sample', graph, row.vertexType, row.attribute],
    queryFn: async ({ signal }): Promise<string> => {
      const query = { select: row.attribute, limit: 1 }
      const [first] = await call(listVertices, { params: pathOf(graph, row), query, signal })
      const value = first !== undefined && 'attributes' in first && first.attributes[row.attribute]
      return String(value === false || value === undefined ? '' : value)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export function useBenchmark(graph: string, row: IndexRow) {
  const client = useQueryClient()
  const controller = useRef<AbortController | null>(null)
  const { mutate, ...benchmark } = useMutation({
    mutationFn: async (filter: string) => {
      const stopper = new AbortController()
      controller.current = stopper
      const { signal } = stopper
      const read = async (useIndex: boolean) => {
        const query = { filter, count_only: true, use_index: useIndex }
        const options = { params: pathOf(graph, row), query, signal }
        const { data, durationMs } = await callWhole(listVertices, options)
        const [answer] = data
        return { count: answer !== undefined && 'count' in answer ? answer.count : 0, durationMs }
      }
      // The first look-up of a large table only begins to build its index.
      await read(true)
      while (!(await isReady(graph, row, signal))) await new Promise((go) => setTimeout(go, 200))
      return runBenchmark(read)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: indexKeys.ofGraph(graph) }),
  })
  return { ...benchmark, run: mutate, stop: () => controller.current?.abort() }
}

async function isReady(graph: string, row: IndexRow, signal: AbortSignal): Promise<boolean> {
  const { indexes } = await call(readIndexFacts, { query: { graph }, signal })
  const facts = indexes.find((one) => one.vertex === row.vertexType && one.index === row.name)
  return facts?.state !== 'building'
}
