/**
 * Serves test after test from one process: each has a server of its own, with a data directory, threads and a port of its own,
 * started by the code that the program runs (server/src/start.ts). What they share is compiled code, which takes most of
 * the time of a start otherwise (docs/decisions/0144). Ends with the process that started it.
 */
import { totalmem } from 'node:os'
import process from 'node:process'
import { parseOptions } from '../server/src/cli/options.ts'
import { clock, scheduler, storeTimers, timers } from '../server/src/real-time.ts'
import { type StartedServer, startServer } from '../server/src/start.ts'

export type HostRequest =
  | { readonly id: number; readonly kind: 'start'; readonly options: readonly string[] }
  | { readonly id: number; readonly kind: 'end'; readonly url: string }

export interface HostAnswer {
  readonly id: number
  readonly url: string
  /** Why it could not be done; absent: it was. */
  readonly error?: string
}

/** As in tests of the API: what is looked at here does not depend on how hard a password is to guess. */
const PASSWORD_COST = 2 ** 4

const [, , program = ''] = process.argv
const servers = new Map<string, StartedServer>()

process.umask(0o077)
process.on('message', (request: HostRequest) => {
  done(request).then(
    (url) => answer({ id: request.id, url }),
    (error: unknown) => answer({ id: request.id, url: '', error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

function answer(message: HostAnswer): void {
  process.send?.(message)
}

/** @returns the address of the server */
async function done(request: HostRequest): Promise<string> {
  if (request.kind === 'start') return await start(request.options)
  const started = servers.get(request.url)
  servers.delete(request.url)
  await started?.server.close()
  await started?.store.close()
  return request.url
}

async function start(options: readonly string[]): Promise<string> {
  const started = await startServer(parseOptions(options, totalmem(), {}), {
    ...{ clock, scheduler, timers, storeTimers, program },
    firstPassword: () => null,
    passwordCost: PASSWORD_COST,
    version: '0.1.0',
    gitHash: '0'.repeat(40),
    print: () => undefined,
  })
  servers.set(started.url, started)
  return started.url
}
