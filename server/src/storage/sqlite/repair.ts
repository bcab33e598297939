/**
 * The way out of a damaged commit log, taken only when someone asks for it.
 *
 * A copy of the log is opened as the start opens it; what the start refuses is the damage. Then the
 * log is written anew from what holds in the copy: every frame behind the segments up to the first
 * one that is damaged, and the documents that match their checksums. The damaged files remain as
 * they were, under names of their own, and the report says what was lost. Segments cannot be
 * repaired, because nothing else holds what they hold: that takes a backup.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Clock } from '#kernel/clock.ts'
import { DbError, type ErrorCode, isDbError } from '#kernel/errors.ts'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { type LogFrame, type LogPosition, layOutFrame, previousOf } from '../frame/frame.ts'
import { openExisting, translating } from './database.ts'
import { type DataFiles, dataFiles, syncPath } from './directory.ts'
import { lockDirectory } from './lock.ts'
import { type AcknowledgedEnd, readLogEnd } from './log-end.ts'
import { LOG_DATABASE, LogFile, type LogFileOptions } from './log-file.ts'
import { readAnchor, walkLog } from './log-reader.ts'
import { verifyLog, verifySegments } from './verify.ts'

export interface RepairReport {
  /** What was wrong, in the order it was found; empty when nothing was, and nothing was changed. */
  readonly damage: readonly string[]
  /** The last commit that the directory still holds. */
  readonly keptThrough: number
  /** Commits behind it that the damaged log has, or once acknowledged. */
  readonly lostCommitCount: number
  /** Documents that could not be read, as `collection/key`. */
  readonly lostDocuments: readonly string[]
  /** Changes of documents that were acknowledged and are missing: which ones nobody knows. */
  readonly lostDocumentChanges: number
  /** Where the damaged log is now. */
  readonly damagedFile: string | null
}

interface Salvage {
  readonly damage: Set<string>
  readonly lostDocuments: string[]
  keptThrough: number
  claimedThrough: number
  lostDocumentChanges: number
}

/** @throws DbError STORE_LOCKED, CORRUPT_SEGMENT when the segments are damaged */
export function repairLog(directory: string, clock: Clock): RepairReport {
  const files = dataFiles(directory)
  if (!existsSync(files.log) && !existsSync(files.segments)) {
    throw new DbError('INVALID_PARAMETER', `${directory} holds no commit log`)
  }
  const lock = lockDirectory(directory, clock)
  // Both in the directory itself: there is no other place where a file can be renamed from.
  const scratch = join(directory, 'repair.partial')
  const fresh = `${files.log}.repaired`
  const removeTemporary = () => {
    rmSync(scratch, { recursive: true, force: true })
    rmSync(fresh, { force: true })
  }
  try {
    removeTemporary()
    const folded = verifySegments(files.segments)
    const salvage = salvageLog(copyLog(files, scratch), fresh, folded)
    // Errors name the copy; the damage is that of the file.
    const damage = [...salvage.damage].map((text) => text.replaceAll(scratch, directory))
    const damagedFile =
      salvage.damage.size === 0 ? null : swapFiles(files, fresh, `after-${salvage.keptThrough}`)
    return {
      damage,
      keptThrough: salvage.keptThrough,
      lostCommitCount: Math.max(0, salvage.claimedThrough - salvage.keptThrough),
      lostDocuments: salvage.lostDocuments,
      lostDocumentChanges: salvage.lostDocumentChanges,
      damagedFile,
    }
  } finally {
    removeTemporary()
    lock.release()
  }
}

/** SQLite may write to what it opens, and deletes a write-ahead log it has read: it gets a copy. */
function copyLog(files: DataFiles, scratch: string): DataFiles {
  mkdirSync(scratch, { mode: 0o700 })
  const copies = dataFiles(scratch)
  const pairs = [
    [files.log, copies.log],
    [`${files.log}-wal`, `${copies.log}-wal`],
    [files.end, copies.end],
  ] as const
  for (const [from, to] of pairs) {
    if (existsSync(from)) copyFileSync(from, to, constants.COPYFILE_FICLONE)
  }
  return copies
}

/** Writes what holds to `fresh` if the start would refuse the log. */
function salvageLog({ log, end }: DataFiles, fresh: string, folded: number): Salvage {
  const salvage: Salvage = {
    damage: new Set(),
    lostDocuments: [],
    keptThrough: folded,
    claimedThrough: Math.max(folded, readLogEnd(end)?.sequence ?? 0),
    lostDocumentChanges: 0,
  }
  const acknowledged = readLogEnd(end)
  const last = collecting(salvage, () => verifyAsStart({ path: log, endPath: end }, folded))
  if (last !== null) return { ...salvage, keptThrough: last.sequence }
  const target = new LogFile({ path: fresh })
  try {
    if (folded > 0) target.restartAfter(folded)
    const source = openIfPossible(log)
    if (source === null) return salvage
    const copying = { source, target, salvage }
    collecting(salvage, () => copyFrames(copying))
    collecting(salvage, () => copyDocuments(copying))
    collecting(salvage, () => countLostChanges(copying, acknowledged))
    source.close()
    if (target.isFailed) throw new DbError('STORE_FAILED', `cannot write ${fresh}`)
  } finally {
    target.close()
  }
  return salvage
}

/**
 * Segments that do not reach the log are no damage of the log, and cutting it would lose what a
 * backup of the segments still needs; unless they contain all that was acknowledged.
 */
function verifyAsStart(options: LogFileOptions & { endPath: string }, folded: number): LogPosition {
  try {
    return verifyLog(options, folded)
  } catch (error) {
    const acknowledged = readLogEnd(options.endPath)
    const isOfLog = acknowledged !== null && acknowledged.sequence <= folded
    if (isOfLog && isDbError(error, 'CORRUPT_SEGMENT')) {
      throw new DbError('CORRUPT_LOG', error.message, { cause: error })
    }
    throw error
  }
}

/** What keeps a file from being opened was noted when the start was tried. */
function openIfPossible(log: string): DatabaseSync | null {
  try {
    return openExisting(LOG_DATABASE, log)
  } catch {
    return null
  }
}

/** Notes damage and goes on; anything else is a failure of the repair itself. */
function collecting<Result>(salvage: Salvage, work: () => Result): Result | null {
  try {
    return translating(LOG_DATABASE, 'read', work)
  } catch (error) {
    if (!isDbError(error) || !DAMAGE.includes(error.code)) throw error
    salvage.damage.add(error.message)
    return null
  }
}

/** What reading a damaged file ends with; SQLite calls some damage a failure. */
const DAMAGE: readonly ErrorCode[] = [
  'CORRUPT_LOG',
  'UNSUPPORTED_FORMAT',
  'INVALID_PARAMETER',
  'STORE_FAILED',
]

interface Copying {
  readonly source: DatabaseSync
  readonly target: LogFile
  readonly salvage: Salvage
}

function copyFrames({ source, target, salvage }: Copying): void {
  const folded = salvage.keptThrough
  const claimed = source.prepare('SELECT max(last_sequence) AS last FROM groups').get()
  mendAnchor(source)
  const anchor = readAnchor(source)
  const claims = [salvage.claimedThrough, anchor.sequence, Number(claimed?.['last'] ?? 0)]
  salvage.claimedThrough = Math.max(...claims)
  if (anchor.sequence > folded) throw gap(anchor.sequence, folded)
  const copy = new FrameCopy(target, salvage)
  let last = anchor.sequence
  try {
    for (const frame of walkLog(source, folded)) {
      last = frame.sequence
      if (last > folded) copy.add(frame)
    }
  } finally {
    copy.flush()
  }
  if (last < folded) throw gap(last, folded)
}

/** In the copy: the first frame that is there says itself what it follows. */
function mendAnchor(source: DatabaseSync): void {
  const row = source.prepare('SELECT bytes FROM groups ORDER BY first_sequence LIMIT 1').get()
  const previous = row?.['bytes'] instanceof Uint8Array ? previousOf(row['bytes']) : null
  if (previous === null) return
  source.exec('DELETE FROM anchor')
  source.prepare('INSERT INTO anchor VALUES (1, ?, ?)').run(previous.sequence, previous.crc)
}

/** Gathers sound frames to groups of a new log. */
class FrameCopy {
  readonly #target: LogFile
  readonly #salvage: Salvage
  #frames: LogFrame[] = []
  #sizeBytes = 0

  constructor(target: LogFile, salvage: Salvage) {
    this.#target = target
    this.#salvage = salvage
  }

  add(frame: LogFrame): void {
    if (this.#sizeBytes + frame.sizeBytes > LOG_GROUP_SIZE_BYTES_MAX) this.flush()
    this.#frames.push(frame)
    this.#sizeBytes += frame.sizeBytes
  }

  flush(): void {
    const last = this.#frames.at(-1)
    if (last === undefined) return
    const bytes = new Uint8Array(this.#sizeBytes)
    let offset = 0
    for (const { sequence, kind, payload } of this.#frames) {
      offset = layOutFrame(bytes, { offset, sequence, kind }, payload)
    }
    this.#target.appendGroup(bytes)
    this.#salvage.keptThrough = last.sequence
    this.#frames = []
    this.#sizeBytes = 0
  }
}

function copyDocuments({ source, target, salvage }: Copying): void {
  const rows = source.prepare('SELECT collection, key, crc, bytes FROM documents').iterate()
  for (const row of rows) {
    const collection = String(row['collection'])
    const key = String(row['key'])
    const { bytes } = row
    if (bytes instanceof Uint8Array && crc32(bytes) === Number(row['crc'])) {
      target.putDocument(collection, key, bytes)
    } else {
      salvage.damage.add(`document ${collection}/${key} has a wrong checksum`)
      salvage.lostDocuments.push(`${collection}/${key}`)
    }
  }
}

/**
 * Gives a file a second name, not another one: at no moment is the directory without a log. A file
 * system without hard links gets a copy, which is on the disk before the log is replaced.
 */
export function keepAlso(file: string, kept: string, link: typeof linkSync = linkSync): void {
  try {
    link(file, kept)
  } catch {
    copyFileSync(file, kept, constants.COPYFILE_EXCL)
    syncPath(kept)
  }
}

function countLostChanges({ source, salvage }: Copying, acknowledged: AcknowledgedEnd | null) {
  if (acknowledged === null) return
  const row = source.prepare('SELECT revision FROM document_state').get()
  const revision = Number(row?.['revision'] ?? 0)
  salvage.lostDocumentChanges = Math.max(0, acknowledged.revision - revision)
}

/**
 * Puts the new log into the place of the damaged one, whose files get other names.
 * @returns the new name of the damaged log
 */
function swapFiles({ log, end }: DataFiles, fresh: string, suffix: string): string {
  syncPath(fresh)
  let damaged = `${log}.damaged-${suffix}`
  for (let copy = 2; isTaken(damaged); copy++) damaged = `${log}.damaged-${suffix}-${copy}`
  if (existsSync(log)) keepAlso(log, damaged)
  // The write-ahead log must not meet the new log, nor what the old one has acknowledged.
  for (const tail of ['-wal', '-shm']) {
    if (existsSync(log + tail)) renameSync(log + tail, damaged + tail)
  }
  if (existsSync(end)) renameSync(end, `${damaged}-end`)
  renameSync(fresh, log)
  syncPath(dirname(log))
  return damaged
}

function isTaken(damaged: string): boolean {
  return ['', '-wal', '-shm', '-end'].some((tail) => existsSync(damaged + tail))
}

function gap(sequence: number, folded: number): DbError {
  const message = `commit log: it leads to frame ${sequence}, but the segments reach frame ${folded}`
  return new DbError('CORRUPT_LOG', message)
}
