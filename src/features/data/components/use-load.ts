/** The running load of a page: started, paused, stopped, gone on with; its account as state. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
import { type LoadChunk, Loader, type LoadProgress, type RejectedItem } from '../model/loader.ts'
import type { RejectedSource } from '../model/rejected-rows.ts'
import { batchPayload, joinedPayload } from '../model/row-payload.ts'
import type { UpsertOptions } from '../model/upsert-options.ts'

export interface Load {
  readonly progress: LoadProgress | null
  /** What is being loaded; null before the first start. */
  readonly source: RejectedSource | null
  /** Time on the way without pauses, in milliseconds. */
  readonly elapsedMs: number
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

export function useLoad(graph: string, options: UpsertOptions): Load {
  const client = useQueryClient()
  const loader = useRef<Loader | null>(null)
  const [progress, setProgress] = useState<LoadProgress | null>(null)
  const [source, setSource] = useState<RejectedSource | null>(null)
  const watch = useStopwatch(progress?.state === 'running')
  useEffect(() => () => loader.current?.stop(), [])

  const start = (
    kind: RejectedSource,
    chunks: AsyncIterable<LoadChunk>,
    continues?: LoadProgress,
  ) => {
    let drawnAt = 0
    const made = new Loader({
      chunks,
      payloadOf: (parts) =>
        kind.kind === 'csv' ? batchPayload(kind.reading.mapping, parts) : joinedPayload(parts),
      ...(continues === undefined ? {} : { continues }),
      send: (payload, signal) => sendBatch({ graph, payload, options, signal }),
      onProgress: (next) => {
        const now = performance.now()
        if (next.state === 'running' && now - drawnAt < DRAW_MS) return
        drawnAt = now
        if (loader.current === made) setProgress(next)
      },
    })
    loader.current = made
    if (continues === undefined) watch.reset()
    setSource(kind)
    setProgress(made.progress)
    void trackActivity(client, `Load into ${graph}`, made.run()).then((last) => {
      if (loader.current === made) setProgress(last)
      return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'schema' })
    })
  }
  return {
    progress,
    source,
    elapsedMs: watch.elapsedMs,
    startCsv: (file, reading) => start({ kind: 'csv', reading }, csvChunks(file, reading)),
    startPayloads: (file) =>
      start(
        { kind: 'payloads' },
        formatOf(file.name) === 'json' ? jsonChunks(file) : ndjsonChunks(file),
      ),
    retry: (rows) => {
      if (source === null || progress === null) return
      start(source, againOf(rows, source, progress.bytesRead), progress)
    },
    pause: () => loader.current?.pause(),
    resume: () => loader.current?.resume(),
    stop: () => loader.current?.stop(),
    reset: () => {
      loader.current?.stop()
      loader.current = null
      setProgress(null)
    },
  }
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
  const records = rows.map(({ row, source: cells }) => ({
    row,
    cells: typeof cells === 'string' ? [cells] : cells,
    problem: null,
  }))
  yield { ...csvItems(records, source.reading), bytesRead }
}

/** Counts while `running`; keeps its count while not. */
function useStopwatch(running: boolean) {
  const [elapsedMs, setElapsedMs] = useState(0)
  const total = useRef(0)
  useEffect(() => {
    if (!running) return
    let last = performance.now()
    const tick = () => {
      const now = performance.now()
      total.current += now - last
      last = now
      setElapsedMs(total.current)
    }
    const timer = setInterval(tick, 250)
    return () => {
      clearInterval(timer)
      tick()
    }
  }, [running])
  return {
    elapsedMs,
    reset: () => {
      total.current = 0
      setElapsedMs(0)
    },
  }
}
