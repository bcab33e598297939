/**
 * The end of a server whose memory is no prefix of the shared log any more: it ends with status 75, so
 * that whoever supervises it starts it anew. Started by `npm start` or the command `quiver` it takes
 * its own place, since nobody supervises it.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'

/** As EX_TEMPFAIL of sysexits: try again. */
export const START_AGAIN = 75
/** A server that ran for less waits before it starts again. */
const SHORT_RUN_SECONDS = 10
const PAUSE_MS = 1_000
/** Set by scripts/quiver.cjs where the server has taken its place. */
const LAUNCHER = 'QUIVER_LAUNCHER'
export const REPLACED = 'replaced'
/** Why the run before this one ended. */
const STARTED_AGAIN = 'QUIVER_STARTED_AGAIN'
const DIFFERENCE = 'difference'

export interface StartAgainParts {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly uptimeSeconds: number
  report(line: string): unknown
  pause(ms: number): void
  /** Null: this platform has no such thing. */
  readonly replace: ((environment: Record<string, string | undefined>) => void) | null
  exit(status: number): void
}

/** @param isDifference the graph differed from that of another server: once more and it stays down */
export function startAgain(reason: string, isDifference: boolean, parts = ownParts()): void {
  const { environment, uptimeSeconds, report, pause, replace, exit } = parts
  if (isDifference && environment[STARTED_AGAIN] === DIFFERENCE) {
    report(`quiver: ${reason}`)
    report('quiver: it did so before it was started again, too: this server does not go on')
    exit(1)
    return
  }
  report(`quiver: starting again: ${reason}`)
  if (environment[LAUNCHER] !== REPLACED || replace === null) {
    exit(START_AGAIN)
    return
  }
  if (uptimeSeconds < SHORT_RUN_SECONDS) pause(PAUSE_MS)
  replace({ ...environment, [STARTED_AGAIN]: isDifference ? DIFFERENCE : 'log' })
}

function ownParts(): StartAgainParts {
  const { execPath, execArgv, argv, execve } = process
  return {
    environment: process.env,
    uptimeSeconds: process.uptime(),
    report: (line) => writeSync(2, `${line}\n`),
    pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
    replace:
      execve === undefined
        ? null
        : (environment) =>
            execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], environment),
    exit: (status) => process.exit(status),
  }
}
