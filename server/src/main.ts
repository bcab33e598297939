/**
 * The program: reads options, starts the server, and closes in order. Only this file reads the
 * environment; everything below receives what it needs.
 */
import { totalmem } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import '#kernel/buffer-pool.ts'
import { type Place, placeOf, runCopy, runSharedReset } from '#cli/copy-command.ts'
import { readFirstPassword } from '#cli/first-password.ts'
import { handleHangUps } from '#cli/hang-up.ts'
import { helpText, type ProgramOptions, parseOptions } from '#cli/options.ts'
import { watchParent } from '#cli/parent-watch.ts'
import { startAgain } from '#cli/start-again.ts'
import { startStopWatch, stopOnSignal } from '#cli/stop.ts'
import { stopSteps } from '#cli/stop-steps.ts'
import { runBackup, runRepair, runResetPassword, runRestore } from '#cli/store-commands.ts'
import { readTlsFiles, type TlsPaths } from '#cli/tls-files.ts'
import { type ErrorCode, isDbError } from '#kernel/errors.ts'
import { STOP_MS_MAX } from '#kernel/limits.ts'
import { describeAddress } from '#storage/postgres/address.ts'
import { clock, scheduler, storeTimers, timers } from './real-time.ts'
import type { QuiverServer } from './server.ts'
import { startServer } from './start.ts'

declare const __QUIVER_GIT_HASH__: string | undefined

const VERSION = '0.1.0'
const program = fileURLToPath(import.meta.url)

// What the data directory holds is for nobody else on this machine.
process.umask(0o077)

try {
  await run(parseOptions(process.argv.slice(2), machineMemory(), process.env))
} catch (error) {
  if (!isDbError(error)) throw error
  console.error(`quiver: ${error.message}`)
  const hint = damageHint(error.code)
  if (hint !== null) console.error(`quiver: ${hint}`)
  process.exitCode = 1
}

/** Of the machine, or of the container where that may take less; 0 there means no limit. */
function machineMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

async function run(options: ProgramOptions): Promise<void> {
  const { shared } = options
  switch (options.command) {
    case 'help':
      console.log(helpText)
      return
    case 'version':
      console.log(`quiver ${VERSION}`)
      return
    case 'copy':
      print(await copy(placeOf(options.path, process.env), targetOf(options)))
      return
    case 'backup':
      if (shared !== null) print(await copy(shared.address, options.path))
      else print(runBackup({ data: options.data, target: options.path }))
      return
    case 'restore':
      if (shared !== null) print(await copy(options.path, shared.address))
      else print(runRestore({ data: options.data, source: options.path }))
      return
    case 'repair':
      print(runRepair({ data: options.data, clock }))
      return
    case 'reset-password':
      print(await resetPassword(options))
      return
    case 'serve':
      await serve(options)
  }
}

function copy(from: Place, to: Place): Promise<readonly string[]> {
  return runCopy({ from, to, clock, timers: storeTimers })
}

/** What copy writes: as it is named, or the store of the options. */
function targetOf({ target, shared, data }: ProgramOptions): Place {
  return target === '' ? (shared?.address ?? data) : placeOf(target, process.env)
}

function resetPassword({ shared, data, path }: ProgramOptions): Promise<readonly string[]> {
  if (shared === null) return runResetPassword({ data, clock, user: path })
  const { address } = shared
  return runSharedReset({ address, clock, timers: storeTimers, version: VERSION, user: path })
}

/** Damage is never skipped: what to do about it is for the user to decide. */
function damageHint(code: ErrorCode): string | null {
  switch (code) {
    case 'CORRUPT_LOG':
      return (
        'nothing was changed. `repair` cuts the commit log at its last good entry and keeps ' +
        'the damaged file; `restore` brings a backup back'
      )
    case 'CORRUPT_SEGMENT':
      return 'nothing was changed. `restore` brings a backup back'
    default:
      return null
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line)
}

async function serve(options: ProgramOptions): Promise<void> {
  const hangUps = handleHangUps((line) => print([line]))
  const watch = startStopWatch()
  const started = await startServer(options, {
    ...{ clock, scheduler, timers, storeTimers, program },
    firstPassword: () => takeFirstPassword(options),
    version: VERSION,
    gitHash: gitHash(),
    print: (line) => print([line]),
  }).catch((error: unknown) => {
    // What was read is gone by now: the writer has written a checkpoint meanwhile.
    if (isDbError(error, 'BEHIND')) startAgain(error.message, false)
    throw error
  })
  const { server, url } = started
  const steps = stopSteps(started, (ms, call) => storeTimers.after(ms, call))
  const stop = stopOnSignal(steps, STOP_MS_MAX, watch)
  hangUps.use({ reload: reloadOf(server, options.tls), stop })
  watchParent(process.env, stop)
  announce(url, options, server)
}

function takeFirstPassword({ passwordFile }: ProgramOptions): string | null {
  const password = readFirstPassword(process.env, passwordFile)
  // Threads and child processes inherit the environment.
  delete process.env['QUIVER_PASSWORD']
  return password
}

function announce(url: string, options: ProgramOptions, server: QuiverServer): void {
  const firstUser = server.auth.users.passwordIsDefault
    ? 'tigergraph / tigergraph (set a password on the Settings page)'
    : 'tigergraph'
  // In one piece: who waits for the first line may close the pipe behind it.
  print([
    [
      `Quiver ${VERSION} is serving at ${url}`,
      `  console         ${url}/ui/`,
      `  data directory  ${resolve(options.data)}`,
      ...(options.shared === null
        ? []
        : [`  shared store    ${describeAddress(options.shared.address)}`]),
      `  first user      ${firstUser}`,
    ].join('\n'),
  ])
}

/** A certificate is renewed while the server serves: what wrote the files sends SIGHUP. */
function reloadOf({ app }: QuiverServer, paths: TlsPaths | null): (() => void) | null {
  if (paths === null) return null
  return () => {
    try {
      const files = readTlsFiles(paths, clock.nowMs())
      if (app.server instanceof Server) app.server.setSecureContext(files)
      print(['quiver: the certificate has been read anew'])
    } catch (error) {
      if (!isDbError(error)) throw error
      console.error(`quiver: the certificate stays as it is: ${error.message}`)
    }
  }
}

function gitHash(): string {
  return typeof __QUIVER_GIT_HASH__ === 'string' ? __QUIVER_GIT_HASH__ : '0'.repeat(40)
}
