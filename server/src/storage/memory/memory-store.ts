/**
 * A whole store in memory, for tests of the layers above: the same promises as the real ones, no
 * disk. What a disk would hold is a `MemoryImage`; opening a second store on the image of a closed
 * (or abandoned) one is a restart.
 */
import { crc32 } from 'node:zlib'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { sharedBytes } from '#kernel/shared-memory.ts'
import { FRAME_HEADER_SIZE_BYTES } from '../frame/frame.ts'
import { checkDocument, checkPayload, foldBounds } from '../rules.ts'
import type {
  LogEntry,
  SegmentBlob,
  SegmentManifest,
  SegmentWriter,
  Store,
  StoreState,
  StoreStatistics,
} from '../store.ts'

interface MemoryBlob extends SegmentBlob {
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

export interface MemoryImage {
  /** Entries not yet folded; the first one is `droppedThrough + 1`. */
  log: LogEntry[]
  droppedThrough: number
  manifest: SegmentManifest | null
  blobs: ReadonlyMap<string, MemoryBlob>
  readonly documents: Map<string, Map<string, Uint8Array>>
}

export function createMemoryImage(): MemoryImage {
  return { log: [], droppedThrough: 0, manifest: null, blobs: new Map(), documents: new Map() }
}

export class MemoryStore implements Store {
  readonly image: MemoryImage
  #isClosed = false
  #commitCount = 0

  constructor(image: MemoryImage = createMemoryImage()) {
    this.image = image
  }

  get state(): StoreState {
    return { kind: 'ready' }
  }

  async append(payload: Uint8Array): Promise<number> {
    this.#checkOpen()
    checkPayload(payload)
    const sequence = lastSequence(this.image) + 1
    this.image.log.push({ sequence, payload: new Uint8Array(payload) })
    this.#commitCount++
    return sequence
  }

  async *readLog(afterSequence: number): AsyncIterable<LogEntry> {
    this.#checkOpen()
    for (const entry of this.image.log.slice()) {
      if (entry.sequence > afterSequence) yield entry
    }
  }

  async readManifest(): Promise<SegmentManifest | null> {
    return this.image.manifest
  }

  async readBlob(key: string): Promise<Uint8Array<SharedArrayBuffer>> {
    const blob = this.image.blobs.get(key)
    if (blob === undefined) throw missingBlob(key)
    const actual = crc32(blob.bytes)
    if (actual !== blob.crc32) {
      throw new DbError('CORRUPT_SEGMENT', `segments: blob ${key} has a wrong checksum`)
    }
    return sharedCopy(blob.bytes)
  }

  beginSegments(): SegmentWriter {
    this.#checkOpen()
    return new MemorySegmentWriter(this.image)
  }

  async putDocument(collection: string, key: string, bytes: Uint8Array): Promise<void> {
    this.#checkOpen()
    checkDocument(bytes)
    const documents = this.image.documents.get(collection) ?? new Map<string, Uint8Array>()
    documents.set(key, new Uint8Array(bytes))
    this.image.documents.set(collection, documents)
  }

  async getDocument(collection: string, key: string): Promise<Uint8Array | null> {
    return this.image.documents.get(collection)?.get(key)?.slice() ?? null
  }

  async listDocuments(collection: string): Promise<readonly { key: string; bytes: Uint8Array }[]> {
    return [...(this.image.documents.get(collection) ?? [])]
      .map(([key, bytes]) => ({ key, bytes: bytes.slice() }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  }

  async deleteDocument(collection: string, key: string): Promise<void> {
    this.#checkOpen()
    this.image.documents.get(collection)?.delete(key)
  }

  statistics(): StoreStatistics {
    const { log, manifest } = this.image
    const sizes = log.map((entry) => entry.payload.length + FRAME_HEADER_SIZE_BYTES)
    const blobs = manifest?.blobs ?? []
    return {
      logSizeBytes: sizes.reduce((sum, size) => sum + size, 0),
      logEntryCount: log.length,
      segmentSizeBytes: blobs.reduce((sum, blob) => sum + blob.sizeBytes, 0),
      lastSequence: lastSequence(this.image),
      foldedSequence: manifest?.foldedSequence ?? 0,
      commitCount: this.#commitCount,
      commitGroupCount: this.#commitCount,
      syncMsTotal: 0,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new DbError('UNAVAILABLE', 'the store is closed')
  }
}

class MemorySegmentWriter implements SegmentWriter {
  readonly #image: MemoryImage
  readonly #blobs = new Map<string, MemoryBlob>()

  constructor(image: MemoryImage) {
    this.#image = image
  }

  async writeBlob(key: string, bytes: Uint8Array): Promise<void> {
    this.#add({ key, sizeBytes: bytes.length, crc32: crc32(bytes), bytes: sharedCopy(bytes) })
  }

  writePieces(key: string, pieces: Iterable<Uint8Array>): Promise<void> {
    return this.writeBlob(key, Buffer.concat(Array.from(pieces, (piece) => new Uint8Array(piece))))
  }

  async keepBlob(key: string): Promise<void> {
    const blob = this.#image.blobs.get(key)
    if (blob === undefined) throw missingBlob(key)
    this.#add(blob)
  }

  async publish(description: string, foldedSequence: number): Promise<SegmentManifest> {
    const image = this.#image
    foldBounds(foldedSequence, image.manifest?.foldedSequence ?? 0, lastSequence(image))
    const blobs = [...this.#blobs.values()].map(({ key, sizeBytes, crc32 }) => ({
      key,
      sizeBytes,
      crc32,
    }))
    image.manifest = { foldedSequence, description, blobs }
    image.blobs = new Map(this.#blobs)
    image.log = image.log.filter((entry) => entry.sequence > foldedSequence)
    image.droppedThrough = foldedSequence
    return image.manifest
  }

  async abandon(): Promise<void> {
    this.#blobs.clear()
  }

  #add(blob: MemoryBlob): void {
    assert(!this.#blobs.has(blob.key), `blob ${blob.key} is written once`)
    this.#blobs.set(blob.key, blob)
  }
}

function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = sharedBytes(bytes.length)
  copy.set(bytes)
  return copy
}

function lastSequence(image: MemoryImage): number {
  return image.log.at(-1)?.sequence ?? image.droppedThrough
}

function missingBlob(key: string): DbError {
  return new DbError('CORRUPT_SEGMENT', `segments: the current manifest has no blob ${key}`)
}
