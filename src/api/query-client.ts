import { QueryClient } from '@tanstack/react-query'
import { ACTIVITY_KEPT_MS } from './activity.ts'
import { ApiError } from './api-error.ts'

const RETRY_DELAY_MS_MAX = 15_000

/**
 * Reads are retried only when no answer came or the server said "later", with growing pauses, so
 * that a server that is down for half a minute meets at most one try a second per view.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < 2 && isTransient(error),
        retryDelay: (failures) => Math.min(RETRY_DELAY_MS_MAX, 1_000 * 2 ** failures),
        networkMode: 'always',
      },
      // The activity tray tells of them for a while.
      mutations: { retry: false, networkMode: 'always', gcTime: ACTIVITY_KEPT_MS },
    },
  })
}

const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && [0, 429, 502, 503, 504].includes(error.status)
