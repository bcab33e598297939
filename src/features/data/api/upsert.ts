/** Upserts from the console: one payload text, its options, and what became of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#api/api-error.ts'
import { callWhole } from '#api/client.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { upsertData } from '#contract/upsert.ts'
import { RefusedError, type SendResult } from '../model/loader.ts'
import { requestOptions, type UpsertOptions } from '../model/upsert-options.ts'

export type UpsertCounts = ResultOf<typeof upsertData>[number]

export interface UpsertOutcome {
  readonly counts: UpsertCounts
  /** Vertices that edges brought along. */
  readonly createdEndpoints: number
  readonly durationMs: number
}

interface UpsertRequest {
  readonly graph: string
  readonly payload: string
  readonly options: UpsertOptions
  readonly signal?: AbortSignal
}

const encoder = new TextEncoder()

export async function upsert(request: UpsertRequest): Promise<UpsertOutcome> {
  const { graph, payload, options, signal } = request
  const { query, headers } = requestOptions(options)
  const answer = await callWhole(upsertData, {
    params: { graph },
    query,
    headers,
    body: encoder.encode(payload),
    signal,
  })
  const [counts] = answer.data
  if (counts === undefined) throw new Error('The server answered without counts.')
  const createdEndpoints = Number(answer.headers.get('x-quiver-created-endpoints'))
  return { counts, createdEndpoints, durationMs: answer.durationMs }
}

/** For the loader: tells a payload at fault from a way that is broken. */
export async function sendBatch(request: UpsertRequest): Promise<SendResult> {
  try {
    const { counts, createdEndpoints } = await upsert(request)
    return {
      acceptedVertices: counts.accepted_vertices,
      acceptedEdges: counts.accepted_edges,
      createdEndpoints,
      skipped: (counts.skipped_vertices ?? 0) + (counts.skipped_edges ?? 0),
    }
  } catch (error) {
    const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 200)
    throw isRefused ? new RefusedError(error.message, { cause: error }) : error
  }
}

export function useUpsert(graph: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (request: { readonly payload: string; readonly options: UpsertOptions }) =>
      upsert({ graph, ...request }),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'schema' }),
  })
}
