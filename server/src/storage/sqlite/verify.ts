/** Reads every frame and every blob of closed files and checks them: for restore, repair and tools. */
import { decodeFrame, type LogFrame, type LogPosition } from '../frame/frame.ts'
import { LogFile } from './log-file.ts'
import { SegmentFile } from './segment-file.ts'

/** @throws DbError CORRUPT_LOG at the first frame that does not hold */
export function verifyLog(path: string): LogPosition {
  const log = new LogFile({ path })
  try {
    let last = log.state().anchor
    for (const frame of walkLog(log, last.sequence)) last = frame
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

/** Every frame from the group after `sequence` on, in order. */
export function* walkLog(log: LogFile, sequence: number): Iterable<LogFrame> {
  let next: number | null = sequence + 1
  let position: LogPosition | null = null
  while (next !== null) {
    const block = log.readBlock(next)
    position ??= block.previous
    for (let offset = 0; offset < block.bytes.length; ) {
      const frame: LogFrame = decodeFrame(block.bytes, offset, position)
      offset += frame.sizeBytes
      position = frame
      yield frame
    }
    next = block.nextSequence
  }
}
