/** One checkpoint on its way to the segment thread, part by part. */
import { assert } from '#kernel/assert.ts'
import { SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { SegmentManifest, SegmentWriter } from '../store.ts'
import type { SegmentProtocol } from './protocol.ts'
import type { StorageThread } from './thread.ts'

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

  async writeBlob(key: string, bytes: Uint8Array): Promise<void> {
    this.#checkOpen()
    const { id, guard, thread } = this.#options
    let offset = 0
    do {
      const end = Math.min(offset + SEGMENT_BLOB_SIZE_BYTES_MAX, bytes.length)
      const isLast = end === bytes.length
      const part = handOver(bytes.subarray(offset, end))
      await guard(() => thread.request('writePiece', { writer: id, key, bytes: part, isLast }))
      offset = end
    } while (offset < bytes.length)
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

/** Shared memory crosses as it is; anything else would be copied with its whole buffer. */
function handOver(part: Uint8Array): Uint8Array {
  return part.buffer instanceof SharedArrayBuffer ? part : new Uint8Array(part)
}
