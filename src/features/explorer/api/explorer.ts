/** What the explorer asks of the server; every request carries a limit. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { listEdges } from '#contract/inspect.ts'
import {
  browseVertices,
  findSimilar,
  MULTI_GET_MAX,
  planVertices,
  readCounts,
  readDegrees,
  readEdges,
  readNeighbours,
  readVertices,
} from '#contract/quiver-data.ts'
import { findVertex } from '#lib/graph-schema/schema-model.ts'
import { bundleKey } from '../model/canvas-scene.ts'
import {
  EXPAND_SIZE_BYTES_MAX,
  type ExpandRequest,
  type NeighbourPage,
} from '../model/expansion.ts'
import {
  type DegreeRow,
  type Elements,
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

/**
 * Attributes are taken as they came: where an answer is compared with the one before it, the cache
 * makes an object anew and loses the key `__proto__`, which a map may have.
 */
export const asItCame = { structuralSharing: false } as const

export interface PageOptions {
  readonly filter?: string
  /** An attribute, `-` before it: descending; empty: the server's own order. */
  readonly sort?: string
  readonly sizeBytesMax?: number
  readonly signal?: AbortSignal
}

/** A page for the canvas. */
export const fetchExpansion = (graph: string, request: ExpandRequest): Promise<NeighbourPage> =>
  fetchNeighbours(graph, request, { sizeBytesMax: EXPAND_SIZE_BYTES_MAX })

export async function fetchNeighbours(
  graph: string,
  { vertex, row, limit, cursor }: ExpandRequest,
  { filter = '', sort = '', sizeBytesMax, signal }: PageOptions = {},
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
      ...(sort !== '' && { sort }),
      ...(sizeBytesMax !== undefined && { size: sizeBytesMax }),
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
  /** The index that was gone by; null: none, or none was needed. */
  readonly index: string | null
}

/** Results of a search at once; the next come on demand. */
export const SEARCH_RESULTS_MAX = 50

interface SearchOptions {
  /** An attribute, `-` before it: descending; empty: as they were made. Of ids asked for there is no other. */
  readonly sort?: string
  readonly cursor?: string | null
  readonly limit?: number
  readonly signal?: AbortSignal
}

export async function findVertices(
  graph: string,
  request: SearchRequest,
  { cursor: from = null, limit = SEARCH_RESULTS_MAX, sort = '', signal }: SearchOptions = {},
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
      return { vertices: vertices.map(toVertex), missing: unknown, cursor: null, index: null }
    }
    case 'type':
    case 'filter': {
      const filter = request.kind === 'filter' ? { filter: request.filter } : {}
      const { vertices, cursor, index } = await call(browseVertices, {
        params: { graph, type: request.type },
        query: {
          limit,
          ...filter,
          ...(sort !== '' && { sort }),
          ...(from !== null && { cursor: from }),
        },
        signal,
      })
      return { vertices: vertices.map(toVertex), missing: [], cursor, index }
    }
    default:
      return { vertices: [], missing: [], cursor: null, index: null }
  }
}

/** Asked before a condition is searched for: what that would look at. */
export const searchPlanQuery = (graph: string, type: string, filter: string) =>
  queryOptions({
    queryKey: ['explorer', graph, 'plan', type, filter],
    queryFn: ({ signal }) =>
      call(planVertices, { params: { graph, type }, query: { filter }, signal }),
    staleTime: 0,
  })

/** Ids that resemble one that is not there. */
export const similarQuery = (graph: string, id: string, type: string | null) =>
  queryOptions({
    queryKey: ['explorer', graph, 'similar', id, type],
    queryFn: async ({ signal }) => {
      const query = { id, ...(type !== null && { type }) }
      const { vertices, complete } = await call(findSimilar, { params: { graph }, query, signal })
      return { vertices: vertices.map(toVertex), complete }
    },
    ...asItCame,
    staleTime: 0,
  })

export interface Refreshed extends Elements {
  readonly missing: readonly string[]
}

/** Reads vertices that a restored scene knows by id only; those of a type that is no more are missing. */
export async function refreshVertices(
  client: QueryClient,
  graph: string,
  keys: readonly VertexKey[],
): Promise<Refreshed> {
  try {
    return await readVertexKeys(graph, keys)
  } catch (error) {
    const schema = await client.fetchQuery({ ...graphSchemaQuery(graph), staleTime: 0 })
    const isKnown = (key: VertexKey) => findVertex(schema, parseVertexKey(key).type) !== undefined
    const unknown = keys.filter((key) => !isKnown(key))
    if (unknown.length === 0) throw error
    const read = await readVertexKeys(graph, keys.filter(isKnown))
    return { ...read, missing: [...read.missing, ...unknown] }
  }
}

async function readVertexKeys(graph: string, keys: readonly VertexKey[]): Promise<Refreshed> {
  const found: SceneVertex[] = []
  for (const part of partsOf(keys)) {
    const ids = part.map(parseVertexKey)
    const { vertices } = await call(readVertices, { params: { graph }, body: { ids } })
    found.push(...vertices.map(toVertex))
  }
  return { vertices: found, edges: [], missing: missingOf(keys, found) }
}

/** Reads edges that a restored scene knows by their ends only. */
export async function refreshEdges(graph: string, edges: readonly SceneEdge[]): Promise<Refreshed> {
  const bundles = new Map(edges.map((edge) => [bundleKey(edge), edge]))
  const found: SceneEdge[] = []
  for (const part of partsOf([...bundles.values()])) {
    const pairs = part.map(({ type, from, to }) => {
      const [source, target] = [parseVertexKey(from), parseVertexKey(to)]
      return {
        type,
        ...{ from_type: source.type, from_id: source.id, to_type: target.type, to_id: target.id },
      }
    })
    const rows = await call(readEdges, { params: { graph }, body: { pairs } })
    found.push(...rows.edges.map((row) => toEdge(row, row.directed ? 'out' : 'undirected')))
  }
  const keys = edges.map(({ key }) => key)
  return { vertices: [], edges: found, missing: missingOf(keys, found) }
}

function missingOf(keys: readonly string[], found: readonly { readonly key: string }[]): string[] {
  const known = new Set(found.map(({ key }) => key))
  return keys.filter((key) => !known.has(key))
}

/** As many as one call takes. */
function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += MULTI_GET_MAX) {
    yield items.slice(start, start + MULTI_GET_MAX)
  }
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
    ...asItCame,
  })
}

/** One page of the list of neighbours; a page is forgotten soon, so that long lists stay small. */
export const neighbourPageQuery = (
  graph: string,
  request: ExpandRequest,
  wanted: Pick<PageOptions, 'filter' | 'sort'>,
) =>
  queryOptions({
    queryKey: ['explorer', graph, 'page', request, wanted],
    queryFn: ({ signal }) => fetchNeighbours(graph, request, { ...wanted, signal }),
    gcTime: 10_000,
    staleTime: 10_000,
    ...asItCame,
  })
