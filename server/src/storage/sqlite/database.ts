/**
 * Opens our SQLite files: pragmas, format version, and SQLite's failures in our own codes.
 *
 * `application_id` says that a file is ours, `user_version` which format it has. A newer program
 * brings an older file up to date, one step per version, each in its own transaction; an older
 * program refuses a newer file.
 */
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DbError, type ErrorCode, isDbError, newerFormat } from '#kernel/errors.ts'
import { STORE_DELETE_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { applyUpgrade, checkPages, checkSchema, type Upgrade } from './structure.ts'

export interface DatabaseKind {
  /** As messages name it: "commit log". */
  readonly title: string
  readonly applicationId: number
  readonly corruptCode: ErrorCode
  readonly pageSizeBytes: number
  /** Whether a new file can shrink page by page; an older one stays as it was made. */
  readonly givesPagesBack?: boolean
  readonly journalMode: 'wal' | 'truncate'
  /** Whether a file is read whole when it is opened, to see that its pages belong together. */
  readonly checksPages?: boolean
  /** What leads from format version `index` to `index + 1`; 0 is an empty file. */
  readonly upgrades: readonly Upgrade[]
}

export interface DatabaseOptions {
  readonly path: string
  /** Tests make the disk full with it. */
  readonly pagesMax?: number | undefined
}

/** How long a statement waits for a backup that reads the same file. */
const BUSY_TIMEOUT_MS = 600_000

/** SQLite makes a file of 32 KiB beside each database that it opens. */
const ROOM_SIZE_BYTES_MIN = 64 * 1024

/** @throws DbError UNSUPPORTED_FORMAT, the kind's corruption code, STORE_FAILED, DISK_FULL */
export function openDatabase(kind: DatabaseKind, options: DatabaseOptions): DatabaseSync {
  const database = translating(kind, `open ${options.path}`, () => {
    return new DatabaseSync(options.path, { timeout: BUSY_TIMEOUT_MS })
  })
  try {
    translating(kind, `open ${options.path}`, () => prepareDatabase(database, kind, options))
    return database
  } catch (error) {
    database.close()
    throw isDbError(error) && error.code === 'STORE_FAILED' ? withRoom(error, options.path) : error
  }
}

/** On a full disk some files fail with "disk I/O error". */
function withRoom(error: DbError, path: string): DbError {
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize >= ROOM_SIZE_BYTES_MIN) return error
  const message = `${error.message}; its file system has no space left`
  return new DbError('DISK_FULL', message, { cause: error })
}

/**
 * Opens a file as it is, also beside a server that writes to it: no upgrade, nothing is created.
 * What a crash left unfinished is finished first, so it may write.
 */
export function openExisting(kind: DatabaseKind, path: string): DatabaseSync {
  if (!existsSync(path)) throw new DbError('INVALID_PARAMETER', `there is no ${kind.title} ${path}`)
  return translating(kind, `read ${path}`, () => {
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      checkFormat(database, kind, path)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Runs `work` as one transaction; on failure everything is undone before the error goes on. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A failed commit may have ended the transaction already; the first failure is the one to tell.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Runs `work` and gives SQLite's failures our codes. */
export function translating<Result>(kind: DatabaseKind, doing: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw translate(kind, doing, error)
  }
}

/**
 * Moves some pages from the end of the file into free ones and cuts the file, in one transaction.
 * @returns whether there are more to give back
 */
export function giveFreePagesBack(database: DatabaseSync, kind: DatabaseKind): boolean {
  const pages = STORE_DELETE_SIZE_BYTES_MAX / kind.pageSizeBytes
  const isPossible = readPragma(database, 'auto_vacuum') !== 0
  if (!isPossible || readPragma(database, 'freelist_count') < pages) return false
  database.exec(`PRAGMA incremental_vacuum(${pages})`)
  return true
}

export function pageUse(database: DatabaseSync): {
  readonly usedSizeBytes: number
  readonly freeSizeBytes: number
} {
  const pageSize = readPragma(database, 'page_size')
  const free = readPragma(database, 'freelist_count')
  const used = readPragma(database, 'page_count') - free
  return { usedSizeBytes: used * pageSize, freeSizeBytes: free * pageSize }
}

function translate(kind: DatabaseKind, doing: string, error: unknown): unknown {
  if (isDbError(error)) return error
  if (isOutOfRange(error)) {
    return new DbError(kind.corruptCode, `${kind.title}: it holds a number that is none of ours`)
  }
  const result = resultCode(error)
  if (result === null) return error
  const reason = error instanceof Error ? error.message : String(error)
  const message = `${kind.title}: cannot ${doing}: ${reason}`
  return new DbError(codeOf(result, kind), message, { cause: error, details: { sqlite: result } })
}

/** https://sqlite.org/rescode.html: the low byte of an extended code is its primary code. */
function codeOf(result: number, kind: DatabaseKind): ErrorCode {
  // A file that is shorter than it says: SQLITE_IOERR_SHORT_READ.
  if (result === 522) return kind.corruptCode
  switch (result & 0xff) {
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return kind.corruptCode
    case 13: // SQLITE_FULL
      return 'DISK_FULL'
    default:
      return 'STORE_FAILED'
  }
}

/** An integer beyond 2^53: we write none. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

function prepareDatabase(database: DatabaseSync, kind: DatabaseKind, options: DatabaseOptions) {
  // Only an empty file takes these two; for any other the statements do nothing.
  database.exec(`PRAGMA page_size = ${kind.pageSizeBytes}`)
  if (kind.givesPagesBack === true) database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  const version = checkFormat(database, kind, options.path)
  if (version > 0 && kind.checksPages === true) checkPages(database, kind)
  database.exec(`PRAGMA journal_mode = ${kind.journalMode}`)
  database.exec('PRAGMA synchronous = FULL')
  if (options.pagesMax !== undefined) database.exec(`PRAGMA max_page_count = ${options.pagesMax}`)
  for (let from = version; from < kind.upgrades.length; from++) {
    transaction(database, () => {
      applyUpgrade(database, kind.upgrades[from]!)
      database.exec(`PRAGMA application_id = ${kind.applicationId}`)
      database.exec(`PRAGMA user_version = ${from + 1}`)
    })
  }
}

/** @returns the format version of the file, 0 for an empty one */
function checkFormat(database: DatabaseSync, kind: DatabaseKind, path: string): number {
  const version = readPragma(database, 'user_version')
  const applicationId = readPragma(database, 'application_id')
  // A file that a crash left with its settings, before its first table, is empty, too.
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (!isEmpty && applicationId !== kind.applicationId) {
    const message = `${path} is no Quiver ${kind.title}: its application id is ${applicationId}`
    throw new DbError('UNSUPPORTED_FORMAT', message)
  }
  if (version > kind.upgrades.length) {
    throw newerFormat(`${path} has`, version, kind.upgrades.length)
  }
  if (version > 0 || !isEmpty) checkSchema(database, kind, version)
  return version
}

function readPragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0)
}
