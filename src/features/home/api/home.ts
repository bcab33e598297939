import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { polled } from '#api/polling.ts'
import { readCounts } from '#contract/quiver-data.ts'
import { loadSample } from '#contract/sample.ts'
import { preferences } from '#lib/storage/preferences.ts'

const COUNTS_INTERVAL_MS = 2_000

export const countsQuery = (graph: string) =>
  queryOptions({
    queryKey: ['counts', graph],
    queryFn: ({ signal }) => call(readCounts, { params: { graph }, signal }),
    ...polled(COUNTS_INTERVAL_MS),
    enabled: graph !== '',
  })

/** Everything there was may be new afterwards. */
export function useLoadSample() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(loadSample),
    meta: activity(() => 'Load the sample graph'),
    onSuccess: async ({ graph }) => {
      await client.invalidateQueries()
      preferences.set({ lastGraph: graph })
    },
  })
}
