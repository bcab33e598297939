/** Options of a store that several servers share: where it is, and how this instance takes part. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DbError } from '#kernel/errors.ts'
import { fileReason } from '#storage/files/reasons.ts'
import {
  hasPassword,
  isStoreAddress,
  parseStoreAddress,
  type StoreAddress,
} from '#storage/postgres/address.ts'
import { passwordFor } from './pass-file.ts'
import type { Environment, Settings } from './settings.ts'

export interface SharedOptions {
  readonly address: StoreAddress
  /** Of this instance, among those that share the store. */
  readonly name: string
  /** Where the other instances reach it. */
  readonly advertise: string
  readonly takeoverAfterMs: number
  /** How long a write waits for a writer. */
  readonly writeWaitMs: number
  /** Reads are refused once what is here is older. */
  readonly maxStalenessMs: number
}

const TAKEOVER_AFTER_MS = 5_000
const WRITE_WAIT_MS = 10_000
const MAX_STALENESS_MS = 300_000
/** Less would take a slow answer for a dead instance: rows are written once a second. */
const TAKEOVER_AFTER_MS_MIN = 1_500

interface Listening {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** Reads an option in seconds. */
  readonly secondsOf: (name: string) => number | undefined
}

/** Null: the data directory is the store. @throws DbError INVALID_PARAMETER */
export function sharedOptionsOf(
  given: Settings,
  environment: Environment,
  listening: Listening,
): SharedOptions | null {
  const address = storeOf(given, environment)
  if (address === null) return null
  const { host, port, isTls, secondsOf } = listening
  const takeoverAfterMs = secondsOf('takeover-after') ?? TAKEOVER_AFTER_MS
  if (takeoverAfterMs < TAKEOVER_AFTER_MS_MIN) {
    throw invalid(
      `${given.source('takeover-after')} must be at least ${TAKEOVER_AFTER_MS_MIN / 1_000}`,
    )
  }
  const isOpen = host === '0.0.0.0' || host === '::'
  const reachable = isOpen ? hostname() : host
  const byDefault = `${isTls ? 'https' : 'http'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
  return {
    address,
    name: nameOf(given, `${hostname()}:${port}`),
    advertise: urlOf(given, byDefault),
    takeoverAfterMs,
    writeWaitMs: secondsOf('write-wait') ?? WRITE_WAIT_MS,
    maxStalenessMs: secondsOf('max-staleness') ?? MAX_STALENESS_MS,
  }
}

function storeOf(given: Settings, environment: Environment): StoreAddress | null {
  const text = given.text('store')
  const file = given.text('store-file')
  if (text !== undefined && file !== undefined) {
    throw invalid(`${given.source('store')} and ${given.source('store-file')} exclude each other`)
  }
  if (file !== undefined) return addressOf(readText(given.source('store-file'), file), environment)
  if (text === undefined || text === 'sqlite') return null
  if (!isStoreAddress(text)) {
    throw invalid(`${given.source('store')} ${text} is not supported: use sqlite or postgres://…`)
  }
  if (given.source('store') === '--store' && hasPassword(text)) {
    throw invalid(
      '--store must not hold a password, since other users of the machine see arguments: use --store-file, QUIVER_STORE or PGPASSWORD',
    )
  }
  return addressOf(text, environment)
}

/** Of a command's argument: the address of a shared store. @throws DbError INVALID_PARAMETER */
export function addressOf(text: string, environment: Environment): StoreAddress {
  const address = parseStoreAddress(text)
  return { ...address, password: address.password ?? passwordFor(address, environment) }
}

function readText(source: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw invalid(`${source}: ${path} ${fileReason(cause, 'read')}`, cause)
  }
}

function nameOf(given: Settings, byDefault: string): string {
  const name = given.text('name') ?? byDefault
  if (/^[\w.:-]{1,128}$/.test(name)) return name
  throw invalid(`${given.source('name')} must be letters, digits and . : _ -, not '${name}'`)
}

function urlOf(given: Settings, byDefault: string): string {
  const text = given.text('advertise') ?? byDefault
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') {
    return url.origin
  }
  throw invalid(`${given.source('advertise')} must be like http://host:14240, not '${text}'`)
}

function invalid(message: string, cause?: unknown): DbError {
  return new DbError('INVALID_PARAMETER', message, cause === undefined ? {} : { cause })
}
