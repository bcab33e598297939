/** What the explorer asks of the server; every request carries a limit. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import {
  listVertices,
  readCounts,
  readDegrees,
  readNeighbours,
  readVertices,
} from '#contract/quiver-data.ts'
import type { ExpandRequest, NeighbourPage } from '../model/expansion.ts'
import { type DegreeRow, parseVertexKey, type SceneVertex, type VertexKey } from '../model/scene.ts'
import type { SearchRequest } from '../model/search.ts'
import { toDegree, toPage, toVertex } from '../model/wire-rows.ts'

export const explorerKeys = {
  counts: (graph: string) => ['explorer', graph, 'counts'] as const,
  degrees: (graph: string, key: VertexKey) => ['explorer', graph, 'degrees', key] as const,
}

export const countsQuery = (graph: string) =>
  queryOptions({
    queryKey: explorerKeys.counts(graph),
    queryFn: ({ signal }) => call(readCounts, { params: { graph }, signal }),
  })

export const degreesQuery = (graph: string, key: VertexKey) =>
  queryOptions({
    queryKey: explorerKeys.degrees(graph, key),
    queryFn: async ({ signal }): Promise<readonly DegreeRow[]> => {
      const rows = await call(readDegrees, { params: { graph, ...parseVertexKey(key) }, signal })
      return rows.map(toDegree).sort((a, b) => b.count - a.count)
    },
  })

export async function fetchNeighbours(
  graph: string,
  { vertex, row, limit, cursor }: ExpandRequest,
): Promise<NeighbourPage> {
  const answer = await call(readNeighbours, {
    params: { graph, ...parseVertexKey(vertex) },
    query: {
      edge_type: row.edgeType,
      direction: row.direction,
      target_type: row.targetType,
      limit,
      ...(cursor !== null && { cursor }),
    },
  })
  return toPage(answer, row.direction)
}

/** A random sample of one kind of neighbour; a sample has no next page. */
export async function fetchSample(
  graph: string,
  { vertex, row, limit }: ExpandRequest,
  seed: number,
): Promise<NeighbourPage> {
  const answer = await call(readNeighbours, {
    params: { graph, ...parseVertexKey(vertex) },
    query: {
      edge_type: row.edgeType,
      direction: row.direction,
      target_type: row.targetType,
      sample: limit,
      seed,
    },
  })
  return toPage(answer, row.direction)
}

export interface Found {
  readonly vertices: readonly SceneVertex[]
  /** Ids that no vertex has. */
  readonly missing: readonly string[]
  /** True when the search was cut at its limit. */
  readonly more: boolean
}

export const SEARCH_RESULTS_MAX = 50

export async function findVertices(
  graph: string,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<Found> {
  switch (request.kind) {
    case 'ids': {
      const ids = request.ids.map((id) =>
        request.type === null ? { id } : { id, type: request.type },
      )
      const { vertices, missing } = await call(readVertices, {
        params: { graph },
        body: { ids },
        signal,
      })
      const unknown = missing.map(({ id }) => id)
      return { vertices: vertices.map(toVertex), missing: unknown, more: false }
    }
    case 'type':
    case 'filter': {
      const filter = request.kind === 'filter' ? { filter: request.filter } : {}
      const { vertices, cursor } = await call(listVertices, {
        params: { graph, type: request.type },
        query: { limit: SEARCH_RESULTS_MAX, ...filter },
        signal,
      })
      return { vertices: vertices.map(toVertex), missing: [], more: cursor !== null }
    }
    default:
      return { vertices: [], missing: [], more: false }
  }
}

/** Reads attributes of vertices that a restored scene knows by id only. */
export async function refreshVertices(
  graph: string,
  keys: readonly VertexKey[],
): Promise<readonly SceneVertex[]> {
  const { vertices } = await call(readVertices, {
    params: { graph },
    body: { ids: keys.map(parseVertexKey) },
  })
  return vertices.map(toVertex)
}
