/** The round trip of the smallest request, in milliseconds. */
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { callWhole } from './client.ts'

const ping = endpoint({
  method: 'GET',
  path: '/api/ping',
  summary: 'Whether the server answers',
  response: z.unknown(),
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: [],
})

const PING_INTERVAL_MS = 5_000

export const pingQuery = queryOptions({
  queryKey: ['ping'],
  queryFn: async ({ signal }) => (await callWhole(ping, { signal })).durationMs,
  refetchInterval: PING_INTERVAL_MS,
  retry: false,
})
