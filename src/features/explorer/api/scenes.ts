/** Scenes that the server keeps for their user, by graph and name. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { sessionQuery } from '#api/session.ts'
import {
  deleteDocument,
  listDocuments,
  readDocument,
  readSharedScene,
  writeDocument,
} from '#contract/documents.ts'

const KIND = 'scene'

/** The graph's name has no slash, so the first one ends it. */
const keyOf = (graph: string, name: string) => `${graph}/${name}`

export interface KeptScene {
  readonly name: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

export const sceneKeys = { ofGraph: (graph: string) => ['explorer', graph, 'scenes'] as const }

export const scenesQuery = (graph: string) =>
  queryOptions({
    queryKey: sceneKeys.ofGraph(graph),
    queryFn: async ({ signal }): Promise<readonly KeptScene[]> => {
      const documents = await call(listDocuments, { params: { kind: KIND }, signal })
      const prefix = keyOf(graph, '')
      return documents
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, updatedAt }) => ({ name: key.slice(prefix.length), updatedAt }))
        .sort((one, other) => other.updatedAt - one.updatedAt)
    },
  })

export async function keepScene(graph: string, name: string, scene: string): Promise<void> {
  const params = { kind: KIND, key: keyOf(graph, name) } as const
  await call(writeDocument, { params, body: JSON.parse(scene) })
}

/** Its text; null: it is there no more. */
export async function readScene(graph: string, name: string): Promise<string | null> {
  const params = { kind: KIND, key: keyOf(graph, name) } as const
  const document = await call(readDocument, { params })
  return document === null ? null : JSON.stringify(document.value)
}

export async function dropScene(graph: string, name: string): Promise<void> {
  await call(deleteDocument, { params: { kind: KIND, key: keyOf(graph, name) } })
}

/** Links that hold; the oldest go, for the server keeps no more than some 500. */
const SHARED_MAX = 400

/** Keeps a scene for whoever follows a link and may read the graph; answers with its name there. */
export async function shareScene(
  client: QueryClient,
  graph: string,
  scene: string,
): Promise<string> {
  const { user } = await client.fetchQuery(sessionQuery)
  const id = Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join('')
  const params = { kind: 'shared-scene', key: keyOf(graph, id) } as const
  const kept = await call(listDocuments, { params: { kind: 'shared-scene' } })
  const newest = kept.toSorted((one, other) => other.updatedAt - one.updatedAt)
  for (const { key } of newest.slice(SHARED_MAX - 1)) {
    await call(deleteDocument, { params: { kind: 'shared-scene', key } })
  }
  await call(writeDocument, { params, body: JSON.parse(scene) })
  return `${user}/${id}`
}

/** Its text; null: it is there no more. */
export async function fetchSharedScene(graph: string, name: string): Promise<string | null> {
  const [user = '', id = ''] = name.split('/')
  const document = await call(readSharedScene, { params: { graph, user, id } })
  return document === null ? null : JSON.stringify(document.value)
}
