/** A user's draft of a graph's schema as a document on the server. */
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { call } from '#api/client.ts'
import { readDocument, writeDocument } from '#contract/documents.ts'
import type { DatedDraft } from '../model/draft-storage.ts'

/** What the server keeps: its version, 0 when there is none, and the draft as it came. */
export interface RemoteDraft {
  readonly version: number
  readonly value: unknown
}

const place = (graph: string) => ({ kind: 'schema-draft', key: graph }) as const

/** Read anew each time the page opens: another browser may have written meanwhile. */
export const remoteDraftQuery = (graph: string) =>
  queryOptions({
    queryKey: ['schema-draft', graph],
    queryFn: async ({ signal }): Promise<RemoteDraft> => {
      const document = await call(readDocument, { params: place(graph), signal })
      return { version: document?.version ?? 0, value: document?.value ?? null }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/**
 * @param version what was read or written before; null overwrites whatever is there
 * @returns the new version
 */
export async function writeDraft(
  graph: string,
  saved: DatedDraft,
  version: number | null,
): Promise<number> {
  const query = version === null ? {} : { version }
  return (await call(writeDocument, { params: place(graph), query, body: saved })).version
}

/** Another window wrote the draft since. */
export function isDraftConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}
