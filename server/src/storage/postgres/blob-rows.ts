/** Reads a blob of a checkpoint from its rows, each checked and decoded while the next ones arrive. */
import { assert } from '#kernel/assert.ts'
import { sharedBytes } from '#kernel/shared-memory.ts'
import {
  addPart,
  checkWhole,
  emptyBlob,
  PART_SIZE_BYTES_MAX,
  type ReadBlob,
  type StoredBlob,
} from '../segment/blob.ts'
import { int4Of, int8Of, present } from './copy-out.ts'
import type { BlobShare, ReadShare } from './segment-protocol.ts'
import type { Session } from './session.ts'

export class BlobRows {
  readonly #blob: StoredBlob
  readonly #whole: Uint8Array<SharedArrayBuffer>
  /** Stored parts are decoded where they are aligned. The memory is used again: new one takes longer than copying. */
  #aligned = new Uint8Array(0)
  #before: ReadBlob = emptyBlob
  #read: ReadBlob = emptyBlob
  readonly #firstPart: number
  readonly #endPart: number | null
  #nextPart: number

  /** @param share absent: all of it */
  constructor(blob: StoredBlob, share?: Omit<BlobShare, 'blob'>) {
    this.#blob = blob
    this.#whole = share?.whole ?? sharedBytes(blob.sizeBytes)
    this.#firstPart = share?.firstPart ?? 0
    this.#endPart = share?.endPart ?? null
    this.#nextPart = this.#firstPart
  }

  /** Goes on where a connection has ended. @throws DbError CORRUPT_SEGMENT; ConnectionLostError */
  async read(session: Session): Promise<void> {
    const { number } = this.#blob
    assert(Number.isSafeInteger(number), 'a blob has a number')
    const next = this.#nextPart
    const end = this.#endPart === null ? '' : `AND part < ${this.#endPart}`
    // The checksum of a part goes on from the part before.
    const rows = `SELECT part, crc, codec, CASE WHEN part >= ${next} THEN bytes ELSE '' END AS bytes FROM parts
      WHERE blob = ${number} AND part >= ${next - 1} ${end} ORDER BY part`
    await session.copyOut(rows, ([place, crc, codec, bytes]) => {
      if (int4Of(place) < next) {
        if (next === this.#firstPart) this.#begin(int8Of(crc))
        return
      }
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

  /** Parts before have their full size; who reads them finds out if one has not. */
  #begin(crc: number): void {
    this.#before = { sizeBytes: this.#firstPart * PART_SIZE_BYTES_MAX, crc }
    this.#read = this.#before
  }

  #alignedCopy(bytes: Uint8Array): Uint8Array {
    if (this.#aligned.length < bytes.length) this.#aligned = new Uint8Array(bytes.length)
    this.#aligned.set(bytes)
    return this.#aligned.subarray(0, bytes.length)
  }

  get share(): ReadShare {
    return { before: this.#before, end: this.#read }
  }

  /** @throws DbError CORRUPT_SEGMENT: parts are missing */
  whole(): Uint8Array<SharedArrayBuffer> {
    checkWhole(this.#read, this.#blob)
    return this.#whole
  }
}
