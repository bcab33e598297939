/**
 * Loaded into the server's process before the program (`node --import`). It reports memory and the
 * delay of the event loop once a second over the channel to the parent, and writes heap snapshots
 * on request. The server's code does not know of it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { writeHeapSnapshot } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const SAMPLE_EVERY_MS = 1_000
const RESOLUTION_MS = 5

export interface ServerSample {
  readonly residentBytes: number
  readonly heapBytes: number
  readonly externalBytes: number
  readonly arrayBufferBytes: number
  readonly loopDelayMsP99: number
  readonly loopDelayMsMax: number
}

if (isMainThread && process.send !== undefined) startProbe()

function startProbe(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  setInterval(() => {
    const memory = process.memoryUsage()
    const sample: ServerSample = {
      residentBytes: memory.rss,
      heapBytes: memory.heapUsed,
      externalBytes: memory.external,
      arrayBufferBytes: memory.arrayBuffers,
      loopDelayMsP99: withoutResolution(delay.percentile(99)),
      loopDelayMsMax: withoutResolution(delay.max),
    }
    delay.reset()
    if (process.connected) process.send?.(sample, undefined, {}, () => undefined)
  }, SAMPLE_EVERY_MS).unref()
  process.on('message', (path) => {
    if (typeof path === 'string') writeHeapSnapshot(path)
  })
  process.channel?.unref()
}

/** The histogram counts the time between two ticks, which includes the resolution itself. */
function withoutResolution(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
}
