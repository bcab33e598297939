/** What the server keeps about queries for their user: earlier runs, folders and tags. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/client.ts'
import { readDocument, writeDocument } from '#contract/documents.ts'
import { type Folders, foldersOf, moved } from '../model/folders.ts'
import { type PastRun, runsOf, withRun } from '../model/run-history.ts'
import { type Tags, tagged, tagsOf } from '../model/tags.ts'

/** Another window wrote in between: read again, and change that. */
const WRITES_TRIED_MAX = 4

interface Place {
  readonly kind: 'query-runs' | 'query-folders' | 'query-tags'
  readonly key: string
}

/** The graph's name has no slash, so the first one ends it. */
const runsPlace = (graph: string, name: string): Place => ({
  kind: 'query-runs',
  key: `${graph}/${name}`,
})

const foldersPlace = (graph: string): Place => ({ kind: 'query-folders', key: graph })

const tagsPlace = (graph: string): Place => ({ kind: 'query-tags', key: graph })

const keyOf = ({ kind, key }: Place) => ['queries', kind, key] as const

export const runHistoryQuery = (graph: string, name: string) => {
  const place = runsPlace(graph, name)
  return queryOptions({
    queryKey: keyOf(place),
    queryFn: async ({ signal }) =>
      runsOf((await call(readDocument, { params: place, signal }))?.value),
    staleTime: 0,
  })
}

export const foldersQuery = (graph: string) => {
  const place = foldersPlace(graph)
  return queryOptions({
    queryKey: keyOf(place),
    queryFn: async ({ signal }) =>
      foldersOf((await call(readDocument, { params: place, signal }))?.value),
    structuralSharing: false,
  })
}

export const tagsQuery = (graph: string) => {
  const place = tagsPlace(graph)
  return queryOptions({
    queryKey: keyOf(place),
    queryFn: async ({ signal }) =>
      tagsOf((await call(readDocument, { params: place, signal }))?.value),
    structuralSharing: false,
  })
}

/** @param words none: it has no tags any more */
export async function tagQuery(
  client: QueryClient,
  query: { readonly graph: string; readonly name: string },
  words: readonly string[],
): Promise<void> {
  const place = tagsPlace(query.graph)
  let tags: Tags = new Map()
  await change(place, (value) => {
    tags = tagged(tagsOf(value), query.name, words)
    return [...tags]
  })
  client.setQueryData(keyOf(place), tags)
}

/** Shown at once, also where the server cannot keep it. */
export async function noteRun(
  client: QueryClient,
  query: { readonly graph: string; readonly name: string },
  run: PastRun,
): Promise<void> {
  const place = runsPlace(query.graph, query.name)
  client.setQueryData(keyOf(place), (runs: readonly PastRun[] = []) => withRun(runs, run))
  const kept = await change(place, (value) => withRun(runsOf(value), run))
  client.setQueryData(keyOf(place), kept)
}

/** @param folder empty: out of its folder */
export async function fileQuery(
  client: QueryClient,
  query: { readonly graph: string; readonly name: string },
  folder: string,
): Promise<void> {
  const place = foldersPlace(query.graph)
  let folders: Folders = new Map()
  await change(place, (value) => {
    folders = moved(foldersOf(value), query.name, folder)
    return [...folders]
  })
  client.setQueryData(keyOf(place), folders)
}

async function change<T>(params: Place, next: (value: unknown) => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    const before = await call(readDocument, { params })
    const body = next(before?.value)
    try {
      await call(writeDocument, { params, query: { version: before?.version ?? 0 }, body })
      return body
    } catch (error) {
      const isLate = error instanceof ApiError && error.code === 'DOCUMENT_CONFLICT'
      if (!isLate || tries === WRITES_TRIED_MAX) throw error
    }
  }
}
