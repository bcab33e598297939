/**
 * Finds damage in a SQLite write-ahead log before SQLite opens it. SQLite ends such a log at the
 * first frame that fails its checksum and drops the rest without a word, because a power loss may
 * have torn the last write. But each commit is synced before the next one is written: a frame that
 * fails with later commits behind it was whole on the disk once.
 *
 * Layout, big-endian (https://sqlite.org/fileformat2.html#the_write_ahead_log):
 *
 *     | magic 4 | version 4 | page size 4 | checkpoint 4 | salt 8 | checksum 8 | frames |
 *     frame: | page number 4 | database pages after a commit, else 0: 4 | salt 8 | checksum 8 | page |
 *
 * A frame's checksum goes on from that of the frame before it. Behind a frame that fails, the
 * checksum that the frame before records is the start of the next one, so that each later frame is
 * judged by its own bytes. No log keeps frames of the same salt behind its end: the store empties
 * the log when it opens, and SQLite changes the salt when it begins the log anew.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'

const MAGIC = 0x377f0682
const HEADER_SIZE_BYTES = 32
const FRAME_HEADER_SIZE_BYTES = 24
const PAGE_SIZES_BYTES = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
/** A power loss tears one commit at most, so it explains one commit behind a bad frame. */
const TORN_COMMITS_MAX = 1

interface WalHeader {
  readonly pageSizeBytes: number
  readonly isBigEndian: boolean
  readonly salt: Salt
  readonly checksum: Checksum
}

type Salt = readonly [number, number]
type Checksum = readonly [number, number]

/**
 * For the file of a log that nobody has open.
 * @throws DbError CORRUPT_LOG
 */
export function checkWal(path: string): void {
  const wal = `${path}-wal`
  const damage = isOrphan(path, wal) ? 'its database is missing' : walDamage(wal)
  if (damage === null) return
  throw new DbError('CORRUPT_LOG', `commit log: ${wal} is damaged: ${damage}`)
}

/** Without its database SQLite deletes a write-ahead log. */
function isOrphan(path: string, wal: string): boolean {
  return sizeOf(path) === 0 && sizeOf(wal) > 0
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** @returns where a write-ahead log is damaged, or null: it is whole, empty, absent or merely torn */
export function walDamage(path: string): string | null {
  const file = openIfReadable(path)
  if (file === null) return null
  try {
    const header = readHeader(file)
    // What a damaged header hides is missed by the store: it knows what it acknowledged.
    return header === null ? null : findDamage(file, header)
  } finally {
    closeSync(file)
  }
}

function findDamage(file: number, header: WalHeader): string | null {
  let firstBad: number | null = null
  let commitsBehind = 0
  let previous = header.checksum
  for (const { number, frame } of framesOf(file, header)) {
    const recorded = checksumAt(frame, 16)
    const isSound = hasSalt(frame, header.salt) && holds(frame, header, previous, recorded)
    if (!isSound) firstBad ??= number
    else if (firstBad !== null && frame.readUInt32BE(4) > 0) commitsBehind++
    if (commitsBehind > TORN_COMMITS_MAX) return `its frame ${firstBad} fails its checksum`
    previous = recorded
  }
  return null
}

function* framesOf(
  file: number,
  { pageSizeBytes }: WalHeader,
): Iterable<{ readonly number: number; readonly frame: Buffer }> {
  const frame = Buffer.alloc(FRAME_HEADER_SIZE_BYTES + pageSizeBytes)
  for (let number = 1; ; number++) {
    const position = HEADER_SIZE_BYTES + (number - 1) * frame.length
    if (readSync(file, frame, 0, frame.length, position) < frame.length) return
    yield { number, frame }
  }
}

function readHeader(file: number): WalHeader | null {
  const bytes = Buffer.alloc(HEADER_SIZE_BYTES)
  if (readSync(file, bytes, 0, bytes.length, 0) < bytes.length) return null
  const magic = bytes.readUInt32BE(0)
  const pageSizeBytes = bytes.readUInt32BE(8)
  if ((magic & ~1) >>> 0 !== MAGIC || !PAGE_SIZES_BYTES.includes(pageSizeBytes)) return null
  const isBigEndian = (magic & 1) === 1
  const checksum = checksumAt(bytes, 24)
  const actual = extend([0, 0], bytes.subarray(0, 24), isBigEndian)
  if (!isEqual(actual, checksum)) return null
  return {
    pageSizeBytes,
    isBigEndian,
    salt: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    checksum,
  }
}

function holds(
  frame: Buffer,
  { isBigEndian }: WalHeader,
  previous: Checksum,
  recorded: Checksum,
): boolean {
  const head = extend(previous, frame.subarray(0, 8), isBigEndian)
  return isEqual(extend(head, frame.subarray(FRAME_HEADER_SIZE_BYTES), isBigEndian), recorded)
}

/** https://sqlite.org/fileformat2.html#checksum_algorithm */
function extend(from: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  assert(bytes.length % 8 === 0, 'the checksum is over pairs of 32-bit words')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [first, second] = from
  for (let offset = 0; offset < bytes.length; offset += 8) {
    first = (first + view.getUint32(offset, !isBigEndian) + second) >>> 0
    second = (second + view.getUint32(offset + 4, !isBigEndian) + first) >>> 0
  }
  return [first, second]
}

function hasSalt(frame: Buffer, [first, second]: Salt): boolean {
  return frame.readUInt32BE(8) === first && frame.readUInt32BE(12) === second
}

function checksumAt(bytes: Buffer, offset: number): Checksum {
  return [bytes.readUInt32BE(offset), bytes.readUInt32BE(offset + 4)]
}

function isEqual(one: Checksum, other: Checksum): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

/** What cannot be read here SQLite cannot read either, and says why. */
function openIfReadable(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}
