/** The running load of a page: started, paused, stopped; its account as state. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendBatch } from '../api/upsert.ts'
import { type CsvReading, csvChunks, jsonChunks, ndjsonChunks } from '../model/file-chunks.ts'
import { formatOf } from '../model/file-format.ts'
import { type LoadChunk, Loader, type LoadProgress } from '../model/loader.ts'
import { batchPayload } from '../model/row-payload.ts'
import type { UpsertOptions } from '../model/upsert-options.ts'

export interface Load {
  readonly progress: LoadProgress | null
  /** Time on the way without pauses, in milliseconds. */
  readonly elapsedMs: number
  readonly startCsv: (file: File, reading: CsvReading) => void
  readonly startPayloads: (file: File) => void
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
  const watch = useStopwatch(progress?.state === 'running')
  useEffect(() => () => loader.current?.stop(), [])

  const start = (
    chunks: AsyncIterable<LoadChunk>,
    payloadOf: (parts: readonly string[]) => string,
    batchRows?: number,
  ) => {
    let drawnAt = 0
    const made = new Loader({
      chunks,
      payloadOf,
      ...(batchRows === undefined ? {} : { batchRows }),
      send: (payload, signal) => sendBatch({ graph, payload, options, signal }),
      onProgress: (next) => {
        const now = performance.now()
        if (next.state === 'running' && now - drawnAt < DRAW_MS) return
        drawnAt = now
        if (loader.current === made) setProgress(next)
      },
    })
    loader.current = made
    watch.reset()
    setProgress(made.progress)
    void made.run().then((last) => {
      if (loader.current === made) setProgress(last)
      return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'schema' })
    })
  }
  return {
    progress,
    elapsedMs: watch.elapsedMs,
    startCsv: (file, reading) =>
      start(csvChunks(file, reading), (parts) => batchPayload(reading.mapping, parts)),
    startPayloads: (file) => {
      const chunks = formatOf(file.name) === 'json' ? jsonChunks(file) : ndjsonChunks(file)
      start(chunks, ([payload = '{}']) => payload, 1)
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
