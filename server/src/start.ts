/**
 * A server as the options name it: opens the data directory or the shared store, puts the server together and listens.
 * `main.ts` does this once, and the tests of the console once for each test, in one process.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism, hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pino } from 'pino'
import { checkDirectories } from '#cli/directories.ts'
import { listenError } from '#cli/listen-error.ts'
import type { ProgramOptions } from '#cli/options.ts'
import { startAgain } from '#cli/start-again.ts'
import { readTlsFiles } from '#cli/tls-files.ts'
import { collectGarbage } from '#graph/memory/collect-garbage.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { QUERY_WORKERS_MAX } from '#kernel/limits.ts'
import { openAuditFile } from '#services/auth/audit-file.ts'
import { type ConsoleSettings, parseConsoleSettings } from '#services/system/console-settings.ts'
import { LogTail } from '#services/system/log-tail.ts'
import { readMachine } from '#services/system/machine.ts'
import { closeToOthers } from '#storage/files/private.ts'
import { fileReason } from '#storage/files/reasons.ts'
import type { SharedStore } from '#storage/shared-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import type { ServerOptions, Timers } from './modules/server-options.ts'
import type { QuiverServer } from './server.ts'

/** What the program gives. */
export interface StartParts extends Pick<ServerOptions, 'scheduler' | 'timers' | 'passwordCost'> {
  readonly clock: Clock
  /** Of the connections to a shared store: they may keep the process alive. */
  readonly storeTimers: Timers
  /** Read once everything else about the options has been found right. */
  readonly firstPassword: () => string | null
  readonly version: string
  readonly gitHash: string
  /** The file of the program; the console and the manual lie beside its folder. */
  readonly program: string
  print(line: string): void
}

export interface StartedServer {
  readonly store: Store | SharedStore
  readonly server: QuiverServer
  /** The address. */
  readonly url: string
}

/** @throws DbError BEHIND when the shared log has lost what was being read: to be started again */
export async function startServer(
  options: ProgramOptions,
  parts: StartParts,
): Promise<StartedServer> {
  const { clock, timers, scheduler, version, gitHash, program } = parts
  const tls = options.tls === null ? null : readTlsFiles(options.tls, clock.nowMs())
  const consoleSettings = readConsoleSettings(options.consoleSettings)
  checkDirectories(options)
  const firstPassword = parts.firstPassword()
  const logTail = new LogTail()
  const outputs = [pino.destination(2), logTail].map((stream) => ({ stream, level: 'trace' }))
  const logger = pino({ level: options.logLevel }, pino.multistream(outputs))
  const store = await openStore(options, parts)
  const warnings = closeToOthers({
    dataDirectory: resolve(options.data),
    trees: [resolve(options.queryFiles), resolve(options.exports)],
  })
  for (const warning of warnings) logger.warn(warning)
  // Most of the program: what ends before this line, with an error or without one, does not load it.
  const { buildServer } = await import('./server.ts')
  const server = await buildServer({
    store,
    ...sharingOf(store, options),
    clock,
    scheduler,
    logger,
    firstPassword,
    ...(parts.passwordCost !== undefined && { passwordCost: parts.passwordCost }),
    logTail,
    memoryLimitBytes: options.memoryLimitBytes,
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage,
    build: { version, gitHash, builtAtMs: statSync(program).mtimeMs },
    machine: readMachine,
    reportDirectory: '/tmp/rebuildnow',
    dataDirectory: resolve(options.data),
    filesDirectory: resolve(options.files),
    queryFilesDirectory: resolve(options.queryFiles),
    exportsDirectory: resolve(options.exports),
    consoleDirectory: builtPages(program, 'ui'),
    manualDirectory: builtPages(program, 'manual'),
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
    throw error
  })
  const url = await listen(server, options, parts).catch(async (error: unknown) => {
    await server.close()
    await store.close()
    throw error
  })
  return { store, server, url }
}

/** The client of PostgreSQL is loaded for a shared store only. */
async function openStore(
  options: ProgramOptions,
  { clock, storeTimers, version }: StartParts,
): Promise<Store | SharedStore> {
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
    version,
  })
  return store
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
async function listen(
  server: QuiverServer,
  options: ProgramOptions,
  parts: StartParts,
): Promise<string> {
  const host = listenHost(options, server, parts)
  const { port } = options
  return server.app.listen({ port, host }).catch((error: unknown) => {
    throw listenError(error, host, port)
  })
}

/** While the first user's password is the one everyone knows, only this machine may come in. */
function listenHost(options: ProgramOptions, server: QuiverServer, parts: StartParts): string {
  const isLoopback = /^(127\.|localhost$|::1$)/.test(options.host)
  if (isLoopback || !server.auth.users.passwordIsDefault) return options.host
  parts.print(
    `The user tigergraph still has the initial password: listening on 127.0.0.1 instead of ${options.host}. Set a password (QUIVER_PASSWORD, --password-file) and start again.`,
  )
  return '127.0.0.1'
}

/** From sources the console lies in `dist/ui` of the repository, bundled beside `dist/server`; the manual likewise. */
function builtPages(program: string, name: 'ui' | 'manual'): string | null {
  const here = dirname(program)
  const candidates = [join(here, '..', name), join(here, '../../dist', name)]
  return candidates.find((directory) => existsSync(join(directory, 'index.html'))) ?? null
}
