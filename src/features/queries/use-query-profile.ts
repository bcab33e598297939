/**
 * Profiles of a query's text, kept beside the page as runs are: who looks elsewhere meanwhile finds
 * it still going on, or its result. A profile tells of the text and parameters it was made with.
 */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { type PlannedText, profile } from './api/plans.ts'
import { queryKeys } from './api/queries.ts'
import type { Explanation } from './model/plan.ts'
import { RUN_TIMEOUT_SECONDS } from './use-query-run.ts'

const KEPT_MS = 120_000

interface ProfileVariables {
  readonly planned: PlannedText
  /** Aborted: the run is stopped. */
  readonly stop: AbortController
}

export interface QueryProfile {
  readonly status: 'idle' | 'pending' | 'success' | 'error' | 'stopped'
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** What was, or is being, run. */
  readonly planned: PlannedText | undefined
  readonly explanation: Explanation | undefined
  readonly error: unknown
}

export function useQueryProfile(graph: string, name: string) {
  const client = useQueryClient()
  const mutationKey = queryKeys.profile(graph, name)
  const { mutate } = useMutation({
    mutationKey,
    gcTime: KEPT_MS,
    mutationFn: ({ planned, stop }: ProfileVariables) =>
      profile({ graph, planned, timeoutSeconds: RUN_TIMEOUT_SECONDS, signal: stop.signal }),
  })
  const latest = useMutationState({
    filters: { mutationKey, exact: true },
    select: ({ state }) => state,
  }).at(-1)
  const variables = latest?.variables as ProfileVariables | undefined
  const stop = variables?.stop
  const isStopped = latest?.status === 'error' && stop?.signal.aborted === true
  const current: QueryProfile = {
    status: isStopped ? 'stopped' : (latest?.status ?? 'idle'),
    startedAt: latest?.submittedAt ?? 0,
    planned: variables?.planned,
    explanation: latest?.data as Explanation | undefined,
    error: latest?.error ?? null,
  }
  return {
    profile: current,
    start: (planned: PlannedText) => {
      const cache = client.getMutationCache()
      for (const older of cache.findAll({ mutationKey, exact: true })) cache.remove(older)
      mutate({ planned, stop: new AbortController() })
    },
    stop: () => stop?.abort(),
  }
}
