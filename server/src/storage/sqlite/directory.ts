/** What lies in a data directory, and the small file operations that must survive a power loss. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DbError } from '#kernel/errors.ts'
import { directoryReason, fileReason } from '../files/reasons.ts'

export interface DataFiles {
  readonly log: string
  /** What the log has acknowledged. */
  readonly end: string
  readonly segments: string
  readonly lock: string
  /** Who holds the lock, for the message to those who do not get it. */
  readonly holder: string
}

export function dataFiles(directory: string): DataFiles {
  return {
    log: join(directory, 'log.db'),
    end: join(directory, 'log.end'),
    segments: join(directory, 'segments.db'),
    lock: join(directory, 'lock.db'),
    holder: join(directory, 'lock.json'),
  }
}

/** @throws DbError STORE_FAILED when the directory cannot be made */
export function createDirectory(directory: string): void {
  try {
    createWithParents(resolve(directory))
  } catch (cause) {
    const reason = directoryReason(directory, cause)
    throw new DbError('STORE_FAILED', `cannot create the directory ${directory}: ${reason}`, {
      cause,
    })
  }
}

/** `mkdirSync` with `recursive` never returns below /proc, where the parent exists and takes none. */
function createWithParents(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) createWithParents(parent)
  mkdirSync(path, { mode: 0o700 })
}

/**
 * Whether this user may read and write the directory and what the store has in it. SQLite says no
 * more than that it is unable to open a file.
 * @throws DbError STORE_FAILED naming the path and the reason
 */
export function checkAccess(directory: string): void {
  checkPath(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  const { log, end, segments, lock } = dataFiles(directory)
  const beside = [log, segments].flatMap((path) => [`${path}-wal`, `${path}-shm`])
  for (const path of [log, end, segments, lock, ...beside]) {
    if (existsSync(path)) checkPath(path, constants.R_OK | constants.W_OK)
  }
}

function checkPath(path: string, mode: number): void {
  try {
    accessSync(path, mode)
  } catch (cause) {
    throw new DbError('STORE_FAILED', `${path} ${fileReason(cause, 'write')}`, { cause })
  }
}

/** @throws DbError INVALID_PARAMETER for a directory with anything in it */
export function createEmptyDirectory(directory: string): void {
  createDirectory(directory)
  checkPath(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  const [first] = readdirSync(directory)
  if (first === undefined) return
  throw new DbError('INVALID_PARAMETER', `${directory} is not empty: it contains ${first}`)
}

/** Makes a file's bytes, or a directory's entries, survive a power loss. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
