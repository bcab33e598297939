/** Listing, creating and dropping secondary indexes. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { schemaKeys } from '#api/graph-schema.ts'
import { polled } from '#api/polling.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { readIndexFacts, readIndexUsage } from '#contract/index-usage.ts'
import { createIndexes, dropIndexes, listIndexes } from '#contract/indexes.ts'
import { readCounts } from '#contract/quiver-data.ts'
import { type IndexRow, rowKey } from '../model/indexes.ts'

export const indexKeys = { ofGraph: (graph: string) => ['indexes', graph] as const }

export const indexesQuery = (graph: string) =>
  queryOptions({
    queryKey: indexKeys.ofGraph(graph),
    queryFn: ({ signal }) => call(listIndexes, { query: { graph }, signal }),
  })

type UsageAnswer = ResultOf<typeof readIndexUsage>
export type IndexUsage = UsageAnswer['indexes'][number]

export interface GraphIndexUsage extends Pick<UsageAnswer, 'since' | 'missed'> {
  /** By the key of its row. */
  readonly ofIndex: ReadonlyMap<string, IndexUsage>
}

const USAGE_REFETCH_MS = 5_000

/** What each index is good for, which are missed, and since when the server counts. */
export const indexUsageQuery = (graph: string) =>
  queryOptions({
    queryKey: [...indexKeys.ofGraph(graph), 'usage'],
    queryFn: async ({ signal }): Promise<GraphIndexUsage> => {
      const { indexes, ...counted } = await call(readIndexUsage, { query: { graph }, signal })
      const keyed = indexes.map(
        (usage) => [rowKey({ vertexType: usage.vertex, name: usage.index }), usage] as const,
      )
      return { ...counted, ofIndex: new Map(keyed) }
    },
    ...polled(USAGE_REFETCH_MS),
  })

export type IndexFacts = ResultOf<typeof readIndexFacts>['indexes'][number]

/** The server walks through each index for it. */
const FACTS_REFETCH_MS = 60_000
/** While somebody may wait for one. */
const BUILDING_REFETCH_MS = 2_000

/** What each index takes and tells apart, by the key of its row. */
export const indexFactsQuery = (graph: string) =>
  queryOptions({
    queryKey: [...indexKeys.ofGraph(graph), 'facts'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, IndexFacts>> => {
      const { indexes: all } = await call(readIndexFacts, { query: { graph }, signal })
      return new Map(
        all.map((facts) => [rowKey({ vertexType: facts.vertex, name: facts.index }), facts]),
      )
    },
    retry: false,
    refetchInterval: (query) => {
      const isBuilding = [...(query.state.data?.values() ?? [])].some(
        ({ state }) => state === 'building',
      )
      return polled(isBuilding ? BUILDING_REFETCH_MS : FACTS_REFETCH_MS).refetchInterval(query)
    },
  })

/** Live vertices per type: what an index covers, and what building one reads. */
export const vertexCountsQuery = (graph: string) =>
  queryOptions({
    queryKey: ['counts', 'vertices', graph],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const { vertices } = await call(readCounts, { params: { graph }, signal })
      return new Map(vertices.map(({ type, count }) => [type, count]))
    },
  })

export function useCreateIndex(graph: string) {
  const client = useQueryClient()
  return useMutation({
    meta: activity(({ name }: Omit<IndexRow, 'attributeType'>) => `Build the index ${name}`),
    mutationFn: ({ name, vertexType, attribute }: Omit<IndexRow, 'attributeType'>) =>
      call(createIndexes, {
        query: { graph },
        body: {
          vertex: vertexType,
          addIndexAttributes: [{ indexName: name, attributeName: attribute }],
        },
      }),
    onSuccess: () => refresh(client, graph),
  })
}

export function useDropIndex(graph: string) {
  const client = useQueryClient()
  return useMutation({
    meta: activity(({ name }: IndexRow) => `Drop the index ${name}`),
    mutationFn: ({ name, vertexType }: IndexRow) =>
      call(dropIndexes, { params: { index: name }, query: { graph, vertex: vertexType } }),
    onSuccess: () => refresh(client, graph),
  })
}

/** An index is a part of the schema, too. */
function refresh(client: QueryClient, graph: string): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: indexKeys.ofGraph(graph) }),
    client.invalidateQueries({ queryKey: schemaKeys.ofGraph(graph) }),
  ])
}
