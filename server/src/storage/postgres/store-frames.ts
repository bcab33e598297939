/**
 * What the log of a shared store holds besides commits: documents, and who writes from where on.
 *
 * A document's payload, little-endian: | 0 put, 1 delete: 1 | length of collection 4 | of key 4 |
 * collection | key | bytes |. The others are JSON.
 *
 * @see docs/formats/shared-store.md
 */
import { DbError } from '#kernel/errors.ts'
import type { DocumentChange } from '../documents.ts'
import type { LogFrame } from '../frame/frame.ts'
import type { FollowedEntry } from '../shared-store.ts'

/** An instance as the writer of an epoch; its process by `run`. */
export interface WriterName {
  readonly epoch: number
  readonly name: string
  readonly run: string
}

/** The newest format of entries and checkpoints that this version can read. */
export const READABLE_FORMAT = 1

/** Of `epoch` and `resignation` frames. */
export interface EpochNote extends WriterName {
  /** What the writer writes: the newest format that every instance could read that lived when it began. */
  readonly format: number
  /** Of the writer's program. */
  readonly version: string
}

/** Names the writer as well: the frame of its epoch may be folded. */
export interface CheckpointNote {
  readonly generation: number
  readonly foldedSequence: number
  readonly writer: EpochNote
}

const HEADER_SIZE_BYTES = 9

export function encodeDocument({ collection, key, bytes }: DocumentChange): Uint8Array {
  const names = [Buffer.from(collection), Buffer.from(key)] as const
  const header = Buffer.alloc(HEADER_SIZE_BYTES)
  header.writeUInt8(bytes === null ? 1 : 0, 0)
  header.writeUInt32LE(names[0].length, 1)
  header.writeUInt32LE(names[1].length, 5)
  return Buffer.concat([header, ...names, bytes ?? new Uint8Array(0)])
}

/** @throws DbError CORRUPT_LOG */
export function decodeDocument({ payload, sequence }: LogFrame): DocumentChange {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const kind = bytes[0]
  if (bytes.length < HEADER_SIZE_BYTES || (kind !== 0 && kind !== 1)) throw unreadable(sequence)
  const collectionEnd = HEADER_SIZE_BYTES + bytes.readUInt32LE(1)
  const keyEnd = collectionEnd + bytes.readUInt32LE(5)
  if (keyEnd > bytes.length) throw unreadable(sequence)
  return {
    collection: bytes.toString('utf8', HEADER_SIZE_BYTES, collectionEnd),
    key: bytes.toString('utf8', collectionEnd, keyEnd),
    // A copy: the frame's bytes are those of its whole group.
    bytes: kind === 1 ? null : new Uint8Array(bytes.subarray(keyEnd)),
  }
}

export function encodeNote(note: EpochNote | CheckpointNote): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(note))
}

export function decodeNote<Note extends EpochNote | CheckpointNote>(frame: LogFrame): Note {
  try {
    return JSON.parse(new TextDecoder().decode(frame.payload)) as Note
  } catch (cause) {
    throw unreadable(frame.sequence, cause)
  }
}

/** As it is handed to who follows. */
export function entryOf(frame: LogFrame): FollowedEntry {
  const { kind, sequence, payload } = frame
  switch (kind) {
    case 'commit':
      return { kind, sequence, payload }
    case 'document':
      return { kind, sequence, change: decodeDocument(frame) }
    case 'checkpoint': {
      const { foldedSequence } = decodeNote<CheckpointNote>(frame)
      return { kind, sequence, foldedSequence }
    }
    case 'epoch':
    case 'resignation':
      return { kind: 'store', sequence }
  }
}

function unreadable(sequence: number, cause?: unknown): DbError {
  const message = `commit log: frame ${sequence} is not what its kind says`
  return new DbError('CORRUPT_LOG', message, { details: { sequence }, cause })
}
