/** Plans of query texts, and what the steps of a run have cost. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { explainQuery, profileQuery } from '#contract/query-plans.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import type { Explanation } from '../model/plan.ts'
import { queryKeys } from './queries.ts'

export interface PlannedText {
  readonly text: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export const planQuery = (graph: string, planned: PlannedText) => {
  const body = stringifyLossless(planned)
  return queryOptions({
    queryKey: [...queryKeys.ofGraph(graph), 'plan', body],
    queryFn: ({ signal }): Promise<Explanation> =>
      call(explainQuery, { query: { graph }, body, signal }),
    // Its estimates are counts of this moment.
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
    enabled: planned.text.trim() !== '',
  })
}

export interface ProfileRequest {
  readonly graph: string
  readonly planned: PlannedText
  readonly timeoutSeconds: number
  /** Aborted: the server ends the run. */
  readonly signal: AbortSignal
}

export function profile(request: ProfileRequest): Promise<Explanation> {
  const { graph, planned, timeoutSeconds, signal } = request
  return call(profileQuery, {
    query: { graph },
    body: stringifyLossless(planned),
    headers: { 'GSQL-TIMEOUT': String(timeoutSeconds * 1000) },
    signal,
  })
}
