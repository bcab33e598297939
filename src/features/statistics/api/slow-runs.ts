/** Runs that took long, as the server remembers them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { polled } from '#api/polling.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { listSlowRuns, readSlowRun } from '#contract/query-plans.ts'

export type SlowRun = ResultOf<typeof listSlowRuns>['runs'][number]
export type SlowRunDetails = ResultOf<typeof readSlowRun>

const REFETCH_SECONDS_MIN = 5

export const slowRunsQuery = (graph: string, pollSeconds: number) =>
  queryOptions({
    queryKey: ['slow-runs', graph],
    queryFn: ({ signal }) => call(listSlowRuns, { query: { graph }, signal }),
    ...polled(Math.max(REFETCH_SECONDS_MIN, pollSeconds) * 1_000),
    placeholderData: keepPreviousData,
  })

/** It is over: nothing of it changes. */
export const slowRunQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['slow-run', requestId],
    queryFn: ({ signal }) => call(readSlowRun, { params: { request_id: requestId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
