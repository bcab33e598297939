/**
 * Copies of a data directory, taken while a server writes to it, and their way back.
 *
 * The log is copied before the segments: were it the other way, frames folded in between would be
 * missing from both. Segments that reach further than the copied log contain all of it; the copy
 * of the log is then restarted behind them.
 */
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { DbError } from '#kernel/errors.ts'
import { type DatabaseKind, openExisting, translating } from './database.ts'
import { createEmptyDirectory, dataFiles, syncPath } from './directory.ts'
import { isLocked } from './lock.ts'
import { type AcknowledgedEnd, checkReaches, readLogEnd } from './log-end.ts'
import { LOG_DATABASE, LogFile } from './log-file.ts'
import { SEGMENTS_DATABASE, SegmentFile } from './segment-file.ts'
import { verifyLog, verifySegments } from './verify.ts'
import { checkWal } from './wal-check.ts'

/**
 * Copies log and segments into an empty directory. The log keeps taking commits meanwhile; a
 * segment being written waits until its file has been read.
 *
 * @throws DbError INVALID_PARAMETER for a target that is not empty, STORE_FAILED, DISK_FULL,
 *   CORRUPT_LOG and CORRUPT_SEGMENT
 */
export function copyDataFiles(directory: string, target: string): void {
  const from = dataFiles(directory)
  const to = dataFiles(target)
  if (!existsSync(from.log)) {
    throw new DbError('INVALID_PARAMETER', `${directory} holds no Quiver data`)
  }
  checkUnserved(directory)
  // Read before the log: what is acknowledged meanwhile is in the copy or not, as it happens.
  const acknowledged = readLogEnd(from.end)
  createEmptyDirectory(target)
  const partial = `${to.log}.partial`
  copyDatabase(LOG_DATABASE, from.log, partial)
  copyDatabase(SEGMENTS_DATABASE, from.segments, to.segments)
  alignLog(partial, to.segments, acknowledged)
  // The log gets its name last: a directory without one is no backup.
  syncPath(partial)
  renameSync(partial, to.log)
  syncPath(target)
}

/**
 * Puts a backup into an empty directory, after every frame and blob was checked there.
 * @throws DbError INVALID_PARAMETER, CORRUPT_LOG, CORRUPT_SEGMENT
 */
export function restoreDataFiles(backup: string, directory: string): void {
  const from = dataFiles(backup)
  const to = dataFiles(directory)
  for (const file of [from.log, from.segments]) {
    if (existsSync(file)) continue
    throw new DbError('INVALID_PARAMETER', `${backup} is not a complete backup: ${file} is missing`)
  }
  createEmptyDirectory(directory)
  const partial = `${to.log}.partial`
  copyFileSync(from.segments, to.segments)
  copyFileSync(from.log, partial)
  verifyLog({ path: partial }, verifySegments(to.segments))
  syncPath(to.segments)
  syncPath(partial)
  renameSync(partial, to.log)
  syncPath(directory)
}

/** SQLite's own consistent copy of one file, without its free pages. */
function copyDatabase(kind: DatabaseKind, from: string, to: string): void {
  const database = openExisting(kind, from)
  try {
    translating(kind, `copy ${from}`, () => database.prepare('VACUUM INTO ?').run(to))
  } finally {
    database.close()
  }
  syncPath(to)
}

/**
 * Where nobody serves, a damaged write-ahead log must not reach SQLite, which would cut it. The one
 * of a server is being written and was checked when the server started.
 */
function checkUnserved(directory: string): void {
  const { log } = dataFiles(directory)
  try {
    checkWal(log)
  } catch (damage) {
    if (isLocked(directory)) return
    throw damage
  }
}

function alignLog(
  logPath: string,
  segmentsPath: string,
  acknowledged: AcknowledgedEnd | null,
): void {
  const segments = new SegmentFile({ path: segmentsPath })
  const folded = segments.manifest()?.foldedSequence ?? 0
  segments.close()
  const log = new LogFile({ path: logPath })
  try {
    if (acknowledged !== null) checkReaches(log.end, acknowledged)
    if (log.end.sequence < folded) log.restartAfter(folded)
  } finally {
    log.close()
  }
}
