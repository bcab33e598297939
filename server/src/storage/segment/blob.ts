/**
 * Blobs as every store keeps them: cut into parts, each stored the smallest way and chained to the
 * one before by its checksum; a manifest says which blobs are current.
 *
 * @see docs/formats/segment.md
 */
import { crc32 } from 'node:zlib'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type { SegmentManifest } from '../store.ts'
import { decodePart, encodePart, PartDamagedError } from './part-codec.ts'

export const PARTS_PER_BLOB_MAX = 2 ** 20
/** Stored rows are smaller than what one transaction takes: read back, they stay in the cache. */
export const PART_SIZE_BYTES_MAX = 1024 * 1024

/** A blob as the manifest stores it: the number says where its parts are. */
export interface StoredBlob {
  readonly key: string
  readonly number: number
  readonly sizeBytes: number
  readonly crc32: number
}

export interface StoredManifest {
  readonly foldedSequence: number
  readonly description: string
  readonly blobs: readonly StoredBlob[]
}

/** A blob on its way in. */
export interface OpenBlob {
  readonly number: number
  sizeBytes: number
  crc32: number
  partCount: number
}

export interface StoredPart {
  /** In its blob, from 0. */
  readonly place: number
  /** Of the stored bytes of this part and all before it. */
  readonly crc: number
  readonly codec: number
  readonly bytes: Uint8Array
}

/** What has been read of a blob. */
export interface ReadBlob {
  readonly sizeBytes: number
  readonly crc: number
}

export const emptyBlob: ReadBlob = { sizeBytes: 0, crc: 0 }

/** The parts of the next piece of a blob; the blob's counts go with them. */
export function* cutIntoParts(blob: OpenBlob, bytes: Uint8Array): Iterable<StoredPart> {
  for (let offset = 0; offset < bytes.length; offset += PART_SIZE_BYTES_MAX) {
    assert(blob.partCount < PARTS_PER_BLOB_MAX, 'a blob has at most its largest number of parts')
    const part = bytes.subarray(offset, offset + PART_SIZE_BYTES_MAX)
    const stored = encodePart(part)
    blob.crc32 = crc32(stored.bytes, blob.crc32)
    blob.sizeBytes += part.length
    yield {
      place: blob.partCount++,
      crc: blob.crc32,
      codec: stored.codec,
      bytes: stored.bytes,
    }
  }
}

/** Holds the checksum against the stored bytes, then decodes them to where the parts before end. */
export function addPart(
  whole: Uint8Array,
  read: ReadBlob,
  part: StoredPart,
  blob: StoredBlob,
): ReadBlob {
  const crc = crc32(part.bytes, read.crc)
  if (crc !== part.crc) throw damagedBlob(blob, `part ${part.place} has a wrong checksum`)
  return {
    sizeBytes: read.sizeBytes + decodedSize(whole.subarray(read.sizeBytes), part, blob),
    crc,
  }
}

/** @throws DbError CORRUPT_SEGMENT */
export function checkWhole(read: ReadBlob, blob: StoredBlob): void {
  if (read.sizeBytes !== blob.sizeBytes) {
    throw damagedBlob(blob, `it has ${read.sizeBytes} of ${blob.sizeBytes} bytes`)
  }
  if (read.crc !== blob.crc32) throw damagedBlob(blob, 'its checksum is wrong')
}

/** @throws DbError CORRUPT_SEGMENT */
export function parseManifest(json: string, crc: number): StoredManifest {
  if (crc32(json) !== crc) {
    throw new DbError('CORRUPT_SEGMENT', 'segments: the manifest has a wrong checksum')
  }
  return JSON.parse(json) as StoredManifest
}

export function publicManifest(stored: StoredManifest): SegmentManifest {
  const { foldedSequence, description, blobs } = stored
  return {
    foldedSequence,
    description,
    blobs: blobs.map(({ key, sizeBytes, crc32 }) => ({ key, sizeBytes, crc32 })),
  }
}

export function blobsByKey(manifest: StoredManifest | null): ReadonlyMap<string, StoredBlob> {
  return new Map((manifest?.blobs ?? []).map((blob) => [blob.key, blob]))
}

/** @throws DbError CORRUPT_SEGMENT */
export function currentBlob(blobs: ReadonlyMap<string, StoredBlob>, key: string): StoredBlob {
  const blob = blobs.get(key)
  if (blob !== undefined) return blob
  const message = `segments: the current manifest has no blob ${key}`
  throw new DbError('CORRUPT_SEGMENT', message, { details: { key } })
}

function decodedSize(rest: Uint8Array, { place, codec, bytes }: StoredPart, blob: StoredBlob) {
  try {
    return decodePart(codec, bytes, rest)
  } catch (error) {
    if (!(error instanceof PartDamagedError)) throw error
    throw damagedBlob(blob, `part ${place}: ${error.message}`)
  }
}

function damagedBlob({ key, sizeBytes }: StoredBlob, what: string): DbError {
  return new DbError('CORRUPT_SEGMENT', `segments: blob ${key} is damaged: ${what}`, {
    details: { key, sizeBytes, what },
  })
}
