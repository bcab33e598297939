/** The command line: one verb (none: serve) and its options, read into one object. */

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addressTest } from '#http/client-address.ts'
import { DbError } from '#kernel/errors.ts'
import {
  AUDIT_FILE_COUNT,
  CONNECTION_COUNT_MAX,
  QUERY_TIMEOUT_MS_DEFAULT,
  QUERY_TIMEOUT_MS_MAX,
  QUERY_TIMEOUT_MS_MAX_DEFAULT,
  QUERY_WORKERS_MAX,
  RESPONSE_SIZE_BYTES_MAX_DEFAULT,
} from '#kernel/limits.ts'
import type { TlsPaths } from './tls-files.ts'

export type Verb = 'serve' | 'backup' | 'restore' | 'repair' | 'reset-password' | 'help'

export interface ProgramOptions {
  readonly verb: Verb
  readonly port: number
  readonly host: string
  readonly data: string
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
  /** The directory that backup writes and restore reads, the user whose password is reset. */
  readonly path: string
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

export const helpText = `Usage: quiver [verb] [options]

Verbs
  (none)           serve the database and its console
  backup <dir>     copy the data directory into an empty directory; works while serving
  restore <dir>    bring a backup back into an empty data directory
  repair           cut a damaged commit log at its last good entry, keeping the damaged file
  reset-password [user]  give a user (tigergraph) a new password and print it; no server may run

Options
  --port <n>             port to listen on; 0 takes a free one (14240)
  --host <address>       address to listen on (127.0.0.1)
  --allow-host <name>    further host name to answer to; may be repeated
  --tls-cert <file>      certificate (PEM): HTTPS instead of HTTP; SIGHUP reads it anew
  --tls-key <file>       its private key (PEM)
  --data <dir>           data directory (./.quiver)
  --files <dir>          directory whose files loading jobs may read (files in the data directory)
  --query-files <dir>    directory where queries read and write files, one folder for each graph
                         (query-files in the data directory)
  --exports <dir>        directory of exports and imports (exports in the data directory)
  --store <kind>         where data is kept: sqlite (the default and so far the only one)
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
  --log-level <level>    trace, debug, info, warn, error, silent (warn)
  --help                 this text`

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const verbs = ['backup', 'restore', 'repair', 'reset-password']
const verbsOverDirectory = ['backup', 'restore']

/**
 * @param args without the interpreter and the script
 * @param machineMemoryBytes half of it is the memory limit unless said
 * @throws DbError INVALID_PARAMETER naming what cannot be read
 */
export function parseOptions(args: readonly string[], machineMemoryBytes: number): ProgramOptions {
  const { values, positionals } = read(args)
  const [verb, path] = verbOf(positionals, values.help ?? false)
  if (values.store !== undefined && values.store !== 'sqlite') {
    throw invalid(`--store ${values.store} is not supported: use sqlite`)
  }
  const logLevel = values['log-level'] ?? 'warn'
  if (!logLevels.includes(logLevel)) throw invalid(`--log-level must be ${logLevels.join(', ')}`)
  return {
    verb,
    path,
    port: portOf(values.port ?? '14240'),
    host: values.host ?? '127.0.0.1',
    ...placesOf(values),
    logLevel,
    memoryLimitBytes:
      values.memory === undefined
        ? Math.floor(machineMemoryBytes / 2)
        : sizeOf('memory', values.memory, '64m'),
    auditFileSizeBytes: sizeOf('audit-size', values['audit-size'] ?? '10m', '64k'),
    auditFileCount: countOf('audit-files', values['audit-files']) ?? AUDIT_FILE_COUNT,
    connections: connectionOptionsOf(values),
    ...queryOptionsOf(values),
    allowedHosts: values['allow-host'] ?? [],
    consoleSettings: values['console-settings'] ?? null,
    tls: tlsOf(values['tls-cert'], values['tls-key']),
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        data: { type: 'string' },
        files: { type: 'string' },
        'query-files': { type: 'string' },
        exports: { type: 'string' },
        store: { type: 'string' },
        connections: { type: 'string' },
        'connections-per-address': { type: 'string' },
        'connections-exempt': { type: 'string' },
        'trust-proxy': { type: 'string' },
        'audit-size': { type: 'string' },
        'audit-files': { type: 'string' },
        'query-workers': { type: 'string' },
        'query-timeout': { type: 'string' },
        'query-timeout-max': { type: 'string' },
        'response-max': { type: 'string' },
        memory: { type: 'string' },
        'log-level': { type: 'string' },
        'console-settings': { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    throw invalid(`${cause instanceof Error ? cause.message : String(cause)}; see --help`)
  }
}

type Places = Pick<ProgramOptions, 'data' | 'files' | 'queryFiles' | 'exports'>

function placesOf(values: ReturnType<typeof read>['values']): Places {
  const { data = './.quiver' } = values
  return {
    data,
    files: values.files ?? join(data, 'files'),
    queryFiles: values['query-files'] ?? join(data, 'query-files'),
    exports: values.exports ?? join(data, 'exports'),
  }
}

function connectionOptionsOf(values: ReturnType<typeof read>['values']): ConnectionOptions {
  const perAddress = values['connections-per-address']
  return {
    connectionCountMax: countOf('connections', values.connections) ?? CONNECTION_COUNT_MAX,
    connectionsPerAddressMax: countOf('connections-per-address', perAddress) ?? null,
    exemptAddresses: addressesOf('connections-exempt', values['connections-exempt'] ?? 'loopback'),
    trustedProxies: addressesOf('trust-proxy', values['trust-proxy'] ?? 'none'),
  }
}

/** Of `--name`: addresses and networks with commas between them, or `none`. */
function addressesOf(name: string, text: string): string[] {
  if (text === 'none') return []
  const addresses = text.split(',').map((address) => address.trim())
  try {
    addressTest(addresses)
  } catch {
    throw invalid(
      `--${name} must be addresses or networks like 10.0.0.0/8,192.0.2.1, or none, not '${text}'`,
    )
  }
  return addresses
}

function tlsOf(cert: string | undefined, key: string | undefined): TlsPaths | null {
  if (cert === undefined && key === undefined) return null
  if (cert !== undefined && key !== undefined) return { cert, key }
  throw invalid('--tls-cert and --tls-key go together')
}

function verbOf(positionals: readonly string[], help: boolean): [Verb, string] {
  const [verb, path = '', ...rest] = positionals
  if (help) return ['help', '']
  if (verb === undefined) return ['serve', '']
  if (!verbs.includes(verb) || rest.length > 0) throw invalid(`unknown verb '${verb}'; see --help`)
  if (verbsOverDirectory.includes(verb) && path === '')
    throw invalid(`${verb} needs a directory; see --help`)
  return [verb as Verb, path]
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw invalid(`--port must be a number from 0 to 65535, not '${text}'`)
}

/** Of `--name`: a number of at least 1. */
function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw invalid(`--${name} must be a number from 1 to 9999999, not '${text}'`)
}

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Of `--name`: `512m`, `8g`, or bytes. */
function sizeOf(name: string, text: string, least: string): number {
  const bytes = bytesOf(text)
  if (bytes !== null && bytes >= bytesOf(least)!) return Math.floor(bytes)
  throw invalid(`--${name} must be a size of at least ${least}, like 8g, not '${text}'`)
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

function queryOptionsOf(values: ReturnType<typeof read>['values']): QueryOptions {
  const workers = countOf('query-workers', values['query-workers']) ?? null
  if (workers !== null && workers > QUERY_WORKERS_MAX) {
    throw invalid(`--query-workers must be a number from 1 to ${QUERY_WORKERS_MAX}`)
  }
  const given = secondsOf('query-timeout', values['query-timeout'])
  const max = secondsOf('query-timeout-max', values['query-timeout-max'])
  const queryTimeoutMsMax = max ?? Math.max(QUERY_TIMEOUT_MS_MAX_DEFAULT, given ?? 0)
  const queryTimeoutMs = given ?? Math.min(QUERY_TIMEOUT_MS_DEFAULT, queryTimeoutMsMax)
  if (queryTimeoutMs > queryTimeoutMsMax) {
    throw invalid('--query-timeout must not be greater than --query-timeout-max')
  }
  const size = values['response-max']
  const responseSizeBytesMax =
    size === undefined ? RESPONSE_SIZE_BYTES_MAX_DEFAULT : sizeOf('response-max', size, '1m')
  return { queryWorkerCount: workers, queryTimeoutMs, queryTimeoutMsMax, responseSizeBytesMax }
}

/** Of `--name`, in milliseconds: seconds, possibly with a fraction. */
function secondsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1_000) : 0
  if (ms > 0 && ms <= QUERY_TIMEOUT_MS_MAX) return ms
  const max = Math.floor(QUERY_TIMEOUT_MS_MAX / 1_000)
  throw invalid(`--${name} must be a number of seconds up to ${max}, not '${text}'`)
}

function invalid(message: string): DbError {
  return new DbError('INVALID_PARAMETER', message)
}
