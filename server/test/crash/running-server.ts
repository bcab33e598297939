/**
 * The real server as a process of its own, on a free port, to be killed by its pid.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { program } from '../fixtures/program.ts'

/** A busy machine starts it slowly; one that hangs is told apart all the same. */
const START_TIMEOUT_MS = 120_000

export interface RunningServer {
  readonly url: string
  /** Ends the process without warning, as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to end, and waits. @returns its exit code */
  stop(): Promise<number | null>
  /** Its exit code once it has ended, by itself or asked. */
  readonly ended: Promise<number | null>
  request(method: string, path: string, body?: unknown): Promise<Answer>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read many shapes of answers.
  readonly body: any
}

export interface StartOptions {
  /** Further options of the command line. */
  readonly args?: readonly string[]
  readonly startMsMax?: number
}

export async function startServer(
  directory: string,
  { args = [], startMsMax = START_TIMEOUT_MS }: StartOptions = {},
): Promise<RunningServer> {
  const options = ['--port', '0', '--data', directory, '--log-level', 'error', ...args]
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const url = await announcedUrl(child, startMsMax)
  return {
    url,
    ended,
    kill: () => end(child, 'SIGKILL').then(() => undefined),
    stop: () => end(child, 'SIGTERM'),
    request: (method, path, body) => request(url + path, method, body),
  }
}

async function request(url: string, method: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

/** The server prints its address when it listens; what it prints later is read and dropped. */
function announcedUrl(child: ChildProcess, startMsMax: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const fail = (code: number | null, signal: string | null): void =>
      reject(new Error(`the server announced no address (${code ?? signal}): ${text}`))
    const timer = setTimeout(() => child.kill('SIGKILL'), startMsMax)
    child.once('exit', fail)
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
      if (address === null) return
      clearTimeout(timer)
      child.off('exit', fail)
      resolve(address[0])
    })
  })
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return child.exitCode
}
