/**
 * A fresh server for every test, on a free port with a data directory of its own that is removed with it. `server` is
 * empty; `sampled` starts on a copy of a directory into which the sample graph was loaded once, so that no test
 * waits for the load or shares the machine with its traffic. Both are served by a process that the tests of a worker
 * share (host.ts). Tests that end a server and start it again have a process of their own, the built one that
 * `npm start` runs: `program`, and `sampledProgram` with the sample graph.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type ConsoleMessage, expect, type WebError } from '@playwright/test'
import { Host } from './hosted.ts'
import { end, launch, loadSample } from './server.ts'
import { SharedContext } from './shared-context.ts'

const noAnswer = /^Failed to load resource|^TypeError: Failed to fetch dynamically imported module/
const prefix = join(tmpdir(), 'quiver-e2e-')

export interface RunningServer {
  readonly url: string
  /** Loads the sample graph through the public API; answers with its name. */
  loadSample(): Promise<string>
}

export interface RunningProgram extends RunningServer {
  /** Ends the process without warning, as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
  /** Ends it as Ctrl-C does, and waits until everything is written. */
  stop(): Promise<void>
  /** Starts again on the same data directory and port after `kill` or `stop`. */
  restart(): Promise<void>
}

interface Servers {
  readonly server: RunningServer
  readonly sampled: RunningServer
  readonly program: RunningProgram
  readonly sampledProgram: RunningProgram
}

export const test = base.extend<
  Servers & { noErrors: undefined },
  { host: Host; sampleDirectory: string; shared: SharedContext }
>({
  context: async ({ host, shared, viewport, deviceScaleFactor, timezoneId }, use, test) => {
    const options = { viewport, deviceScaleFactor, timezoneId }
    await use(await shared.take(host.origin, options))
    await shared.giveBack(test.status === test.expectedStatus)
  },
  shared: [
    async ({ browser }, use) => {
      const shared = new SharedContext(browser)
      await use(shared)
      await shared.close()
    },
    { scope: 'worker' },
  ],
  // No page of any test may throw, or write an error or a warning to its console. That a request
  // was refused or found no server is a line of the browser's own, and often what the test is about;
  // so is code that did not come.
  noErrors: [
    async ({ context }, use) => {
      const errors: string[] = []
      const onError = (thrown: WebError) => {
        const { message, stack } = thrown.error()
        errors.push(stack ?? message)
      }
      const onMessage = (message: ConsoleMessage) => {
        const isOurs = !noAnswer.test(message.text())
        if (isOurs && ['error', 'warning'].includes(message.type())) errors.push(message.text())
      }
      context.on('weberror', onError).on('console', onMessage)
      await use(undefined)
      context.off('weberror', onError).off('console', onMessage)
      expect(errors, 'errors and warnings in the console').toEqual([])
    },
    { auto: true },
  ],
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern.
    async ({}, use) => {
      const host = new Host()
      await use(host)
      host.close()
    },
    { scope: 'worker' },
  ],
  server: ({ host }, use) => inDirectory(null, (directory) => serve(host, directory, use)),
  sampled: ({ host, sampleDirectory }, use) =>
    inDirectory(sampleDirectory, (directory) => serve(host, directory, use)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern.
  program: ({}, use) => inDirectory(null, (directory) => run(directory, use)),
  sampledProgram: ({ sampleDirectory }, use) =>
    inDirectory(sampleDirectory, (directory) => run(directory, use)),
  sampleDirectory: [
    ({ host }, use) =>
      inDirectory(null, async (directory) => {
        const url = await host.start(directory)
        await loadSample(url)
        await host.end(url)
        await use(directory)
      }),
    { scope: 'worker' },
  ],
})

/** @param origin whose copy the directory is; null: it is empty */
async function inDirectory(
  origin: string | null,
  call: (directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(prefix)
  try {
    if (origin !== null) await cp(origin, directory, { recursive: true })
    await call(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function serve(
  host: Host,
  directory: string,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const url = await host.start(directory)
  await use({ url, loadSample: () => loadSample(url) })
  await host.end(url)
}

async function run(
  directory: string,
  use: (server: RunningProgram) => Promise<void>,
): Promise<void> {
  let running = await launch(directory, 0)
  const port = Number(new URL(running.url).port)
  await use({
    url: running.url,
    kill: () => end(running.child, 'SIGKILL'),
    stop: () => end(running.child, 'SIGTERM'),
    restart: async () => {
      running = await launch(directory, port)
    },
    loadSample: () => loadSample(running.url),
  })
  await end(running.child, 'SIGTERM')
}
