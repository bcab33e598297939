/** The command line: one command (none: serve) and its options, read into one object. */

import { join } from 'node:path'
import { addressTest } from '#http/client-address.ts'
import { DbError } from '#kernel/errors.ts'
import {
  AUDIT_FILE_COUNT,
  AUDIT_FILE_SIZE_BYTES,
  CONNECTION_COUNT_MAX,
  QUERY_TIMEOUT_MS_DEFAULT,
  QUERY_TIMEOUT_MS_MAX,
  QUERY_TIMEOUT_MS_MAX_DEFAULT,
  QUERY_WORKERS_MAX,
  RESPONSE_SIZE_BYTES_MAX_DEFAULT,
} from '#kernel/limits.ts'
import { nearest } from '#query/syntax/suggest.ts'
import { type Environment, type OptionTable, readSettings, type Settings } from './settings.ts'
import { type SharedOptions, sharedOptionsOf } from './shared-options.ts'
import type { TlsPaths } from './tls-files.ts'

/** How many arguments follow each command at most. */
const argumentsOfCommand = {
  serve: 0,
  backup: 1,
  restore: 1,
  copy: 2,
  repair: 0,
  'reset-password': 1,
  version: 0,
  help: 1,
} as const

export type Command = keyof typeof argumentsOfCommand

export interface ProgramOptions {
  readonly command: Command
  readonly port: number
  readonly host: string
  readonly data: string
  /** The store that several servers share; null: the data directory. */
  readonly shared: SharedOptions | null
  /** The directory whose files loading jobs may read. */
  readonly files: string
  /** The directory where queries read and write files, one folder for each graph. */
  readonly queryFiles: string
  /** The directory where exports are written and imports are read. */
  readonly exports: string
  readonly logLevel: string
  readonly memoryLimitBytes: number
  readonly connections: ConnectionOptions
  /** Of a file of the audit log, and how many there are. */
  readonly auditFileSizeBytes: number
  readonly auditFileCount: number
  /** Threads that run queries; null: as many as the machine has cores. */
  readonly queryWorkerCount: number | null
  /** Of a run that asks for no time, and what a run may ask for at most. */
  readonly queryTimeoutMs: number
  readonly queryTimeoutMsMax: number
  /** What a request may ask for at most as the size of its answer. */
  readonly responseSizeBytesMax: number
  /** Further host names that requests may carry, such as that of a proxy. */
  readonly allowedHosts: readonly string[]
  /** The directory that backup writes and restore reads, what copy reads, the user whose password is reset. */
  readonly path: string
  /** What copy writes; empty: the store of the options. */
  readonly target: string
  /** The file that holds the first user's password for the first start; null: none. */
  readonly passwordFile: string | null
  /** The file of what the console presets and locks; null: none. */
  readonly consoleSettings: string | null
  /** Files of certificate and key: HTTPS; null: HTTP. */
  readonly tls: TlsPaths | null
}

export interface ConnectionOptions {
  /** Connections that are open at once, and those of one address; null: a quarter of all. */
  readonly connectionCountMax: number
  readonly connectionsPerAddressMax: number | null
  /** Addresses and networks without a limit of their own. */
  readonly exemptAddresses: readonly string[]
  /** Of proxies whose word about the client counts. */
  readonly trustedProxies: readonly string[]
}

export const helpText = `Usage: quiver [command] [options]

Commands
  serve            serve the database and its console; the default
  backup <dir>     copy the data directory into an empty directory; works while serving
  restore <dir>    restore a backup into an empty data directory
  copy <from> [to]  copy a data directory or a shared store (postgres://…) into an empty one of
                   either kind; without [to] into that of --store, --store-file or --data
  repair           truncate a damaged commit log after its last valid entry; the
                   damaged file is preserved
  reset-password [user]  give a user (tigergraph) a new password and print it; no server may run
  version, help    what --version and --help print

Options
  --config <file>        JSON: settings under the names of these options, like {"port": 8080}
  --port <n>             port to listen on; 0 takes a free one (14240)
  --host <address>       address to listen on (127.0.0.1)
  --allow-host <name>    further host name that requests may carry; repeatable
  --tls-cert <file>      certificate (PEM): HTTPS instead of HTTP; SIGHUP reloads it
  --tls-key <file>       its private key (PEM)
  --data <dir>           data directory (./.quiver)
  --files <dir>          directory whose files loading jobs may read (files in the data directory)
  --query-files <dir>    directory where queries read and write files, one folder for each graph
                         (query-files in the data directory)
  --exports <dir>        directory of exports and imports (exports in the data directory)
  --store <kind>         where data is stored: sqlite, in the data directory (the default), or
                         postgres://user@host1,host2/database?sslmode=verify-full&schema=quiver: a
                         PostgreSQL that several servers share
  --store-file <file>    file that holds such an address, with the password
  --name <name>          of this server among those that share a store (host name and port)
  --advertise <url>      where the others reach this server (from --host and --port)
  --takeover-after <s>   seconds of silence after which another server writes (5)
  --write-wait <s>       seconds that a write waits for a server that writes (10)
  --max-staleness <s>    seconds that what is read may be behind before reads are refused (300)
  --memory <size>        memory that the process may take, like 8g or 512m (half of the machine's):
                         graphs, the copies that a rebuild needs, queries and requests. Beyond
                         it writes are refused; reads, deletes and rebuilds go on. An empty
                         server takes some 250m
  --query-workers <n>    queries that run at the same time (one for each core); one thread more runs
                         short queries beside long ones
  --query-timeout <s>    seconds that a query may take when its request does not say (16)
  --query-timeout-max <s>  seconds that a request may ask for with GSQL-TIMEOUT at most (3600)
  --response-max <size>  bytes that a request may ask for with RESPONSE-LIMIT at most (256m)
  --connections <n>      connections that are open at once (2000)
  --connections-per-address <n>  those of one address (a quarter of --connections); at either limit
                         an idle connection is closed for a new one
  --connections-exempt <addresses>  addresses and networks with no limit of their own, or none
                         (loopback)
  --trust-proxy <addresses>  addresses and networks of proxies whose X-Forwarded-For and
                         X-Forwarded-Proto count (none)
  --audit-size <size>    size of a file of the audit log, like 10m (10m)
  --audit-files <n>      files of the audit log, with the one that is written (5)
  --console-settings <file>  JSON: settings of the console to preset and to lock, and why
  --log-level <level>    trace, debug, info, warn, error, fatal, silent (warn)
  --password-file <file>  password of the first user (tigergraph) in a new data directory, so that
                         others can reach the server at its first start
  --version              the version of the program
  --help                 this text

Each option with a value is also an environment variable: QUIVER_PORT for --port, QUIVER_QUERY_TIMEOUT
for --query-timeout, QUIVER_ALLOW_HOST=a,b for two. Arguments take precedence over variables, and variables
over the file. QUIVER_PASSWORD holds the first password itself; the file and the arguments do not take it.`

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const commandsOverDirectory = ['backup', 'restore']

const table = {
  config: { type: 'string', isPath: true },
  port: { type: 'string' },
  host: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  data: { type: 'string', isPath: true },
  files: { type: 'string', isPath: true },
  'query-files': { type: 'string', isPath: true },
  exports: { type: 'string', isPath: true },
  store: { type: 'string' },
  'store-file': { type: 'string', isPath: true },
  name: { type: 'string' },
  advertise: { type: 'string' },
  'takeover-after': { type: 'string' },
  'write-wait': { type: 'string' },
  'max-staleness': { type: 'string' },
  connections: { type: 'string' },
  'connections-per-address': { type: 'string' },
  'connections-exempt': { type: 'string', multiple: true },
  'trust-proxy': { type: 'string', multiple: true },
  'audit-size': { type: 'string' },
  'audit-files': { type: 'string' },
  'query-workers': { type: 'string' },
  'query-timeout': { type: 'string' },
  'query-timeout-max': { type: 'string' },
  'response-max': { type: 'string' },
  memory: { type: 'string' },
  'log-level': { type: 'string' },
  'console-settings': { type: 'string', isPath: true },
  'password-file': { type: 'string', isPath: true },
  'tls-cert': { type: 'string', isPath: true },
  'tls-key': { type: 'string', isPath: true },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies OptionTable

export const optionNames: readonly string[] = Object.keys(table)

/**
 * @param args without the interpreter and the script
 * @param machineMemoryBytes half of it is the memory limit unless said
 * @throws DbError INVALID_PARAMETER naming what cannot be read
 */
export function parseOptions(
  args: readonly string[],
  machineMemoryBytes: number,
  environment: Environment = {},
): ProgramOptions {
  const given = readSettings(args, environment, table)
  const [command, path, target] = commandOf(given)
  const logLevel = given.text('log-level') ?? 'warn'
  if (!logLevels.includes(logLevel)) {
    throw invalid(`${given.source('log-level')} must be ${logLevels.join(', ')}, not '${logLevel}'`)
  }
  const host = given.text('host') ?? '127.0.0.1'
  const port = portOf(given)
  const tls = tlsOf(given)
  return {
    command,
    path,
    target,
    port,
    host,
    shared: sharedOptionsOf(given, environment, {
      host,
      port,
      isTls: tls !== null,
      secondsOf: (name) => secondsOf(given, name),
    }),
    ...placesOf(given),
    logLevel,
    memoryLimitBytes: sizeOf(given, 'memory', '64m') ?? Math.floor(machineMemoryBytes / 2),
    auditFileSizeBytes: sizeOf(given, 'audit-size', '64k') ?? AUDIT_FILE_SIZE_BYTES,
    auditFileCount: countOf(given, 'audit-files') ?? AUDIT_FILE_COUNT,
    connections: connectionOptionsOf(given),
    ...queryOptionsOf(given),
    allowedHosts: given.texts('allow-host'),
    passwordFile: given.text('password-file') ?? null,
    consoleSettings: given.text('console-settings') ?? null,
    tls,
  }
}

type Places = Pick<ProgramOptions, 'data' | 'files' | 'queryFiles' | 'exports'>

function placesOf(given: Settings): Places {
  const data = given.text('data') ?? './.quiver'
  return {
    data,
    files: given.text('files') ?? join(data, 'files'),
    queryFiles: given.text('query-files') ?? join(data, 'query-files'),
    exports: given.text('exports') ?? join(data, 'exports'),
  }
}

function connectionOptionsOf(given: Settings): ConnectionOptions {
  return {
    connectionCountMax: countOf(given, 'connections') ?? CONNECTION_COUNT_MAX,
    connectionsPerAddressMax: countOf(given, 'connections-per-address') ?? null,
    exemptAddresses: addressesOf(given, 'connections-exempt', 'loopback'),
    trustedProxies: addressesOf(given, 'trust-proxy', 'none'),
  }
}

/** Of an option: addresses and networks with commas between them, or `none`. */
function addressesOf(given: Settings, name: string, byDefault: string): string[] {
  const text = given.texts(name).join(',') || byDefault
  if (text === 'none') return []
  const addresses = text.split(',').map((address) => address.trim())
  try {
    addressTest(addresses)
  } catch {
    throw invalid(
      `${given.source(name)} must be addresses or networks like 10.0.0.0/8,192.0.2.1, or none, not '${text}'`,
    )
  }
  return addresses
}

function tlsOf(given: Settings): TlsPaths | null {
  const cert = given.text('tls-cert')
  const key = given.text('tls-key')
  if (cert === undefined && key === undefined) return null
  if (cert !== undefined && key !== undefined) return { cert, key }
  throw invalid('--tls-cert and --tls-key must be given together')
}

function commandOf(given: Settings): [Command, string, string] {
  if (given.flag('help')) return ['help', '', '']
  if (given.flag('version')) return ['version', '', '']
  const [command = 'serve', path = '', target = '', ...rest] = given.positionals
  if (!isCommand(command)) {
    const similar = nearest(command, Object.keys(argumentsOfCommand))
    const hint = similar ? `did you mean ${similar}?` : 'see --help'
    throw invalid(`unknown command '${command}'; ${hint}`)
  }
  const extra = [path, target, ...rest]
    .slice(argumentsOfCommand[command])
    .find((word) => word !== '')
  if (extra !== undefined) throw invalid(`${command} does not take '${extra}'; see --help`)
  if (commandsOverDirectory.includes(command) && path === '')
    throw invalid(`${command} needs a directory; see --help`)
  if (command === 'copy' && path === '') throw invalid('copy needs what to copy; see --help')
  return [command, path, target]
}

function isCommand(word: string): word is Command {
  return Object.hasOwn(argumentsOfCommand, word)
}

function portOf(given: Settings): number {
  const text = given.text('port') ?? '14240'
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw invalid(`${given.source('port')} must be a number from 0 to 65535, not '${text}'`)
}

/** Of an option: a number of at least 1. */
function countOf(given: Settings, name: string): number | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw invalid(`${given.source(name)} must be a number from 1 to 9999999, not '${text}'`)
}

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Of an option: `512m`, `8g`, or bytes. */
function sizeOf(given: Settings, name: string, least: string): number | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  const bytes = bytesOf(text)
  if (bytes !== null && bytes >= bytesOf(least)!) return Math.floor(bytes)
  throw invalid(`${given.source(name)} must be a size of at least ${least}, like 8g, not '${text}'`)
}

/** Null: no size. */
function bytesOf(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i.exec(text)
  if (match === null) return null
  return Number(match[1]) * (units[(match[2] ?? '').toLowerCase()] ?? 1)
}

type QueryOptions = Pick<
  ProgramOptions,
  'queryWorkerCount' | 'queryTimeoutMs' | 'queryTimeoutMsMax' | 'responseSizeBytesMax'
>

function queryOptionsOf(given: Settings): QueryOptions {
  const workers = countOf(given, 'query-workers') ?? null
  if (workers !== null && workers > QUERY_WORKERS_MAX) {
    throw invalid(
      `${given.source('query-workers')} must be a number from 1 to ${QUERY_WORKERS_MAX}`,
    )
  }
  const timeout = secondsOf(given, 'query-timeout')
  const max = secondsOf(given, 'query-timeout-max')
  const queryTimeoutMsMax = max ?? Math.max(QUERY_TIMEOUT_MS_MAX_DEFAULT, timeout ?? 0)
  const queryTimeoutMs = timeout ?? Math.min(QUERY_TIMEOUT_MS_DEFAULT, queryTimeoutMsMax)
  if (queryTimeoutMs > queryTimeoutMsMax) {
    const [least, most] = [given.source('query-timeout'), given.source('query-timeout-max')]
    throw invalid(`${least} must not be greater than ${most}`)
  }
  const responseSizeBytesMax =
    sizeOf(given, 'response-max', '1m') ?? RESPONSE_SIZE_BYTES_MAX_DEFAULT
  return { queryWorkerCount: workers, queryTimeoutMs, queryTimeoutMsMax, responseSizeBytesMax }
}

/** Of an option, in milliseconds: seconds, possibly with a fraction. */
function secondsOf(given: Settings, name: string): number | undefined {
  const text = given.text(name)
  if (text === undefined) return undefined
  const ms = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1_000) : 0
  if (ms > 0 && ms <= QUERY_TIMEOUT_MS_MAX) return ms
  const max = Math.floor(QUERY_TIMEOUT_MS_MAX / 1_000)
  throw invalid(`${given.source(name)} must be a number of seconds up to ${max}, not '${text}'`)
}

function invalid(message: string): DbError {
  return new DbError('INVALID_PARAMETER', message)
}
