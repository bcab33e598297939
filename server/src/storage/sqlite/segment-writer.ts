/** One checkpoint on its way to the segment thread, part by part. */
import { assert } from '#kernel/assert.ts'
import { SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { SegmentManifest, SegmentWriter } from '../store.ts'
import type { StorageThread } from '../thread/thread.ts'
import type { SegmentProtocol } from './protocol.ts'

export interface SegmentWriterOptions {
  readonly id: number
  readonly thread: StorageThread<SegmentProtocol>
  /** Runs a write under the rules of the store. */
  readonly guard: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly checkFold: (foldedSequence: number) => void
  readonly onPublished: (manifest: SegmentManifest) => void
}

export class SqliteSegmentWriter implements SegmentWriter {
  readonly #options: SegmentWriterOptions
  #isOver = false

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  writeBlob(key: string, bytes: Uint8Array): Promise<void> {
    return this.writePieces(key, piecesOf(bytes))
  }

  async writePieces(key: string, pieces: Iterable<Uint8Array>): Promise<void> {
    this.#checkOpen()
    let last: Uint8Array = new Uint8Array(0)
    let count = 0
    for (const piece of pieces) {
      if (count++ > 0) await this.#write(key, last, false)
      last = handOver(piece)
    }
    await this.#write(key, last, true)
  }

  async #write(key: string, bytes: Uint8Array, isLast: boolean): Promise<void> {
    const { id, guard, thread } = this.#options
    await guard(() => thread.request('writePiece', { writer: id, key, bytes, isLast }))
  }

  async keepBlob(key: string): Promise<void> {
    this.#checkOpen()
    const { id, guard, thread } = this.#options
    await guard(() => thread.request('keepBlob', { writer: id, key }))
  }

  async publish(description: string, foldedSequence: number): Promise<SegmentManifest> {
    this.#checkOpen()
    const { id, guard, thread, checkFold, onPublished } = this.#options
    checkFold(foldedSequence)
    this.#isOver = true
    const manifest = await guard(() =>
      thread.request('publish', { writer: id, description, foldedSequence }),
    )
    onPublished(manifest)
    return manifest
  }

  async abandon(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    await this.#options.thread.request('abandon', { writer: this.#options.id })
  }

  #checkOpen(): void {
    assert(!this.#isOver, 'a checkpoint is over once it is published or abandoned')
  }
}

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SEGMENT_BLOB_SIZE_BYTES_MAX) {
    yield bytes.subarray(start, start + SEGMENT_BLOB_SIZE_BYTES_MAX)
  }
}

/** Shared memory crosses as it is; anything else would be copied with its whole buffer. */
function handOver(part: Uint8Array): Uint8Array {
  return part.buffer instanceof SharedArrayBuffer ? part : new Uint8Array(part)
}
