/** A rebuild: started by hand from more than one page, and looked at while it goes on. */
import {
  queryOptions,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { readMaintenanceProgress, rebuildNow } from '#contract/system.ts'
import { activity } from './activity.ts'
import { call, callWhole } from './client.ts'
import { polled } from './polling.ts'

interface RebuildOptions {
  readonly graph: string
  readonly threads?: number | undefined
  readonly vertexType?: string | undefined
  readonly force?: boolean
}

/** The mutation key lets a page that is opened again find a run that still goes on. */
const rebuildKey = ['maintenance', 'rebuild'] as const

/** Queries about maintenance begin with it. */
export const maintenanceKey = ['maintenance'] as const

export function useRebuild() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: rebuildKey,
    meta: activity(({ graph }: RebuildOptions) => `Rebuild ${graph}`),
    mutationFn: ({ graph, threads, vertexType, force = false }: RebuildOptions) =>
      callWhole(rebuildNow, {
        params: { graph },
        query: {
          ...(threads === undefined ? {} : { threadnum: threads }),
          ...(vertexType === undefined ? {} : { vertextype: vertexType }),
          force,
        },
        method: 'POST',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: maintenanceKey }),
  })
}

const IDLE_INTERVAL_MS = 10_000
const RUNNING_INTERVAL_MS = 500

const progressQuery = (isAsked: boolean) =>
  queryOptions({
    queryKey: [...maintenanceKey, 'progress'],
    queryFn: ({ signal }) => call(readMaintenanceProgress, { signal }),
    retry: false,
    refetchInterval: (query) => {
      const isRunning = isAsked || query.state.data?.rebuild != null
      return polled(isRunning ? RUNNING_INTERVAL_MS : IDLE_INTERVAL_MS).refetchInterval(query)
    },
  })

/** @returns whether this console asked for one, and how far that of the server is; null: none runs */
export function useRebuildProgress() {
  const isAsked = useIsMutating({ mutationKey: rebuildKey }) > 0
  return { isAsked, rebuild: useQuery(progressQuery(isAsked)).data?.rebuild ?? null }
}
