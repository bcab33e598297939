/**
 * A fresh server for every test: the built one that `npm start` serves, on a free port with a data
 * directory of its own. Ended by its pid, and its folder removed. `server` is empty; `sampled` starts
 * on a copy of a directory into which the sample graph was loaded once, so that no test waits for
 * the load or shares the machine with its traffic.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from '@playwright/test'

const START_TIMEOUT_MS = 60_000
const END_TIMEOUT_MS = 30_000
const prefix = join(tmpdir(), 'quiver-e2e-')
const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))

export interface RunningServer {
  readonly url: string
  readonly pid: number
  /** Ends the process without warning, as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
  /** Ends it as Ctrl-C does, and waits until everything is written. */
  stop(): Promise<void>
  /** Starts again on the same data directory and port after `kill` or `stop`. */
  restart(): Promise<void>
  /** Loads the sample graph through the public API; answers with its name. */
  loadSample(): Promise<string>
}

export const test = base.extend<
  { server: RunningServer; sampled: RunningServer },
  { sampleDirectory: string }
>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern.
  server: async ({}, use) => {
    const directory = await mkdtemp(prefix)
    await serve(directory, use)
  },
  sampled: async ({ sampleDirectory }, use) => {
    const directory = await mkdtemp(prefix)
    await cp(sampleDirectory, directory, { recursive: true })
    await serve(directory, use)
  },
  sampleDirectory: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern.
    async ({}, use) => {
      const directory = await mkdtemp(prefix)
      try {
        const { child, url } = await launch(directory, 0)
        try {
          await loadSample(url)
        } finally {
          await end(child, 'SIGTERM')
        }
        await use(directory)
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },
    { scope: 'worker' },
  ],
})

/** Lets `use` have a server on the directory, which is removed with it. */
async function serve(
  directory: string,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  let running = await launch(directory, 0)
  const port = Number(new URL(running.url).port)
  await use({
    url: running.url,
    get pid() {
      return running.child.pid as number
    },
    kill: () => end(running.child, 'SIGKILL'),
    stop: () => end(running.child, 'SIGTERM'),
    restart: async () => {
      running = await launch(directory, port)
    },
    loadSample: () => loadSample(running.url),
  })
  await end(running.child, 'SIGTERM')
  await rm(directory, { recursive: true, force: true })
}

async function launch(
  directory: string,
  port: number,
): Promise<{ child: ChildProcess; url: string }> {
  const options = ['--port', String(port), '--data', directory, '--log-level', 'warn']
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await announcedUrl(child)
  return { child, url }
}

/** The server prints its address when it listens. */
function announcedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`no address in: ${text}`))
    }, START_TIMEOUT_MS)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
      if (address === null) return
      clearTimeout(timer)
      resolve(address[0])
    })
  })
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
  await gone
  clearTimeout(late)
}

async function loadSample(url: string): Promise<string> {
  const answer = await fetch(`${url}/quiver/v1/sample`, { method: 'POST' })
  if (!answer.ok) throw new Error(`sample: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { results: { graph: string } }).results.graph
}
