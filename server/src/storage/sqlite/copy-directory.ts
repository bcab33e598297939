/** A data directory as the source and as the target of a copy (`storage/copy/copy.ts`). */
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { CopiedDocument, CopySource, CopyTarget } from '../copy/copy.ts'
import { createEmptyDirectory, dataFiles, syncPath } from './directory.ts'
import { lockDirectory } from './lock.ts'
import { LogFile } from './log-file.ts'
import { SegmentFile } from './segment-file.ts'
import { checkReach } from './verify.ts'

const WRITER = 1

/** @throws DbError INVALID_PARAMETER, STORE_LOCKED while a server has it open, CORRUPT_LOG */
export function openDirectorySource(directory: string, clock: Clock): CopySource {
  const files = dataFiles(directory)
  if (!existsSync(files.log)) {
    throw new DbError('INVALID_PARAMETER', `${directory} holds no Quiver data`)
  }
  const lock = lockDirectory(directory, clock)
  const log = new LogFile({ path: files.log, endPath: files.end })
  const segments = new SegmentFile({ path: files.segments })
  const { anchor } = log.state()
  const manifest = segments.manifest()
  checkReach(log.state(), manifest?.foldedSequence ?? 0)
  return {
    anchor,
    manifest,
    readBlob: async (key) => segments.readBlob(key),
    documents: () => documentsOf(log),
    frames: () => log.frames(),
    close: async () => {
      segments.close()
      log.close()
      lock.release()
    },
  }
}

/** @throws DbError INVALID_PARAMETER for a directory that is not empty */
export function openDirectoryTarget(directory: string): CopyTarget {
  createEmptyDirectory(directory)
  const files = dataFiles(directory)
  const partial = `${files.log}.partial`
  const log = new LogFile({ path: partial })
  const segments = new SegmentFile({ path: files.segments })
  let isFinished = false
  return {
    begin: async ({ sequence }) => {
      if (sequence > 0) log.restartAfter(sequence)
    },
    writeBlob: async (key, bytes) => writeBlob(segments, key, bytes),
    publish: async (description, foldedSequence) => {
      segments.publish(WRITER, description, foldedSequence)
    },
    putDocument: async ({ collection, key, bytes }) => log.putDocument(collection, key, bytes),
    appendGroup: async (bytes) => {
      log.appendGroup(bytes)
    },
    finish: async () => {
      log.close()
      segments.close()
      isFinished = true
      syncPath(files.segments)
      syncPath(partial)
      // The log gets its name last: a directory without one holds no data.
      renameSync(partial, files.log)
      syncPath(directory)
    },
    close: async () => {
      if (isFinished) return
      log.close()
      segments.close()
      for (const path of [partial, `${partial}-wal`, `${partial}-shm`, files.segments]) {
        rmSync(path, { force: true })
      }
    },
  }
}

function* documentsOf(log: LogFile): Iterable<CopiedDocument> {
  for (const collection of log.documentCollections()) {
    for (const { key, bytes } of log.listDocuments(collection)) yield { collection, key, bytes }
  }
}

function writeBlob(segments: SegmentFile, key: string, bytes: Uint8Array): void {
  let start = 0
  do {
    const piece = bytes.subarray(start, start + SEGMENT_BLOB_SIZE_BYTES_MAX)
    start += SEGMENT_BLOB_SIZE_BYTES_MAX
    segments.writePiece({ writer: WRITER, key, bytes: piece, isLast: start >= bytes.length })
  } while (start < bytes.length)
}
