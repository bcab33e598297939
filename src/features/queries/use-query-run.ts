/**
 * Runs of a query, kept beside the page: who goes elsewhere and comes back meets the run still
 * going on, or its result. One run per query; ending it lets go of the request, and the server
 * ends exactly that run.
 */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { noteRun } from './api/kept.ts'
import { queryKeys, type RunAnswer, run } from './api/queries.ts'

/** Long enough for analytics; the server's own limit is shorter. */
export const RUN_TIMEOUT_SECONDS = 600
/** Results may be large, so those out of sight are forgotten soon. */
const KEPT_MS = 120_000

interface RunVariables {
  /** As typed, for the list of earlier runs. */
  readonly texts: ReadonlyMap<string, string>
  readonly parameters: Readonly<Record<string, unknown>>
  /** The text that is run without being installed; null: the installed query. */
  readonly draft: string | null
  /** Of the editor, where the draft is only a part of its text. */
  readonly lines?: LineRange
  /** Aborted: the run is stopped. */
  readonly stop: AbortController
}

/** From 1, both ends included. */
export interface LineRange {
  readonly first: number
  readonly last: number
  /** Added to a line of what runs it is the editor's. */
  readonly before: number
}

export interface QueryRun {
  readonly status: 'idle' | 'pending' | 'success' | 'error' | 'stopped'
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** It ran a text that was not installed. */
  readonly isDraft: boolean
  /** Of the editor's text at that time; null: all of it ran. */
  readonly lines: LineRange | null
  readonly answer: RunAnswer | undefined
  readonly error: unknown
}

const idle: QueryRun = {
  status: 'idle',
  startedAt: 0,
  isDraft: false,
  lines: null,
  answer: undefined,
  error: null,
}

export function useQueryRun(graph: string, name: string) {
  const client = useQueryClient()
  const mutationKey = queryKeys.run(graph, name)
  const { mutate } = useMutation({
    mutationKey,
    gcTime: KEPT_MS,
    mutationFn: ({ parameters, draft, stop }: RunVariables) => {
      const { signal } = stop
      return run({ graph, name, parameters, draft, timeoutSeconds: RUN_TIMEOUT_SECONDS, signal })
    },
    onMutate: () => ({ at: Date.now() }),
    // Of the mutation, not of the page: it is called when nobody looks any more, too.
    onSettled: (answer, error, { texts, draft, stop }, started) => {
      const at = started?.at ?? Date.now()
      const failed = stop.signal.aborted ? 'stopped' : 'failed'
      const done = noteRun(
        client,
        { graph, name },
        {
          at,
          texts: [...texts],
          durationMs: answer?.durationMs ?? Date.now() - at,
          sizeBytes: answer?.sizeBytes ?? 0,
          outcome: error === null ? 'done' : failed,
          ...(draft !== null && { draft }),
        },
      )
      // A run that is not remembered has run all the same.
      done.catch(() => undefined)
    },
  })
  const runs = useMutationState({
    filters: { mutationKey, exact: true },
    select: ({ state }) => ({ state, variables: state.variables as RunVariables | undefined }),
  })
  const latest = runs.at(-1)
  const stop = latest?.variables?.stop
  return {
    run: runOf(latest),
    start: useCallback(
      (wanted: Omit<RunVariables, 'stop'>) => {
        const cache = client.getMutationCache()
        const key = queryKeys.run(graph, name)
        for (const older of cache.findAll({ mutationKey: key, exact: true })) cache.remove(older)
        mutate({ ...wanted, stop: new AbortController() })
      },
      [client, graph, name, mutate],
    ),
    stop: useCallback(() => stop?.abort(), [stop]),
  }
}

function runOf(
  latest:
    | {
        readonly state: {
          readonly status: 'idle' | 'pending' | 'success' | 'error'
          readonly submittedAt: number
          readonly data: unknown
          readonly error: unknown
        }
        readonly variables: RunVariables | undefined
      }
    | undefined,
): QueryRun {
  if (latest === undefined) return idle
  const { status, submittedAt, data, error } = latest.state
  const isStopped = status === 'error' && latest.variables?.stop.signal.aborted === true
  return {
    status: isStopped ? 'stopped' : status,
    startedAt: submittedAt,
    isDraft: latest.variables?.draft != null,
    lines: latest.variables?.lines ?? null,
    answer: data as RunAnswer | undefined,
    error,
  }
}
