/** The load of a file: started, paused, stopped, gone on with; it goes on when the page is left. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { trackActivity } from '#api/activity.ts'
import { sendBatch } from '../api/upsert.ts'
import {
  type CsvReading,
  csvChunks,
  csvItems,
  jsonChunks,
  ndjsonChunks,
  payloadItems,
} from '../model/file-chunks.ts'
import { formatOf } from '../model/file-format.ts'
import { elapsedOf, keptLoads as loads } from '../model/kept-loads.ts'
import { type LoadChunk, Loader, type LoadProgress, type RejectedItem } from '../model/loader.ts'
import { WRITTEN_SHOWN_MAX, writtenNames } from '../model/payload-effects.ts'
import { type RejectedSource, recordsOf } from '../model/rejected-rows.ts'
import { batchPayload, joinedPayload } from '../model/row-payload.ts'
import type { UpsertOptions } from '../model/upsert-options.ts'

export interface Load {
  readonly progress: LoadProgress | null
  /** What is being loaded; null before the first start. */
  readonly source: RejectedSource | null
  /** Time on the way without pauses, in milliseconds. */
  readonly elapsedMs: number
  /** `Type:id` of the first that were accepted. */
  readonly written: readonly string[]
  readonly startCsv: (file: File, reading: CsvReading) => void
  readonly startPayloads: (file: File) => void
  /** Sends rejected rows again, as they are now; counts go on. */
  readonly retry: (rows: readonly RejectedItem[]) => void
  readonly pause: () => void
  readonly resume: () => void
  readonly stop: () => void
  readonly reset: () => void
}

/** Progress is drawn this often, not once per batch. */
const DRAW_MS = 100
const CLOCK_MS = 250

// A tab that is closed ends its loads: that is worth a question.
loads.subscribe(() => {
  const change = loads.isRunning ? 'addEventListener' : 'removeEventListener'
  window[change]('beforeunload', askFirst)
})

function askFirst(event: Event): void {
  event.preventDefault()
}

export function useLoad(graph: string, file: File, options: UpsertOptions): Load {
  const client = useQueryClient()
  const kept = useSyncExternalStore(loads.subscribe, () => loads.of(graph))
  const load = kept?.file === file ? kept : undefined
  useClock(load !== undefined && load.since !== null)

  const start = (
    source: RejectedSource,
    chunks: AsyncIterable<LoadChunk>,
    continues?: LoadProgress,
  ) => {
    let drawnAt = 0
    const written = continues === undefined || load === undefined ? [] : [...load.written]
    const made = new Loader({
      chunks,
      payloadOf: (parts) =>
        source.kind === 'csv' ? batchPayload(source.reading.mapping, parts) : joinedPayload(parts),
      ...(continues === undefined ? {} : { continues }),
      send: async (payload, signal) => {
        const result = await sendBatch({ graph, payload, options, signal })
        if (written.length < WRITTEN_SHOWN_MAX) {
          const more = writtenNames(payload)
          written.splice(
            0,
            written.length,
            ...new Set([...written, ...more].slice(0, WRITTEN_SHOWN_MAX)),
          )
        }
        return result
      },
      onProgress: (next) => {
        const now = Date.now()
        if (next.state === 'running' && now - drawnAt < DRAW_MS) return
        drawnAt = now
        loads.note(graph, made, next, now)
      },
    })
    const now = Date.now()
    const beforeMs = continues === undefined || load === undefined ? 0 : elapsedOf(load, now)
    loads.put(graph, {
      ...{ file, source, loader: made, progress: made.progress, written, beforeMs },
      since: now,
      heldAt: null,
    })
    const refresh = () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'schema' })
    void trackActivity(client, `Load into ${graph}`, runToTheEnd(made)).then(refresh, refresh)
  }
  return {
    progress: load?.progress ?? null,
    source: load?.source ?? null,
    written: load?.written ?? [],
    elapsedMs: load === undefined ? 0 : elapsedOf(load, Date.now()),
    startCsv: (chosen, reading) => start({ kind: 'csv', reading }, csvChunks(chosen, reading)),
    startPayloads: (chosen) =>
      start(
        { kind: 'payloads' },
        formatOf(chosen.name) === 'json' ? jsonChunks(chosen) : ndjsonChunks(chosen),
      ),
    retry: (rows) => {
      if (load === undefined) return
      const { source, progress } = load
      start(source, againOf(rows, source, progress.bytesRead), progress)
    },
    pause: () => load?.loader.pause(),
    resume: () => load?.loader.resume(),
    stop: () => load?.loader.stop(),
    reset: () => loads.drop(graph),
  }
}

/** For the tray: a load that did not get to its end is not done. */
async function runToTheEnd(loader: Loader): Promise<void> {
  const { state, failure } = await loader.run()
  if (state === 'failed') throw failure
  if (state === 'stopped') throw new Error('It was stopped.')
}

/** Rows at hand, read like those of the file they came from. */
async function* againOf(
  rows: readonly RejectedItem[],
  source: RejectedSource,
  bytesRead: number,
): AsyncGenerator<LoadChunk> {
  if (source.kind === 'payloads') {
    const lines = rows.map(({ row, source: text }) => ({ row, text: String(text) }))
    yield { ...payloadItems(lines), bytesRead }
    return
  }
  yield { ...csvItems(recordsOf(rows), source.reading), bytesRead }
}

/** Draws anew while time passes. */
function useClock(isRunning: boolean): void {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => draw((count) => count + 1), CLOCK_MS)
    return () => clearInterval(timer)
  }, [isRunning])
}
