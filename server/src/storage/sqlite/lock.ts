/**
 * One process per data directory.
 *
 * The lock is SQLite's own exclusive lock on a file beside the data, that is a lock of the
 * operating system: it ends with the process that holds it, however that process ends, so there is
 * no stale lock to take over and no race in doing so. Who holds it stands in a second file,
 * because the locked one cannot be read; that file is only ever the text of a message.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { dataFiles } from './directory.ts'

export interface DirectoryLock {
  release(): void
}

/** Referred to until released: a connection that is collected as garbage lets its lock go. */
const held = new Set<DatabaseSync>()

/** @throws DbError STORE_LOCKED naming the holder, STORE_FAILED when no file can be made there */
export function lockDirectory(directory: string, clock: Clock): DirectoryLock {
  const files = dataFiles(directory)
  const database = openLock(directory, files.lock)
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (!isBusy(cause)) throw cannotLock(directory, cause)
    const message = `${directory} is in use by ${describeHolder(files.holder)}`
    throw new DbError('STORE_LOCKED', message, { cause })
  }
  held.add(database)
  writeHolder(files.holder, clock)
  return {
    release: () => {
      held.delete(database)
      rmSync(files.holder, { force: true })
      database.close()
    },
  }
}

/** Whether another process, or another store of this one, holds the directory. */
export function isLocked(directory: string): boolean {
  const database = openLock(directory, dataFiles(directory).lock)
  try {
    database.exec('BEGIN EXCLUSIVE')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    database.close()
  }
}

function openLock(directory: string, path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch (cause) {
    throw cannotLock(directory, cause)
  }
}

function cannotLock(directory: string, cause: unknown): DbError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DbError('STORE_FAILED', `cannot lock ${directory}: ${reason}`, { cause })
}

/** SQLITE_BUSY, https://sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

/**
 * Replaced in one step: a reader sees the old holder or the new one, never half a file. On a full
 * disk there is no file at all: that is no reason not to serve reads.
 */
function writeHolder(path: string, clock: Clock): void {
  const started = new Date(clock.nowMs()).toISOString()
  const temporary = `${path}.${process.pid}`
  try {
    writeFileSync(temporary, JSON.stringify({ pid: process.pid, host: hostname(), started }))
    renameSync(temporary, path)
  } catch {
    rmSync(temporary, { force: true, recursive: true })
  }
}

function describeHolder(path: string): string {
  try {
    const { pid, host, started } = JSON.parse(readFileSync(path, 'utf8'))
    return `process ${pid} on ${host}, started ${started}`
  } catch {
    return 'another process'
  }
}
