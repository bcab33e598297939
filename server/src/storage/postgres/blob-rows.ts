/** Reads a blob of a checkpoint from its rows, each checked and decoded while the next ones arrive. */
import { assert } from '#kernel/assert.ts'
import { sharedBytes } from '#kernel/shared-memory.ts'
import { addPart, checkWhole, emptyBlob, type ReadBlob, type StoredBlob } from '../segment/blob.ts'
import { int4Of, int8Of, present } from './copy-out.ts'
import type { Session } from './session.ts'

export class BlobRows {
  readonly #blob: StoredBlob
  readonly #whole: Uint8Array<SharedArrayBuffer>
  /** Stored parts are decoded where they are aligned. The memory is used again: new one takes longer than copying. */
  #aligned = new Uint8Array(0)
  #read: ReadBlob = emptyBlob
  #nextPart = 0

  constructor(blob: StoredBlob) {
    this.#blob = blob
    this.#whole = sharedBytes(blob.sizeBytes)
  }

  /** Goes on where a connection has ended. @throws DbError CORRUPT_SEGMENT; ConnectionLostError */
  async read(session: Session): Promise<void> {
    const { number } = this.#blob
    assert(Number.isSafeInteger(number), 'a blob has a number')
    const rows = `SELECT part, crc, codec, bytes FROM parts
      WHERE blob = ${number} AND part >= ${this.#nextPart} ORDER BY part`
    await session.copyOut(rows, ([place, crc, codec, bytes]) => {
      const part = {
        place: int4Of(place),
        crc: int8Of(crc),
        codec: int4Of(codec),
        bytes: this.#alignedCopy(present(bytes)),
      }
      this.#read = addPart(this.#whole, this.#read, part, this.#blob)
      this.#nextPart = part.place + 1
    })
  }

  #alignedCopy(bytes: Uint8Array): Uint8Array {
    if (this.#aligned.length < bytes.length) this.#aligned = new Uint8Array(bytes.length)
    this.#aligned.set(bytes)
    return this.#aligned.subarray(0, bytes.length)
  }

  /** @throws DbError CORRUPT_SEGMENT: parts are missing */
  whole(): Uint8Array<SharedArrayBuffer> {
    checkWhole(this.#read, this.#blob)
    return this.#whole
  }
}
