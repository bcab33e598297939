/**
 * The program: reads options, opens the data directory, listens, and closes in order. Only this
 * file reads the environment and makes a clock; everything below receives them.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, hostname, totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { Server } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { type Place, placeOf, runCopy, runSharedReset } from '#cli/copy-command.ts'
import { checkDirectories } from '#cli/directories.ts'
import { readFirstPassword } from '#cli/first-password.ts'
import { handleHangUps } from '#cli/hang-up.ts'
import { listenError } from '#cli/listen-error.ts'
import { helpText, type ProgramOptions, parseOptions } from '#cli/options.ts'
import { watchParent } from '#cli/parent-watch.ts'
import { startAgain } from '#cli/start-again.ts'
import { startStopWatch, stopOnSignal } from '#cli/stop.ts'
import { runBackup, runRepair, runResetPassword, runRestore } from '#cli/store-commands.ts'
import { readTlsFiles, type TlsPaths } from '#cli/tls-files.ts'
import { collectGarbage } from '#graph/memory/collect-garbage.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'
import { QUERY_WORKERS_MAX, STOP_MS_MAX } from '#kernel/limits.ts'
import { openAuditFile } from '#services/auth/audit-file.ts'
import { type ConsoleSettings, parseConsoleSettings } from '#services/system/console-settings.ts'
import { LogTail } from '#services/system/log-tail.ts'
import { readMachine } from '#services/system/machine.ts'
import { closeToOthers } from '#storage/files/private.ts'
import { fileReason } from '#storage/files/reasons.ts'
import { describeAddress } from '#storage/postgres/address.ts'
import type { SharedStore } from '#storage/shared-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import type { Timers } from './modules/server-options.ts'
import { buildServer, type QuiverServer } from './server.ts'

declare const __QUIVER_GIT_HASH__: string | undefined

const VERSION = '0.1.0'
const program = fileURLToPath(import.meta.url)
const here = dirname(program)

const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

const scheduler = {
  yieldToOthers: () => new Promise<void>((resolvePause) => setImmediate(resolvePause)),
}

/** None of these keeps the process alive by itself. */
const timers: Timers = {
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
  every: (ms, call) => {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
}

const HAND_OVER_MS_MAX = 3_000

/** While a store is connected anew nothing else may keep the process alive. */
const storeTimers: Timers = {
  ...timers,
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

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
  const tls = options.tls === null ? null : readTlsFiles(options.tls, clock.nowMs())
  const consoleSettings = readConsoleSettings(options.consoleSettings)
  checkDirectories(options)
  const firstPassword = readFirstPassword(process.env, options.passwordFile)
  // Threads and child processes inherit the environment.
  delete process.env['QUIVER_PASSWORD']
  const logTail = new LogTail()
  const outputs = [pino.destination(2), logTail].map((stream) => ({ stream, level: 'trace' }))
  const logger = pino({ level: options.logLevel }, pino.multistream(outputs))
  const store = await openStore(options)
  const warnings = closeToOthers({
    dataDirectory: resolve(options.data),
    trees: [resolve(options.queryFiles), resolve(options.exports)],
  })
  for (const warning of warnings) logger.warn(warning)
  const server = await buildServer({
    store,
    ...sharingOf(store, options),
    clock,
    scheduler,
    logger,
    firstPassword,
    logTail,
    memoryLimitBytes: options.memoryLimitBytes,
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage,
    build: { version: VERSION, gitHash: gitHash(), builtAtMs: statSync(program).mtimeMs },
    machine: readMachine,
    reportDirectory: '/tmp/rebuildnow',
    dataDirectory: resolve(options.data),
    filesDirectory: resolve(options.files),
    queryFilesDirectory: resolve(options.queryFiles),
    exportsDirectory: resolve(options.exports),
    consoleDirectory: builtPages('ui'),
    manualDirectory: builtPages('manual'),
    ...(consoleSettings && { consoleSettings }),
    hosts: hostsOf(options),
    audit: openAuditFile({
      directory: resolve(options.data),
      onError: (error) => logger.error({ err: error }, 'the audit log could not be written'),
      sizeBytesMax: options.auditFileSizeBytes,
      fileCount: options.auditFileCount,
    }),
    timers,
    http: options.connections,
    tls,
    queryWorkerCount:
      options.queryWorkerCount ?? Math.min(availableParallelism(), QUERY_WORKERS_MAX),
    queryLimits: {
      timeoutMs: options.queryTimeoutMs,
      timeoutMsMax: options.queryTimeoutMsMax,
      responseSizeBytesMax: options.responseSizeBytesMax,
    },
  }).catch(async (error: unknown) => {
    await store.close()
    // What was read is gone by now: the writer has written a checkpoint meanwhile.
    if (isDbError(error, 'BEHIND')) startAgain(error.message, false)
    throw error
  })
  const url = await listen(server, options).catch(async (error: unknown) => {
    await server.close()
    await store.close()
    throw error
  })
  const steps = [
    { name: 'the role of the writer', run: () => handOver(store) },
    { name: 'the server', run: () => server.close() },
    { name: 'the store', run: () => store.close() },
  ]
  const stop = stopOnSignal(steps, STOP_MS_MAX, watch)
  hangUps.use({ reload: reloadOf(server, options.tls), stop })
  watchParent(process.env, stop)
  announce(url, options, server)
}

/** Only what is asked for is loaded: a server of one directory knows nothing of PostgreSQL. */
async function openStore(options: ProgramOptions): Promise<Store | SharedStore> {
  const { data, shared, memoryLimitBytes } = options
  if (shared === null) return openSqliteStore({ directory: data, clock })
  // For the audit log and the files of loading jobs, queries and exports.
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const { openPostgresStore } = await import('#storage/postgres/postgres-store.ts')
  const { address, name, advertise, takeoverAfterMs } = shared
  const store = await openPostgresStore({
    ...{ address, clock, name, takeoverAfterMs, memoryLimitBytes },
    timers: storeTimers,
    url: advertise,
    version: VERSION,
  })
  return store
}

/** Another server writes from here on, and this one forwards until it is gone. */
async function handOver(store: Store | SharedStore): Promise<void> {
  if (!('shared' in store) || store.shared.role !== 'writer') return
  const resigned = store.shared.resign().catch((error: unknown) => {
    if (!isDbError(error, 'NOT_WRITER')) throw error
  })
  // A store that does not answer keeps nobody from stopping.
  await Promise.race([
    resigned,
    new Promise<void>((resolve) => storeTimers.after(HAND_OVER_MS_MAX, resolve)),
  ])
}

/** Of a store that other servers share. */
function sharingOf(store: Store | SharedStore, { shared: options }: ProgramOptions) {
  if (!('shared' in store) || options === null) return {}
  const { writeWaitMs, maxStalenessMs } = options
  return { shared: store.shared, onStartAgain: startAgain, writeWaitMs, maxStalenessMs }
}

/** That requests may carry. */
function hostsOf({ host, shared, allowedHosts }: ProgramOptions): string[] {
  const advertised = shared === null ? [] : [new URL(shared.advertise).hostname]
  return [host, hostname(), ...advertised, ...allowedHosts].map((name) => name.toLowerCase())
}

/** @throws DbError INVALID_PARAMETER when the file cannot be read or used */
function readConsoleSettings(path: string | null): ConsoleSettings | null {
  if (path === null) return null
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const message = `--console-settings: ${path} ${fileReason(cause, 'read')}`
    throw new DbError('INVALID_PARAMETER', message, { cause })
  }
  return parseConsoleSettings(text)
}

/** @returns the address */
async function listen(server: QuiverServer, options: ProgramOptions): Promise<string> {
  const host = listenHost(options, server)
  const { port } = options
  return server.app.listen({ port, host }).catch((error: unknown) => {
    throw listenError(error, host, port)
  })
}

/** While the first user's password is the one everyone knows, only this machine may come in. */
function listenHost(options: ProgramOptions, server: QuiverServer): string {
  const isLoopback = /^(127\.|localhost$|::1$)/.test(options.host)
  if (isLoopback || !server.auth.users.passwordIsDefault) return options.host
  console.log(
    `The user tigergraph still has the initial password: listening on 127.0.0.1 instead of ${options.host}. Set a password (QUIVER_PASSWORD, --password-file) and start again.`,
  )
  return '127.0.0.1'
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

/** From sources the console lies in `dist/ui` of the repository, bundled beside `dist/server`; the manual likewise. */
function builtPages(name: 'ui' | 'manual'): string | null {
  const candidates = [join(here, '..', name), join(here, '../../dist', name)]
  return candidates.find((directory) => existsSync(join(directory, 'index.html'))) ?? null
}

function gitHash(): string {
  return typeof __QUIVER_GIT_HASH__ === 'string' ? __QUIVER_GIT_HASH__ : '0'.repeat(40)
}
