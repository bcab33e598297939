/** Changing attributes where one sees them, unless somebody else changed them meanwhile. */
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { upsertData } from '#contract/upsert.ts'
import { type AttributeWrite, conflicts, writePayload } from '../model/attribute-write.ts'
import type { SceneEdge, SceneVertex } from '../model/scene.ts'
import { parallelEdgesQuery, refreshVertices } from './explorer.ts'

type Attributes = Readonly<Record<string, unknown>>

/**
 * Reads the element anew, writes when it is as the writer saw it, and answers with its attributes
 * as the server has them then. Between the look and the write there is a moment, no lock.
 */
export async function writeAttributes(
  client: QueryClient,
  graph: string,
  write: AttributeWrite,
): Promise<Attributes> {
  const schema = await client.fetchQuery(graphSchemaQuery(graph))
  const changed = conflicts(write, await readAttributes(client, graph, write.element))
  if (changed.length > 0) {
    const words = changed.map(([name, text]) => `${name} is “${text}” now`).join(', ')
    throw new Error(`Somebody else changed it meanwhile: ${words}. Nothing was written.`)
  }
  const [counts] = await call(upsertData, {
    params: { graph },
    query: { update_vertex_only: true, vertex_must_exist: true },
    body: new TextEncoder().encode(writePayload(schema, write)),
  })
  if (counts === undefined || counts.accepted_vertices + counts.accepted_edges === 0) {
    throw new Error('The server accepted nothing: the element is gone.')
  }
  await client.invalidateQueries({ queryKey: ['explorer', graph] })
  return await readAttributes(client, graph, write.element)
}

async function readAttributes(
  client: QueryClient,
  graph: string,
  element: SceneVertex | SceneEdge,
): Promise<Attributes> {
  const [found] =
    'id' in element
      ? (await refreshVertices(client, graph, [element.key])).vertices
      : (await client.fetchQuery({ ...parallelEdgesQuery(graph, element), staleTime: 0 })).filter(
          ({ key }) => key === element.key,
        )
  const attributes = found?.attributes ?? null
  if (attributes === null) throw new Error('The database has it no more.')
  return attributes
}
