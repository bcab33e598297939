import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call, callWhole } from '#api/client.ts'
import { polled } from '#api/polling.ts'
import { maintenanceKey } from '#api/rebuild.ts'
import { deletedVertexCheck, readMaintenanceRuns } from '#contract/system.ts'

const RUNS_INTERVAL_MS = 10_000

export const runsQuery = queryOptions({
  queryKey: [...maintenanceKey, 'runs'],
  queryFn: ({ signal }) => call(readMaintenanceRuns, { signal }),
  ...polled(RUNS_INTERVAL_MS),
})

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
    onSettled: () => client.invalidateQueries({ queryKey: maintenanceKey }),
  })
}
