/**
 * The way out of a damaged commit log, taken only when someone asks for it.
 *
 * The log is written anew from what holds: every frame behind the segments up to the first one
 * that is damaged, and the documents that match their checksums. The damaged file is kept beside
 * it under a name of its own, and the report says what was lost. Segments cannot be repaired,
 * because nothing else holds what they hold: that takes a backup.
 */
import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Clock } from '#kernel/clock.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { type LogFrame, layOutFrame } from '../frame/frame.ts'
import { openExisting, translating } from './database.ts'
import { dataFiles, syncPath } from './directory.ts'
import { lockDirectory } from './lock.ts'
import { LOG_DATABASE, LogFile } from './log-file.ts'
import { readAnchor, walkLog } from './log-reader.ts'
import { SegmentFile } from './segment-file.ts'

export interface RepairReport {
  /** What was wrong, in the order it was found; empty when nothing was, and nothing was changed. */
  readonly damage: readonly string[]
  /** The last commit that the directory still holds. */
  readonly keptThrough: number
  /** Commits behind it that the damaged log claims to have. */
  readonly lostCommitCount: number
  /** Documents that could not be read, as `collection/key`. */
  readonly lostDocuments: readonly string[]
  /** Where the damaged log is now. */
  readonly damagedFile: string | null
}

interface Salvage {
  readonly damage: string[]
  readonly lostDocuments: string[]
  keptThrough: number
  claimedThrough: number
}

/** @throws DbError STORE_LOCKED, CORRUPT_SEGMENT when the segments are damaged */
export function repairLog(directory: string, clock: Clock): RepairReport {
  const files = dataFiles(directory)
  if (!existsSync(files.log)) {
    throw new DbError('INVALID_PARAMETER', `${directory} holds no commit log`)
  }
  const lock = lockDirectory(directory, clock)
  const fresh = `${files.log}.repaired`
  try {
    rmSync(fresh, { force: true })
    const salvage = rewriteLog(files.log, fresh, foldedSequenceOf(files.segments))
    const damagedFile =
      salvage.damage.length === 0
        ? null
        : swapFiles(files.log, fresh, `after-${salvage.keptThrough}`)
    return {
      damage: salvage.damage,
      keptThrough: salvage.keptThrough,
      lostCommitCount: Math.max(0, salvage.claimedThrough - salvage.keptThrough),
      lostDocuments: salvage.lostDocuments,
      damagedFile,
    }
  } finally {
    rmSync(fresh, { force: true })
    lock.release()
  }
}

function foldedSequenceOf(path: string): number {
  const segments = new SegmentFile({ path })
  try {
    const manifest = segments.manifest()
    for (const { key } of manifest?.blobs ?? []) segments.readBlob(key)
    return manifest?.foldedSequence ?? 0
  } finally {
    segments.close()
  }
}

function rewriteLog(path: string, fresh: string, folded: number): Salvage {
  const salvage = { damage: [], lostDocuments: [], keptThrough: folded, claimedThrough: folded }
  const target = new LogFile({ path: fresh })
  try {
    if (folded > 0) target.restartAfter(folded)
    const source = collecting(salvage, () => openExisting(LOG_DATABASE, path))
    if (source !== null) {
      collecting(salvage, () => copyFrames(source, target, salvage))
      collecting(salvage, () => copyDocuments(source, target, salvage))
      source.close()
    }
  } finally {
    target.close()
  }
  return salvage
}

/** Notes damage and goes on; anything else is a failure of the repair itself. */
function collecting<Result>(salvage: Salvage, work: () => Result): Result | null {
  try {
    return translating(LOG_DATABASE, 'read', work)
  } catch (error) {
    const isDamage = isDbError(error, 'CORRUPT_LOG') || isDbError(error, 'UNSUPPORTED_FORMAT')
    if (!isDamage) throw error
    salvage.damage.push(error.message)
    return null
  }
}

function copyFrames(source: DatabaseSync, target: LogFile, salvage: Salvage): void {
  const folded = salvage.keptThrough
  const claimed = source.prepare('SELECT max(last_sequence) AS last FROM groups').get()
  const anchor = readAnchor(source)
  salvage.claimedThrough = Math.max(folded, anchor.sequence, Number(claimed?.['last'] ?? 0))
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
    for (const { sequence, payload } of this.#frames) {
      offset = layOutFrame(bytes, offset, sequence, payload)
    }
    this.#target.appendGroup(bytes)
    this.#salvage.keptThrough = last.sequence
    this.#frames = []
    this.#sizeBytes = 0
  }
}

function copyDocuments(source: DatabaseSync, target: LogFile, salvage: Salvage): void {
  const rows = source.prepare('SELECT collection, key, crc, bytes FROM documents').iterate()
  for (const row of rows) {
    const collection = String(row['collection'])
    const key = String(row['key'])
    const bytes = row['bytes'] as Uint8Array
    if (crc32(bytes) === Number(row['crc'])) {
      target.putDocument(collection, key, bytes)
    } else {
      salvage.damage.push(`document ${collection}/${key} has a wrong checksum`)
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

/** @returns the name under which the damaged log is kept */
function swapFiles(log: string, fresh: string, suffix: string): string {
  let kept = `${log}.damaged-${suffix}`
  for (let copy = 2; existsSync(kept); copy++) kept = `${log}.damaged-${suffix}-${copy}`
  keepAlso(log, kept)
  // What SQLite could not fold into the damaged file goes with it: it must not meet the new one.
  for (const tail of ['-wal', '-shm']) {
    if (existsSync(log + tail)) renameSync(log + tail, kept + tail)
  }
  renameSync(fresh, log)
  syncPath(log)
  syncPath(dirname(log))
  return kept
}

function gap(sequence: number, folded: number): DbError {
  const message = `commit log: it leads to frame ${sequence}, but the segments reach frame ${folded}`
  return new DbError('CORRUPT_LOG', message)
}
