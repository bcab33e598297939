/** The server's own log; asked for only by whom may read it, so that no refusal is written down. */
import { queryOptions } from '@tanstack/react-query'
import type { QueryInputOf, ResultOf } from '#contract/endpoint.ts'
import { readServerLog } from '#contract/server-log.ts'
import { call } from './client.ts'
import { polled } from './polling.ts'
import { mayCall } from './rights.ts'

export type ServerLog = ResultOf<typeof readServerLog>
export type LogLine = ServerLog['lines'][number]

/** @param intervalMs null: read once. @returns null in place of the log: one may not read it */
export const serverLogQuery = (
  query: QueryInputOf<typeof readServerLog>,
  intervalMs: number | null,
) =>
  queryOptions({
    queryKey: ['server-log', query],
    queryFn: async ({ signal, client }): Promise<ServerLog | null> =>
      (await mayCall(client, readServerLog, '')) ? call(readServerLog, { query, signal }) : null,
    ...(intervalMs === null ? { retry: false } : polled(intervalMs)),
  })
