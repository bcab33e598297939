/** What the queries page asks of the server. */
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { ApiError } from '#api/api-error.ts'
import { call, callWhole } from '#api/client.ts'
import { polled } from '#api/polling.ts'
import {
  abortRunning,
  createQueries,
  dropQuery,
  interpretQuery,
  listRunning,
  readSignature,
  type runningQuery as runningShape,
  runQuery,
} from '#contract/queries.ts'
import { listSlowRuns } from '#contract/query-plans.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import type { Printed } from '../model/result.ts'
import {
  LOOK_MS,
  lookAgainMs,
  needsTelling,
  type WatchedRuns,
  watchRuns,
  withOutcomes,
} from '../model/watched-runs.ts'

export const queryKeys = {
  ofGraph: (graph: string) => ['queries', graph] as const,
  signature: (graph: string, name: string) => ['queries', graph, 'signature', name] as const,
  run: (graph: string, name: string) => ['queries', graph, 'run', name] as const,
  profile: (graph: string, name: string) => ['queries', graph, 'profile', name] as const,
  running: ['queries', 'running'] as const,
}

export const signatureQuery = (graph: string, name: string, enabled: boolean) =>
  queryOptions({
    queryKey: queryKeys.signature(graph, name),
    queryFn: ({ signal }) => call(readSignature, { query: { graph, queryName: name }, signal }),
    enabled,
  })

export type Running = z.output<typeof runningShape>

export const runningQuery = queryOptions({
  queryKey: queryKeys.running,
  queryFn: async ({ signal, client }): Promise<WatchedRuns<Running>> => {
    const running = await call(listRunning, { signal })
    const before = client.getQueryData<WatchedRuns<Running>>(queryKeys.running)
    const watched = watchRuns(before, running, Date.now())
    return needsTelling(watched) ? await told(watched, signal) : watched
  },
  ...polled(LOOK_MS.none),
  refetchInterval: (query) => polled(lookAgainMs(query.state.data?.running)).refetchInterval(query),
})

/** Of those that ended just now; others were told of before. */
const TOLD_RUNS_MAX = 50

/** How runs ended that left the list, as far as the server's log of runs has them. */
async function told(
  watched: WatchedRuns<Running>,
  signal: AbortSignal,
): Promise<WatchedRuns<Running>> {
  try {
    const { runs } = await call(listSlowRuns, { query: { limit: TOLD_RUNS_MAX }, signal })
    return withOutcomes(watched, runs)
  } catch {
    // What was seen stands.
    return watched
  }
}

/** Creates and installs; the server's words on success and failure. */
export async function install(graph: string, text: string): Promise<string> {
  return (await callWhole(createQueries, { query: { graph }, body: text })).message
}

export async function drop(graph: string, name: string): Promise<void> {
  await call(dropQuery, { params: { query: name }, query: { graph } })
}

export interface RunAnswer {
  readonly printed: Printed
  readonly message: string
  readonly durationMs: number
  readonly sizeBytes: number
  readonly parseMs: number
  readonly serverTiming: string | null
  readonly requestId: string | undefined
}

export interface RunRequest {
  readonly graph: string
  readonly name: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly timeoutSeconds: number
  /** Runs this text, and installs nothing; null: the installed query of the name. */
  readonly draft: string | null
  /** Aborted: the server ends the run. */
  readonly signal: AbortSignal
}

export async function run(request: RunRequest): Promise<RunAnswer> {
  const { graph, name, parameters, draft, timeoutSeconds, signal } = request
  const headers = { 'GSQL-TIMEOUT': String(timeoutSeconds * 1000) }
  const { data, ...answer } =
    draft === null
      ? await callWhole(runQuery, {
          method: 'POST',
          params: { graph, query: name },
          body: parameters,
          headers,
          signal,
        })
      : await callWhole(interpretQuery, {
          query: { graph },
          body: stringifyLossless({ text: draft, parameters }),
          headers,
          signal,
        })
  return { printed: data, ...answer }
}

/** False: it had ended before. */
export async function abort(requestId: string): Promise<boolean> {
  try {
    await call(abortRunning, { params: { request_id: requestId } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'REQUEST_NOT_FOUND') return false
    throw error
  }
}
