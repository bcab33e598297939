/**
 * Copies a whole store, into an empty one of the same or the other kind: log, documents and the
 * current checkpoint. Every entry keeps its sequence. What an instance keeps for itself alone goes
 * with it, under its own name.
 */
import { assert } from '#kernel/assert.ts'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { StoredDocument } from '../documents.ts'
import { type LogFrame, type LogPosition, layOutFrame } from '../frame/frame.ts'
import type { SegmentManifest } from '../store.ts'

export interface CopiedDocument extends StoredDocument {
  readonly collection: string
}

/** One moment of a store. */
export interface CopySource {
  /** The frame before the first one. */
  readonly anchor: LogPosition
  readonly manifest: SegmentManifest | null
  /** Pieces of a blob of the manifest, checked. */
  readBlob(key: string): Promise<Uint8Array>
  documents(): AsyncIterable<CopiedDocument> | Iterable<CopiedDocument>
  /** Behind the anchor, each checked. */
  frames(): AsyncIterable<LogFrame> | Iterable<LogFrame>
  close(): Promise<void>
}

/** An empty store; nothing of the copy is there before `finish`. */
export interface CopyTarget {
  begin(anchor: LogPosition): Promise<void>
  writeBlob(key: string, bytes: Uint8Array): Promise<void>
  publish(description: string, foldedSequence: number): Promise<void>
  putDocument(document: CopiedDocument): Promise<void>
  /** Frames that are laid out, and neither chained nor checksummed. */
  appendGroup(bytes: Uint8Array): Promise<void>
  finish(): Promise<void>
  /** Leaves nothing behind, unless the copy is finished. */
  close(): Promise<void>
}

export interface CopyReport {
  readonly lastSequence: number
  readonly documentCount: number
  readonly blobCount: number
}

/** @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT, DISK_FULL, STORE_FAILED */
export async function copyStore(source: CopySource, target: CopyTarget): Promise<CopyReport> {
  await target.begin(source.anchor)
  const { manifest } = source
  for (const { key } of manifest?.blobs ?? []) {
    await target.writeBlob(key, await source.readBlob(key))
  }
  if (manifest !== null) await target.publish(manifest.description, manifest.foldedSequence)
  let documentCount = 0
  for await (const document of source.documents()) {
    await target.putDocument(document)
    documentCount++
  }
  const lastSequence = await copyFrames(source, target)
  await target.finish()
  return { lastSequence, documentCount, blobCount: manifest?.blobs.length ?? 0 }
}

async function copyFrames(source: CopySource, target: CopyTarget): Promise<number> {
  let frames: LogFrame[] = []
  let sizeBytes = 0
  let last = source.anchor.sequence
  const flush = async () => {
    if (frames.length > 0) await target.appendGroup(layOut(frames, sizeBytes))
    frames = []
    sizeBytes = 0
  }
  for await (const frame of source.frames()) {
    assert(frame.sequence === last + 1, 'frames follow each other')
    if (sizeBytes + frame.sizeBytes > LOG_GROUP_SIZE_BYTES_MAX) await flush()
    frames.push(frame)
    sizeBytes += frame.sizeBytes
    last = frame.sequence
  }
  await flush()
  return last
}

function layOut(frames: readonly LogFrame[], sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  let offset = 0
  for (const { sequence, kind, payload } of frames) {
    offset = layOutFrame(bytes, { offset, sequence, kind }, payload)
  }
  return bytes
}
