/**
 * Stops the program on a signal: step by step, and within a deadline whatever hangs. What was
 * acknowledged is durable before a stop begins, so that whatever still runs may be abandoned. A thread
 * of its own (stop-watch-worker.ts) sees to the deadline when the loop of this one is held.
 */
import { writeSync } from 'node:fs'
import { constants } from 'node:os'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { STOP_MS_MAX, STOP_WATCH_MS } from '#kernel/limits.ts'
import type { StopWatchOrder } from './stop-watch-worker.ts'

export interface StopStep {
  /** What is being stopped, as a message names it. */
  readonly name: string
  run(): Promise<void>
}

export interface StopParts {
  readonly steps: readonly StopStep[]
  /** All steps together take at most so long. */
  readonly deadlineMs: number
  /** Runs `call` after a time; returns the function that cancels it. */
  after(ms: number, call: () => void): () => void
  /** Prints a line for the operator. */
  report(line: string): unknown
  /** All steps have ended, one with an error or none. */
  exit(code: number): void
  /** Ends the process without waiting for any thread of it. */
  abandon(): void
}

/** The steps run one after the other; one that fails does not keep the next from running. */
export async function stop(parts: StopParts): Promise<void> {
  const { steps, deadlineMs, after, report, exit, abandon } = parts
  let present = ''
  const cancel = after(deadlineMs, () => {
    const seconds = deadlineMs / 1_000
    report(`quiver: ${present} did not stop within ${seconds} s and was abandoned;`)
    report('quiver: everything that was acknowledged is in the commit log')
    abandon()
  })
  let code = 0
  for (const { name, run } of steps) {
    present = name
    try {
      await run()
    } catch (error) {
      report(`quiver: ${name} could not be stopped: ${String(error)}`)
      code = 1
    }
  }
  cancel()
  exit(code)
}

/** npm passes on the SIGINT that a terminal has sent to all its programs already. */
const REPEATED_SIGNAL_MS_MAX = 500

/**
 * A second signal ends the process at once, unless it is the first one again.
 * @returns what a signal does, for other reasons to stop
 */
export function stopOnSignal(
  steps: readonly StopStep[],
  deadlineMs = STOP_MS_MAX,
  watch = startStopWatch(),
): () => void {
  let stoppedAtMs: number | null = null
  const onSignal = () => {
    if (stoppedAtMs !== null) {
      if (performance.now() - stoppedAtMs > REPEATED_SIGNAL_MS_MAX) process.exit(130)
      return
    }
    stoppedAtMs = performance.now()
    void stop({
      steps,
      deadlineMs,
      after: (ms, call) => {
        const timer = setTimeout(call, ms)
        return () => clearTimeout(timer)
      },
      report: printError,
      exit: (code) => process.exit(code),
      // `process.exit` waits for every thread, and one that hangs in the system never ends.
      abandon: () => process.kill(process.pid, 'SIGKILL'),
    })
  }
  for (const signal of stopSignals) process.on(signal, onSignal)
  const signals = stopSignals.map((signal) => constants.signals[signal])
  const times = {
    deadlineMs: deadlineMs + STOP_WATCH_MS,
    secondMs: STOP_WATCH_MS,
    repeatedMs: REPEATED_SIGNAL_MS_MAX,
  }
  watch.postMessage({ signals, ...times } satisfies StopWatchOrder)
  return onSignal
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const

/**
 * Starts the thread that watches a stop. It takes a moment, so that it is started before what takes
 * long. Without it a stop still has the deadline of its own loop.
 */
export function startStopWatch(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const watch = new Worker(new URL(`./stop-watch-worker.${extension}`, import.meta.url), {
    // The warning is about the class that is not public.
    execArgv: ['--expose-internals', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  })
  watch.unref()
  watch.on('error', (error) => {
    printError(`quiver: no thread watches the stop of the server: ${String(error)}`)
  })
  return watch
}

/** At once, since the process may be about to end; where nobody reads any more, nothing happens. */
function printError(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // A closed pipe, or a terminal that is gone.
  }
}
