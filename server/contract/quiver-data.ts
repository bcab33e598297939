/**
 * Our own reads of the graph, beyond the given interface: stable cursors, the degree summary of a
 * vertex, one page of its neighbours with their attributes, many vertices or edges at once, live counts.
 *
 * A cursor is opaque and stable: following it to the end meets every element that existed all the
 * time exactly once, whatever is written meanwhile.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryInteger, queryString } from './parameters.ts'

const id = z.string().min(1)

/** An id's attributes by name, as the vertex and edge reads print them. */
const attributes = z.record(z.string(), z.unknown())

export const vertexRow = z.object({ v_id: z.string(), v_type: z.string(), attributes })

export const edgeRow = z.object({
  e_type: z.string(),
  directed: z.boolean(),
  from_id: z.string(),
  from_type: z.string(),
  to_id: z.string(),
  to_type: z.string(),
  discriminator: z.string().optional(),
  attributes,
})

/** `in` reaches directed edges from their TO end, whether or not a reverse type is declared. */
export const direction = z.enum(['out', 'in', 'undirected'])

export const degreeRow = z.object({
  edge_type: z.string(),
  direction,
  target_type: z.string(),
  count: z.number(),
})

export const PAGE_LIMIT_DEFAULT = 50
export const PAGE_LIMIT_MAX = 1_000
const NEIGHBOURS_SIZE_BYTES_MAX = 32 * 2 ** 20

const page = {
  limit: queryInteger(1, PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  /** As the page before gave it; absent: from the start. */
  cursor: queryString.optional(),
  filter: queryString.optional(),
}

const vertexErrors = ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'VERTEX_NOT_FOUND'] as const

export const readDegrees = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/vertices/{type}/{id}/degrees',
  at: 'any',
  summary: 'How many edges a vertex has, per edge type, direction and target type; zeros left out',
  params: z.object({ graph: name, type: name, id }),
  response: z.array(degreeRow),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: vertexErrors,
})

export const readNeighbours = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/vertices/{type}/{id}/neighbours',
  at: 'any',
  summary: 'One page of a vertex’s edges of one kind, with the vertices at their other ends',
  params: z.object({ graph: name, type: name, id }),
  query: z.object({
    ...page,
    edge_type: queryString,
    direction,
    target_type: queryString,
    /**
     * One attribute of the edge, or else of the vertex at the other end, its id too; `-` before it:
     * descending. Absent: as the other ends were made. The first 256 bytes of a text count.
     */
    sort: queryString.optional(),
    /** A page of more bytes is cut at an edge, with a cursor; one edge is always shown. */
    size: queryInteger(1, NEIGHBOURS_SIZE_BYTES_MAX).optional(),
    /** A random sample of so many edges instead of a page; `seed` makes it repeatable. */
    sample: queryInteger(1, PAGE_LIMIT_MAX).optional(),
    seed: queryInteger(0, 0xffff_ffff).optional(),
  }),
  response: z.object({
    /** The vertex of the URL is the `from` side of every row. */
    edges: z.array(edgeRow),
    /** Each vertex at the other end once. */
    vertices: z.array(vertexRow),
    cursor: z.string().nullable(),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: [...vertexErrors, 'EDGE_TYPE_NOT_FOUND', 'ATTRIBUTE_NOT_FOUND', 'INVALID_PARAMETER'],
})

export const browseVertices = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/vertices/{type}',
  at: 'any',
  summary: 'One page of the vertices of a type, in a stable order',
  params: z.object({ graph: name, type: name }),
  query: z.object({
    ...page,
    select: queryString.optional(),
    /**
     * One attribute, or the id by its name; `-` before it: descending. Absent: as they were made. The
     * first 256 bytes of a text count.
     */
    sort: queryString.optional(),
  }),
  response: z.object({
    vertices: z.array(vertexRow),
    cursor: z.string().nullable(),
    /** The secondary index that proposed the rows; null: they were looked at one by one. */
    index: z.string().nullable(),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'ATTRIBUTE_NOT_FOUND', 'INVALID_PARAMETER'],
})

export const planVertices = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/vertices/{type}/plan',
  at: 'any',
  summary: 'What a listing with a filter would look at; nothing is read',
  params: z.object({ graph: name, type: name }),
  query: z.object({ filter: queryString }),
  response: z.object({
    /** Null: every row is looked at until the page is full. */
    index: z.string().nullable(),
    /** At most so many rows are looked at. */
    rows: z.number(),
    /** Attributes of the filter by each of which an index would help, where none does. */
    unindexed: z.array(z.string()),
    /** Indexes of the filter that are not ready yet, as those of large types are built after their creation. */
    pending: z.array(z.string()),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'ATTRIBUTE_NOT_FOUND', 'INVALID_PARAMETER'],
})

export const SIMILAR_LIMIT_MAX = 20

export const findSimilar = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/similar',
  at: 'any',
  summary: 'Vertices whose ids resemble one that no vertex has, the likeliest first',
  params: z.object({ graph: name }),
  query: z.object({
    id: queryString,
    /** Absent: all types. An id that another type has is told in any case. */
    type: queryString.optional(),
    limit: queryInteger(1, SIMILAR_LIMIT_MAX).default(5),
  }),
  response: z.object({
    vertices: z.array(vertexRow),
    /** False: there are more vertices than one request looks at. */
    complete: z.boolean(),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND'],
})

export const MULTI_GET_MAX = 1_000

export const readVertices = endpoint({
  method: 'POST',
  path: '/quiver/v1/graphs/{graph}/vertices',
  at: 'any',
  summary: 'Many vertices by id in one call; an entry without a type is looked for in all types',
  params: z.object({ graph: name }),
  body: z.object({
    ids: z.array(z.object({ type: name.optional(), id })).max(MULTI_GET_MAX),
  }),
  bodySize: 'ids',
  response: z.object({
    vertices: z.array(vertexRow),
    missing: z.array(z.object({ type: z.string().optional(), id: z.string() })),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND'],
})

export const readEdges = endpoint({
  method: 'POST',
  path: '/quiver/v1/graphs/{graph}/edges',
  at: 'any',
  summary: 'Edges between many pairs of vertices in one call; what is not there has no rows',
  params: z.object({ graph: name }),
  body: z.object({
    /** All edges of the type between the two, whatever their discriminators. */
    pairs: z
      .array(z.object({ type: name, from_type: name, from_id: id, to_type: name, to_id: id }))
      .max(MULTI_GET_MAX),
  }),
  bodySize: 'ids',
  response: z.object({ edges: z.array(edgeRow) }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND'],
})

export const readCounts = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/counts',
  at: 'any',
  summary: 'Live vertices and edges per type; undirected edges once, reverse names left out',
  params: z.object({ graph: name }),
  response: z.object({
    vertices: z.array(z.object({ type: z.string(), count: z.number() })),
    edges: z.array(z.object({ type: z.string(), count: z.number() })),
  }),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND'],
})
