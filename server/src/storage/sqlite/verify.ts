/**
 * What a start checks, for files that are not to be served: restore, repair and tools use it. The
 * files are opened by the same classes, and the log is read by the same reader.
 */
import { DbError } from '#kernel/errors.ts'
import type { LogPosition } from '../frame/frame.ts'
import { LogFile, type LogFileOptions, type LogState } from './log-file.ts'
import { SegmentFile } from './segment-file.ts'

/**
 * @param foldedSequence what the segments contain, if they are to go with this log
 * @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT at the first thing that does not hold
 */
export function verifyLog(options: LogFileOptions, foldedSequence?: number): LogPosition {
  const log = new LogFile(options)
  try {
    const state = log.state()
    if (foldedSequence !== undefined) checkReach(state, foldedSequence)
    let last = state.anchor
    for (const frame of log.frames()) last = frame
    for (const collection of log.documentCollections()) log.listDocuments(collection)
    return last
  } finally {
    log.close()
  }
}

/** @returns the last frame they contain. @throws DbError CORRUPT_SEGMENT at the first blob that does not hold */
export function verifySegments(path: string): number {
  const segments = new SegmentFile({ path })
  try {
    const manifest = segments.manifest()
    for (const { key } of manifest?.blobs ?? []) segments.readBlob(key)
    return manifest?.foldedSequence ?? 0
  } finally {
    segments.close()
  }
}

/** The log must reach the segments, and the segments what the log has dropped. */
export function checkReach({ anchor, last }: LogState, folded: number): void {
  if (last.sequence < folded) {
    throw new DbError(
      'CORRUPT_LOG',
      `commit log: it ends at frame ${last.sequence}, but the segments contain frame ${folded}`,
      { details: { sequence: last.sequence, foldedSequence: folded } },
    )
  }
  if (anchor.sequence > folded) {
    throw new DbError(
      'CORRUPT_SEGMENT',
      `segments: they reach frame ${folded}, but the log begins after frame ${anchor.sequence}`,
      { details: { sequence: anchor.sequence, foldedSequence: folded } },
    )
  }
}
