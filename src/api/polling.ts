import { isRefused } from './api-error.ts'

/**
 * Views that look again and again. Their next look is the retry, so a failed one is not repeated
 * at once, and while nothing answers they look less often: a server that is down for half a minute
 * meets about one request a second from all of a page, and is found again within a few seconds.
 *
 * A refusal ends it until somebody asks again: the server writes each into its audit log.
 */
const FAILED_INTERVAL_MS = 5_000

interface PolledQuery {
  readonly state: {
    readonly status: 'pending' | 'error' | 'success'
    readonly error?: unknown
  }
}

export function polled(intervalMs: number) {
  return {
    retry: false,
    refetchInterval: ({ state }: PolledQuery): number | false => {
      if (isRefused(state.error)) return false
      return state.status === 'error' ? Math.max(intervalMs, FAILED_INTERVAL_MS) : intervalMs
    },
  } as const
}
