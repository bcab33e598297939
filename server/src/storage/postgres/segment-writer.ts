/** One checkpoint of the writer on its way to the segment thread. */
import { assert } from '#kernel/assert.ts'
import { SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { StoredBlob, StoredManifest } from '../segment/blob.ts'
import type { SegmentManifest, SegmentWriter } from '../store.ts'
import type { StorageThread } from '../thread/thread.ts'
import type { BlobCounts, SegmentProtocol } from './segment-protocol.ts'

export interface SegmentWriterOptions {
  readonly thread: StorageThread<SegmentProtocol>
  /** @throws DbError NOT_WRITER once the epoch in which it began is over */
  readonly check: () => void
  /** The number of a new blob. */
  readonly nextNumber: () => number
  /** @throws DbError CORRUPT_SEGMENT */
  readonly currentBlob: (key: string) => StoredBlob
  readonly publish: (manifest: StoredManifest) => Promise<SegmentManifest>
  readonly onEnd: (writer: PostgresSegmentWriter) => void
}

const nothing: BlobCounts = { partCount: 0, sizeBytes: 0, crc32: 0 }

export class PostgresSegmentWriter implements SegmentWriter {
  readonly #options: SegmentWriterOptions
  readonly #blobs = new Map<string, StoredBlob>()
  readonly #numbers: number[] = []
  #openCount = 0
  #isOver = false

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  /** Of the blobs that it has written. */
  get numbers(): readonly number[] {
    return this.#numbers
  }

  writeBlob(key: string, bytes: Uint8Array): Promise<void> {
    return this.writePieces(key, piecesOf(bytes))
  }

  async writePieces(key: string, pieces: Iterable<Uint8Array>): Promise<void> {
    this.#checkOpen()
    assert(!this.#blobs.has(key), `blob ${key} is written once`)
    const { thread, nextNumber, check } = this.#options
    const number = nextNumber()
    this.#numbers.push(number)
    this.#openCount++
    let counts = nothing
    for (const piece of pieces) {
      check()
      counts = await thread.request('writePiece', { number, counts, bytes: handOver(piece) })
    }
    this.#openCount--
    this.#blobs.set(key, { key, number, sizeBytes: counts.sizeBytes, crc32: counts.crc32 })
  }

  async keepBlob(key: string): Promise<void> {
    this.#checkOpen()
    assert(!this.#blobs.has(key), `blob ${key} is written once`)
    this.#blobs.set(key, this.#options.currentBlob(key))
  }

  async publish(description: string, foldedSequence: number): Promise<SegmentManifest> {
    this.#checkOpen()
    assert(this.#openCount === 0, 'every blob is whole before it is published')
    const blobs = [...this.#blobs.values()]
    try {
      return await this.#options.publish({ foldedSequence, description, blobs })
    } finally {
      this.#end()
    }
  }

  async abandon(): Promise<void> {
    if (!this.#isOver) this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#options.onEnd(this)
  }

  #checkOpen(): void {
    assert(!this.#isOver, 'a checkpoint is over once it is published or abandoned')
    this.#options.check()
  }
}

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SEGMENT_BLOB_SIZE_BYTES_MAX) {
    yield bytes.subarray(start, start + SEGMENT_BLOB_SIZE_BYTES_MAX)
  }
}

/** Shared memory crosses as it is; anything else would be copied with its whole buffer. */
function handOver(piece: Uint8Array): Uint8Array {
  return piece.buffer instanceof SharedArrayBuffer ? piece : new Uint8Array(piece)
}
