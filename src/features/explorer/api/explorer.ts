/** What the explorer asks of the server; every request carries a limit. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { listEdges } from '#contract/inspect.ts'
import {
  listVertices,
  MULTI_GET_MAX,
  readCounts,
  readDegrees,
  readNeighbours,
  readVertices,
} from '#contract/quiver-data.ts'
import type { ExpandRequest, NeighbourPage } from '../model/expansion.ts'
import {
  type DegreeRow,
  parseVertexKey,
  type SceneEdge,
  type SceneVertex,
  type VertexKey,
} from '../model/scene.ts'
import type { SearchRequest } from '../model/search.ts'
import { toDegree, toEdge, toPage, toVertex } from '../model/wire-rows.ts'

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
  { filter = '', signal }: { readonly filter?: string; readonly signal?: AbortSignal } = {},
): Promise<NeighbourPage> {
  const answer = await call(readNeighbours, {
    params: { graph, ...parseVertexKey(vertex) },
    query: {
      edge_type: row.edgeType,
      direction: row.direction,
      target_type: row.targetType,
      limit,
      ...(cursor !== null && { cursor }),
      ...(filter !== '' && { filter }),
    },
    signal,
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
  /** Where the next page starts; null when this was all. */
  readonly cursor: string | null
}

/** Results of a search at once; the next come on demand. */
export const SEARCH_RESULTS_MAX = 50

interface SearchOptions {
  readonly cursor?: string | null
  readonly limit?: number
  readonly signal?: AbortSignal
}

export async function findVertices(
  graph: string,
  request: SearchRequest,
  { cursor: from = null, limit = SEARCH_RESULTS_MAX, signal }: SearchOptions = {},
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
      return { vertices: vertices.map(toVertex), missing: unknown, cursor: null }
    }
    case 'type':
    case 'filter': {
      const filter = request.kind === 'filter' ? { filter: request.filter } : {}
      const { vertices, cursor } = await call(listVertices, {
        params: { graph, type: request.type },
        query: { limit, ...filter, ...(from !== null && { cursor: from }) },
        signal,
      })
      return { vertices: vertices.map(toVertex), missing: [], cursor }
    }
    default:
      return { vertices: [], missing: [], cursor: null }
  }
}

export interface Refreshed {
  readonly vertices: readonly SceneVertex[]
  readonly missing: readonly VertexKey[]
}

/** Reads attributes of vertices that a restored scene knows by id only. */
export async function refreshVertices(
  graph: string,
  keys: readonly VertexKey[],
): Promise<Refreshed> {
  const found: SceneVertex[] = []
  for (let start = 0; start < keys.length; start += MULTI_GET_MAX) {
    const ids = keys.slice(start, start + MULTI_GET_MAX).map(parseVertexKey)
    const { vertices } = await call(readVertices, { params: { graph }, body: { ids } })
    found.push(...vertices.map(toVertex))
  }
  const known = new Set(found.map(({ key }) => key))
  return { vertices: found, missing: keys.filter((key) => !known.has(key)) }
}

/** All edges of one type between two vertices: what a restored scene does not know of its edges. */
export const parallelEdgesQuery = (graph: string, { type, from, to, directed }: SceneEdge) => {
  const source = parseVertexKey(from)
  const target = parseVertexKey(to)
  return queryOptions({
    queryKey: ['explorer', graph, 'edges', type, from, to],
    queryFn: async ({ signal }): Promise<readonly SceneEdge[]> => {
      const rows = await call(listEdges, {
        params: {
          graph,
          source_vertex_type: source.type,
          source_vertex_id: source.id,
          edge_type: type,
          target_vertex_type: target.type,
          target_vertex_id: target.id,
        },
        signal,
      })
      const direction = directed ? 'out' : 'undirected'
      return rows.flatMap((row) => ('from_id' in row ? [toEdge(row, direction)] : []))
    },
  })
}

/** One page of the list of neighbours; a page is forgotten soon, so that long lists stay small. */
export const neighbourPageQuery = (graph: string, request: ExpandRequest, filter: string) =>
  queryOptions({
    queryKey: ['explorer', graph, 'page', request, filter],
    queryFn: ({ signal }) => fetchNeighbours(graph, request, { filter, signal }),
    gcTime: 10_000,
    staleTime: 10_000,
    structuralSharing: false,
  })
