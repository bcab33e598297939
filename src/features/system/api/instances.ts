import { useMutation, useQueryClient } from '@tanstack/react-query'
import { activity } from '#api/activity.ts'
import { call } from '#api/client.ts'
import { instancesQuery } from '#api/instances.ts'
import { handOver } from '#contract/instances.ts'

/** Settles when the writer has resigned; another takes over at its next look. */
export function useHandOver() {
  const client = useQueryClient()
  return useMutation({
    meta: activity(() => 'Hand over the writing'),
    mutationFn: () => call(handOver, { ofAnyAge: true }),
    onSettled: () => client.invalidateQueries({ queryKey: instancesQuery.queryKey }),
  })
}
