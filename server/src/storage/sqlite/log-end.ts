/**
 * What the commit log has acknowledged, in a small file of its own: the last sequence, and how many
 * changes of documents there were. It is written behind each commit and before its answer, so it
 * never claims what is not durable. It is not synced with each commit: after a process was killed
 * it is exact, after a power loss it may be behind. A log that ends before it has lost something.
 *
 * Two places are written in turns, so that a write that is torn leaves the other one.
 *
 * @see docs/formats/log-frame.md
 */
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { DbError } from '#kernel/errors.ts'

export interface AcknowledgedEnd {
  readonly sequence: number
  /** Changes of documents, over the life of the log. */
  readonly revision: number
}

/** "QVE1"; the last byte is the version. */
const MAGIC = 0x31455651
const CRC_OFFSET = 4
const SEQUENCE_OFFSET = 8
const REVISION_OFFSET = 16
const RECORD_SIZE_BYTES = 24
/** A sector each, so that one torn write cannot reach both. */
const PLACE_SIZE_BYTES = 4096
const PLACES = 2

/** @returns null without a file, or when neither place holds: then nothing is known */
export function readLogEnd(path: string): AcknowledgedEnd | null {
  if (!existsSync(path)) return null
  const bytes = readFileSync(path)
  let end: AcknowledgedEnd | null = null
  for (let place = 0; place < PLACES; place++) {
    const found = decode(bytes.subarray(place * PLACE_SIZE_BYTES))
    if (found !== null && (end === null || isBehind(end, found))) end = found
  }
  return end
}

/** @throws DbError CORRUPT_LOG when a log that ends at `end` has lost what was acknowledged */
export function checkReaches(end: AcknowledgedEnd, acknowledged: AcknowledgedEnd): void {
  const { sequence, revision } = acknowledged
  if (end.sequence < sequence) {
    const message = `commit log: it ends at frame ${end.sequence}, but frame ${sequence} was acknowledged`
    throw new DbError('CORRUPT_LOG', message, { details: { sequence: end.sequence + 1 } })
  }
  if (end.revision < revision) {
    const lost = revision - end.revision
    const message = `commit log: the last ${lost} changes of documents are missing`
    throw new DbError('CORRUPT_LOG', message, { details: { revision: end.revision } })
  }
}

export class LogEndFile {
  readonly #file: number
  #nextPlace = 0
  #isSynced = true

  /** Begins the file anew with `end`. @throws DbError STORE_FAILED */
  constructor(path: string, end: AcknowledgedEnd) {
    this.#file = attempt(`create ${path}`, () =>
      openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600),
    )
    for (let place = 0; place < PLACES; place++) this.record(end)
  }

  record(end: AcknowledgedEnd): void {
    const bytes = encode(end)
    attempt('record what was acknowledged', () =>
      writeSync(this.#file, bytes, 0, bytes.length, this.#nextPlace * PLACE_SIZE_BYTES),
    )
    this.#nextPlace = (this.#nextPlace + 1) % PLACES
    this.#isSynced = false
  }

  sync(): void {
    if (this.#isSynced) return
    attempt('record what was acknowledged', () => fdatasyncSync(this.#file))
    this.#isSynced = true
  }

  close(): void {
    closeSync(this.#file)
  }
}

function isBehind(one: AcknowledgedEnd, other: AcknowledgedEnd): boolean {
  return one.sequence + one.revision < other.sequence + other.revision
}

function encode({ sequence, revision }: AcknowledgedEnd): Uint8Array {
  const bytes = new Uint8Array(RECORD_SIZE_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setBigUint64(SEQUENCE_OFFSET, BigInt(sequence), true)
  view.setBigUint64(REVISION_OFFSET, BigInt(revision), true)
  view.setUint32(CRC_OFFSET, crc32(bytes.subarray(SEQUENCE_OFFSET)), true)
  return bytes
}

function decode(place: Uint8Array): AcknowledgedEnd | null {
  if (place.length < RECORD_SIZE_BYTES) return null
  const bytes = place.subarray(0, RECORD_SIZE_BYTES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC) return null
  if (view.getUint32(CRC_OFFSET, true) !== crc32(bytes.subarray(SEQUENCE_OFFSET))) return null
  return {
    sequence: Number(view.getBigUint64(SEQUENCE_OFFSET, true)),
    revision: Number(view.getBigUint64(REVISION_OFFSET, true)),
  }
}

function attempt<Result>(doing: string, work: () => Result): Result {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DbError('STORE_FAILED', `commit log: cannot ${doing}: ${reason}`, { cause })
  }
}
