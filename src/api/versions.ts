import { queryOptions } from '@tanstack/react-query'
import { readVersions } from '#contract/system.ts'
import { call } from './client.ts'

/** Release and hash of each component; they change only with a restart. */
export const versionsQuery = queryOptions({
  queryKey: ['versions'],
  queryFn: ({ signal }) => call(readVersions, { signal }),
  staleTime: 60_000,
})
