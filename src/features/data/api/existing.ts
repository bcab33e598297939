/** What the database has of a payload's elements, in at most three requests. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { MULTI_GET_MAX, readEdges, readVertices } from '#contract/quiver-data.ts'
import {
  type Existing,
  edgeNameKey,
  type PayloadElement,
  vertexNameKey,
} from '../model/payload-effects.ts'

export const existingQuery = (graph: string, elements: readonly PayloadElement[]) =>
  queryOptions({
    queryKey: ['data', graph, 'existing', elements],
    queryFn: ({ signal }) => readExisting(graph, elements, signal),
    staleTime: 0,
    gcTime: 0,
  })

async function readExisting(
  graph: string,
  elements: readonly PayloadElement[],
  signal: AbortSignal,
): Promise<Existing> {
  const params = { graph }
  const all = elements.flatMap(({ ends }) => ends)
  const ids = [...new Map(all.map((end) => [vertexNameKey(end), end])).values()]
  const pairs = elements.flatMap(({ type, ends: [from, to] }) =>
    from === undefined || to === undefined
      ? []
      : { type, from_type: from.type, from_id: from.id, to_type: to.type, to_id: to.id },
  )
  const read = (from: number) =>
    from >= ids.length
      ? { vertices: [] }
      : call(readVertices, { params, body: { ids: ids.slice(from, from + MULTI_GET_MAX) }, signal })
  const [{ vertices: first }, { vertices: second }, { edges }] = await Promise.all([
    read(0),
    read(MULTI_GET_MAX),
    pairs.length === 0 ? { edges: [] } : call(readEdges, { params, body: { pairs }, signal }),
  ])
  const byPair = new Map<string, Readonly<Record<string, unknown>>[]>()
  const note = (key: string, row: Readonly<Record<string, unknown>>) =>
    byPair.set(key, [...(byPair.get(key) ?? []), row])
  for (const edge of edges) {
    const from = { type: edge.from_type, id: edge.from_id }
    const to = { type: edge.to_type, id: edge.to_id }
    note(edgeNameKey(edge.e_type, [from, to]), edge.attributes)
    if (!edge.directed) note(edgeNameKey(edge.e_type, [to, from]), edge.attributes)
  }
  const names = [...first, ...second].map(({ v_type, v_id }) =>
    vertexNameKey({ type: v_type, id: v_id }),
  )
  return { vertices: new Set(names), edges: byPair }
}
