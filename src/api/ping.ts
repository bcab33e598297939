/** The round trip of the smallest request, in milliseconds. Any answer counts, an error, too. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ping } from '#contract/diagnosis.ts'
import { ApiError, isUnreachable } from './api-error.ts'
import { call } from './client.ts'
import { polled } from './polling.ts'

const PING_INTERVAL_MS = 5_000

export const pingQuery = queryOptions({
  queryKey: ['ping'],
  queryFn: async ({ signal }) => {
    const start = performance.now()
    try {
      await call(ping, { ofAnyAge: true, signal })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error
    }
    return performance.now() - start
  },
  ...polled(PING_INTERVAL_MS),
})

/** The server is back: what is on screen and met no answer is asked for again. */
export const askAgain = (client: QueryClient): Promise<void> =>
  client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) })
