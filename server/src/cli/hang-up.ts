/**
 * SIGHUP asks a server to read its certificate again. The system sends the same signal to every
 * program of a terminal that closes, so that a server without one must outlive it.
 */
import process from 'node:process'
import { isatty } from 'node:tty'

export interface HangUpParts {
  /** Whether the terminal in which the program was started is gone. */
  terminalIsGone(): boolean
  /** Prints a line for the operator. */
  report(line: string): void
}

/** What a SIGHUP does once the server serves. */
export interface HangUpActions {
  /** Null: there is no certificate. */
  readonly reload: (() => void) | null
  stop(): void
}

export interface HangUps {
  /** Until then a SIGHUP is reported, and nothing else happens. */
  use(actions: HangUpActions): void
  receive(): void
}

export function hangUps({ terminalIsGone, report }: HangUpParts): HangUps {
  let actions: HangUpActions | null = null
  return {
    use: (given) => {
      actions = given
    },
    receive: () => {
      if (actions === null) report('quiver: SIGHUP: the server is still starting')
      else if (terminalIsGone()) actions.stop()
      else if (actions.reload === null) report('quiver: SIGHUP: there is no certificate to reload')
      else actions.reload()
    },
  }
}

/** Handles the signal from now on: without a handler it ends the process. */
export function handleHangUps(report: (line: string) => void): HangUps {
  const hadTerminal = isatty(1)
  // The descriptor of a terminal that is gone is no terminal any more.
  const received = hangUps({ terminalIsGone: () => hadTerminal && !isatty(1), report })
  process.on('SIGHUP', () => received.receive())
  return received
}
