/** The servers that share this one's store. A server with a store of its own is asked once. */
import { queryOptions } from '@tanstack/react-query'
import type { ResultOf } from '#contract/endpoint.ts'
import { readInstances } from '#contract/instances.ts'
import { call } from './client.ts'
import { polled } from './polling.ts'

export type Instances = ResultOf<typeof readInstances>
export type Instance = Instances['instances'][number]

const INTERVAL_MS = 2_000

const polling = polled(INTERVAL_MS)

export const instancesQuery = queryOptions({
  queryKey: ['instances'],
  queryFn: ({ signal }) => call(readInstances, { ofAnyAge: true, signal }),
  ...polling,
  // Without an answer it is not known that there is more than this server.
  refetchInterval: ({ state }) =>
    state.data === undefined || state.data.role === 'alone'
      ? false
      : polling.refetchInterval({ state }),
  staleTime: ({ state }) =>
    state.data?.role === 'alone' ? Number.POSITIVE_INFINITY : INTERVAL_MS / 2,
})
