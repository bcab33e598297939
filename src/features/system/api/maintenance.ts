import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call, callWhole } from '#api/client.ts'
import { polled } from '#api/polling.ts'
import { deletedVertexCheck, readMaintenanceRuns, rebuildNow } from '#contract/system.ts'

const RUNS_INTERVAL_MS = 10_000
const runsKey = ['maintenance-runs'] as const

export const runsQuery = queryOptions({
  queryKey: runsKey,
  queryFn: ({ signal }) => call(readMaintenanceRuns, { signal }),
  ...polled(RUNS_INTERVAL_MS),
})

interface RebuildOptions {
  readonly graph: string
  readonly threads: number | undefined
  readonly vertexType: string | undefined
  readonly force: boolean
}

/** The mutation key lets a page that is opened again find a run that still goes on. */
export const rebuildKey = ['maintenance', 'rebuild'] as const

export function useRebuild() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: rebuildKey,
    meta: activity(({ graph }: RebuildOptions) => `Rebuild ${graph}`),
    mutationFn: ({ graph, threads, vertexType, force }: RebuildOptions) =>
      callWhole(rebuildNow, {
        params: { graph },
        query: {
          ...(threads === undefined ? {} : { threadnum: threads }),
          ...(vertexType === undefined ? {} : { vertextype: vertexType }),
          force,
        },
        method: 'POST',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: runsKey }),
  })
}

interface CheckOptions {
  readonly graph: string
  readonly verbose: number
}

export function useDeletedVertexCheck() {
  const client = useQueryClient()
  return useMutation({
    mutationKey: ['maintenance', 'deleted-vertex-check'],
    meta: activity(({ graph }: CheckOptions) => `Check deleted vertices of ${graph}`),
    mutationFn: ({ graph, verbose }: CheckOptions) =>
      callWhole(deletedVertexCheck, { params: { graph }, query: { verbose } }),
    onSettled: () => client.invalidateQueries({ queryKey: runsKey }),
  })
}
