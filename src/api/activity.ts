/**
 * What the server was asked to do, for the tray in the top bar: a mutation that says so in its
 * `meta`, and any other work that is handed in as a promise.
 *
 * ```ts
 * useMutation({ mutationFn, meta: activity(({ graph }: Options) => `Rebuild of ${graph}`) })
 * ```
 */
import { type QueryClient, useMutationState } from '@tanstack/react-query'

/** So long the tray remembers. */
export const ACTIVITY_KEPT_MS = 30 * 60_000

export interface Activity {
  readonly id: number
  readonly label: string
  readonly state: 'running' | 'done' | 'failed'
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly error: unknown
}

type Describe = (variables: unknown) => string

export function activity<V>(describe: (variables: V) => string) {
  return { activity: describe as Describe } as const
}

/** Work that is no mutation: it shows as running until the promise settles, which is returned. */
export function trackActivity<T>(client: QueryClient, label: string, work: Promise<T>): Promise<T> {
  const mutation = client.getMutationCache().build(client, {
    mutationFn: () => work,
    meta: activity(() => label),
  })
  return mutation.execute(undefined)
}

/** The newest first. */
export function useActivities(): readonly Activity[] {
  return useMutationState({
    filters: { predicate: ({ meta }) => meta?.['activity'] !== undefined },
    select: ({ mutationId, meta, state }): Activity => ({
      id: mutationId,
      label: labelOf(meta, state.variables),
      state: stateOf(state.status),
      startedAt: state.submittedAt,
      error: state.error,
    }),
  })
    .filter(({ startedAt }) => startedAt > 0)
    .sort((a, b) => b.startedAt - a.startedAt)
}

function labelOf(meta: Readonly<Record<string, unknown>> | undefined, variables: unknown): string {
  const describe = meta?.['activity'] as Describe | undefined
  return describe?.(variables) ?? ''
}

function stateOf(status: 'idle' | 'pending' | 'success' | 'error'): Activity['state'] {
  if (status === 'error') return 'failed'
  return status === 'success' ? 'done' : 'running'
}
