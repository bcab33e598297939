/** Deleting data where one sees it, and writing back what was deleted. */
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { deleteEdges, deleteVertex } from '#contract/inspect.ts'
import { PAGE_LIMIT_MAX } from '#contract/quiver-data.ts'
import { upsertData } from '#contract/upsert.ts'
import { formatCount } from '#lib/format.ts'
import { findEdge } from '#lib/graph-schema/schema-model.ts'
import { bundleKey } from '../model/canvas-scene.ts'
import {
  DELETED_MAX,
  type Deletion,
  KEPT_EDGES_MAX,
  partOf,
  type Restoring,
  restoring,
} from '../model/deletion.ts'
import { totalDegree } from '../model/expansion.ts'
import { type DegreeRow, type Elements, parseVertexKey, type SceneEdge } from '../model/scene.ts'
import { degreesQuery, fetchNeighbours, parallelEdgesQuery, refreshVertices } from './explorer.ts'

const REQUESTS_AT_ONCE = 6

/** Reads what would go, as the database has it now. */
export async function readDeletion(
  client: QueryClient,
  graph: string,
  chosen: Elements,
): Promise<Deletion> {
  const count = chosen.vertices.length + chosen.edges.length
  if (count > DELETED_MAX)
    throw new Error(`At most ${formatCount(DELETED_MAX)} are deleted at once.`)
  const keys = chosen.vertices.map(({ key }) => key)
  const vertices = keys.length === 0 ? [] : (await refreshVertices(client, graph, keys)).vertices
  const going = new Set(keys)
  const apart = chosen.edges.filter(({ from, to }) => !going.has(from) && !going.has(to))
  const edges = await readEdges(client, graph, apart)
  const degrees = await each(vertices, async ({ key }) => {
    const rows = await client.fetchQuery({ ...degreesQuery(graph, key), staleTime: 0 })
    return rows.map((row) => ({ vertex: key, row }))
  })
  const kinds = degrees.flat()
  const deletion = {
    vertices,
    edges,
    hanging: [],
    hangingCount: totalDegree(kinds.map(({ row }) => row)),
  }
  if (deletion.hangingCount > KEPT_EDGES_MAX) {
    return { ...deletion, lasting: `more than ${formatCount(KEPT_EDGES_MAX)} edges go with it` }
  }
  const read = (await each(kinds, (kind) => readKind(graph, kind))).flat()
  const hanging = [...new Map(read.map((edge) => [edge.key, edge])).values()]
  const whole = { ...deletion, hanging, hangingCount: hanging.length, lasting: null }
  return { ...whole, lasting: await whyLasting(client, graph, whole) }
}

async function whyLasting(
  client: QueryClient,
  graph: string,
  deletion: Deletion,
): Promise<string | null> {
  const schema = await client.fetchQuery(graphSchemaQuery(graph))
  try {
    restoring(schema, deletion)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Edges as they are now; those that are there no more are left out. */
async function readEdges(
  client: QueryClient,
  graph: string,
  edges: readonly SceneEdge[],
): Promise<readonly SceneEdge[]> {
  const bundles = [...Map.groupBy(edges, bundleKey).values()]
  const found = await each(bundles, async (bundle) => {
    const wanted = new Set(bundle.map(({ key }) => key))
    const query = parallelEdgesQuery(graph, bundle[0] as SceneEdge)
    const all = await client.fetchQuery({ ...query, staleTime: 0 })
    return all.filter(({ key }) => wanted.has(key))
  })
  return found.flat()
}

interface Kind {
  readonly vertex: string
  readonly row: DegreeRow
}

async function readKind(graph: string, { vertex, row }: Kind): Promise<readonly SceneEdge[]> {
  const edges: SceneEdge[] = []
  let cursor: string | null = null
  do {
    const page = await fetchNeighbours(graph, { vertex, row, limit: PAGE_LIMIT_MAX, cursor })
    edges.push(...page.edges)
    cursor = page.nextCursor
  } while (cursor !== null)
  return edges
}

export interface Deleted {
  /** What is gone from the database. */
  readonly done: Deletion
  /** What stopped it before its end, or null. */
  readonly failure: unknown
}

/** One request for each element, a few at a time; the first that fails is the last. */
export async function deleteElements(
  client: QueryClient,
  graph: string,
  deletion: Deletion,
): Promise<Deleted> {
  const done = new Set<string>()
  let failure: unknown = null
  const attempt = async (key: string, work: () => Promise<unknown>) => {
    if (failure !== null) return
    try {
      await work()
      done.add(key)
    } catch (error) {
      failure ??= error
    }
  }
  await each(deletion.edges, (edge) => attempt(edge.key, () => deleteEdge(client, graph, edge)))
  await each(deletion.vertices, ({ key, type, id }) =>
    attempt(key, () => call(deleteVertex, { params: { graph, vertex_type: type, vertex_id: id } })),
  )
  await invalidateData(client)
  return { done: failure === null ? deletion : partOf(deletion, done), failure }
}

async function deleteEdge(client: QueryClient, graph: string, edge: SceneEdge): Promise<void> {
  const schema = await client.fetchQuery({ ...graphSchemaQuery(graph), staleTime: 60_000 })
  const type = findEdge(schema, edge.type)
  const [source, target] = [parseVertexKey(edge.from), parseVertexKey(edge.to)]
  // An empty discriminator has no place in a path: there it would mean all parallel edges.
  const isEmpty = edge.discriminator === '' && type?.discriminatorCount === 1
  await call(deleteEdges, {
    params: {
      graph,
      source_vertex_type: source.type,
      source_vertex_id: source.id,
      edge_type: edge.type,
      target_vertex_type: target.type,
      target_vertex_id: target.id,
      ...(edge.discriminator !== '' && { discriminator: edge.discriminator }),
    },
    ...(isEmpty && { query: { filter: `${type.attributes[0]?.name}=""` } }),
  })
}

/** Deletes again what was written back, unless it is something else by now. */
export async function deleteAgain(
  client: QueryClient,
  graph: string,
  before: Deletion,
): Promise<Deleted> {
  const schema = await client.fetchQuery(graphSchemaQuery(graph))
  const now = await readDeletion(client, graph, before)
  const [was, is] = [restoring(schema, before), restoring(schema, now)]
  if (was.vertices !== is.vertices || was.edges !== is.edges) {
    throw new Error('Somebody else changed it meanwhile. Nothing was deleted.')
  }
  return await deleteElements(client, graph, now)
}

/**
 * Writes back what was deleted. What somebody else has made again meanwhile stays as it is.
 *
 * @returns how many elements were left as they are
 */
export async function restoreElements(
  client: QueryClient,
  graph: string,
  deletion: Deletion,
): Promise<number> {
  const schema = await client.fetchQuery(graphSchemaQuery(graph))
  const payload: Restoring = restoring(schema, deletion)
  const edgeCount = deletion.edges.length + deletion.hanging.length
  const write = (body: string, query: Readonly<Record<string, boolean>>) =>
    call(upsertData, { params: { graph }, query, body: new TextEncoder().encode(body) })
  let skipped = 0
  if (deletion.vertices.length > 0) {
    const [counts] = await write(payload.vertices, { new_vertex_only: true })
    skipped += counts?.skipped_vertices ?? 0
  }
  if (edgeCount > 0) {
    const [counts] = await write(payload.edges, { vertex_must_exist: true })
    skipped += counts?.skipped_edges ?? 0
  }
  await invalidateData(client)
  return skipped
}

const invalidateData = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first !== 'schema' && first !== 'deletion',
  })

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += REQUESTS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + REQUESTS_AT_ONCE).map(work))))
  }
  return results
}
