/** Reads every frame and every blob of closed files and checks them: for restore, repair and tools. */
import type { LogPosition } from '../frame/frame.ts'
import { LogFile } from './log-file.ts'
import { SegmentFile } from './segment-file.ts'

/** @throws DbError CORRUPT_LOG at the first frame that does not hold */
export function verifyLog(path: string): LogPosition {
  const log = new LogFile({ path })
  try {
    let last = log.state().anchor
    for (const frame of log.frames()) last = frame
    for (const collection of log.documentCollections()) log.listDocuments(collection)
    return last
  } finally {
    log.close()
  }
}

/** @throws DbError CORRUPT_SEGMENT at the first blob that does not hold */
export function verifySegments(path: string): void {
  const segments = new SegmentFile({ path })
  try {
    for (const { key } of segments.manifest()?.blobs ?? []) segments.readBlob(key)
  } finally {
    segments.close()
  }
}
