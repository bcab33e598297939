/**
 * Ends the process after a signal when its main thread does not: a handler of a signal runs on the loop
 * of its thread, and so does every timer, so that nothing on a loop that is held notices a signal.
 *
 * Node delivers signals to the main thread only. libuv delivers them to every loop that asks, and this
 * thread asks by the class under `process.on(signal)`, which is not public (docs/decisions/0096).
 */
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { parentPort } from 'node:worker_threads'

/** What the main thread says when it takes signals itself: before, a signal ends the process at once. */
export interface StopWatchOrder {
  /** Numbers of signals. */
  readonly signals: readonly number[]
  /** After the first signal, and after a second one, until the process is ended. */
  readonly deadlineMs: number
  readonly secondMs: number
  /** A signal that comes so soon after the first is the first one again. */
  readonly repeatedMs: number
}

interface SignalWatch {
  onsignal: (signal: number) => void
  start(signal: number): number
}

const load = createRequire(import.meta.url)
const { internalBinding } = load('internal/test/binding') as {
  internalBinding(name: 'signal_wrap'): { readonly Signal: new () => SignalWatch }
}
const { Signal } = internalBinding('signal_wrap')

parentPort!.once('message', ({ signals, ...times }: StopWatchOrder) => {
  let firstAtMs: number | null = null
  for (const signal of signals) {
    const watch = new Signal()
    watch.onsignal = () => {
      const nowMs = performance.now()
      if (firstAtMs !== null && nowMs - firstAtMs <= times.repeatedMs) return
      setTimeout(abandon, firstAtMs === null ? times.deadlineMs : times.secondMs)
      firstAtMs ??= nowMs
    }
    const error = watch.start(signal)
    if (error !== 0) throw new Error(`the signal ${signal} cannot be watched (${error})`)
  }
})

function abandon(): void {
  try {
    writeSync(2, 'quiver: the main thread did not stop in time and was abandoned;\n')
    writeSync(2, 'quiver: everything that was acknowledged is in the commit log\n')
  } finally {
    // `process.exit` of a thread ends only the thread.
    process.kill(process.pid, 'SIGKILL')
  }
}
