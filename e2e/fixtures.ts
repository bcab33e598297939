/**
 * A fresh server for every test: the built one that `npm start` serves, on a free port with a data
 * directory of its own. Ended by its pid, and its folder removed. `server` is empty; `sampled` starts
 * on a copy of a directory into which the sample graph was loaded once, so that no test waits for
 * the load or shares the machine with its traffic.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { end, launch, loadSample } from './server.ts'

const noAnswer = /^Failed to load resource|^TypeError: Failed to fetch dynamically imported module/
const prefix = join(tmpdir(), 'quiver-e2e-')

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
  { server: RunningServer; sampled: RunningServer; noErrors: undefined },
  { sampleDirectory: string }
>({
  // No page of any test may throw, or write an error or a warning to its console. That a request
  // was refused or found no server is a line of the browser's own, and often what the test is about;
  // so is code that did not come.
  noErrors: [
    async ({ context }, use) => {
      const errors: string[] = []
      context.on('weberror', (thrown) => {
        const { message, stack } = thrown.error()
        errors.push(stack ?? message)
      })
      context.on('console', (message) => {
        const isOurs = !noAnswer.test(message.text())
        if (isOurs && ['error', 'warning'].includes(message.type())) errors.push(message.text())
      })
      await use(undefined)
      expect(errors, 'errors and warnings in the console').toEqual([])
    },
    { auto: true },
  ],
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
