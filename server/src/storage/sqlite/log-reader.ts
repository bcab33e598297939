/**
 * The one way to read the commit log: the start, verification, repair and restore all go through
 * it, so that none of them accepts a log that another one refuses.
 *
 * `readLogBlock` takes groups out of the file, unchecked; a `LogReader` checks them, frame by
 * frame. The two halves may run in different threads.
 */
import type { DatabaseSync } from 'node:sqlite'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { LOG_READ_SIZE_BYTES } from '#kernel/limits.ts'
import { decodeFrame, type LogFrame, type LogPosition } from '../frame/frame.ts'

/** Some groups, one behind the other. */
export interface LogBlock {
  /** The bytes of all groups. */
  readonly bytes: Uint8Array
  /** What the file says of each group: GROUP_FIELDS numbers in the order of `GroupRow`. */
  readonly groups: Float64Array
  /** The frame before the first one in `bytes`, as the file says; the chain proves it. */
  readonly previous: LogPosition
  /** The first sequence of the group behind this block, null at the end of the log. */
  readonly nextSequence: number | null
}

interface GroupRow {
  readonly first: number
  readonly last: number
  readonly lastCrc: number
  readonly sizeBytes: number
}

const GROUP_FIELDS = 4

/**
 * Reads whole groups from the one that holds `sequence` on: at least one if there is any, and more
 * only as long as all of them are within LOG_READ_SIZE_BYTES.
 */
export function readLogBlock(database: DatabaseSync, sequence: number): LogBlock {
  const { rows, nextSequence } = groupsOfBlock(database, sequence)
  const [first] = rows
  const last = rows.at(-1)
  return {
    bytes: first && last ? readBytes(database, first, last, rows) : new Uint8Array(0),
    groups: Float64Array.from(rows.flatMap(fieldsOf)),
    previous: positionBefore(database, first?.first ?? sequence),
    nextSequence,
  }
}

/** Every frame from the group that holds `afterSequence + 1` on, in order. */
export function* walkLog(database: DatabaseSync, afterSequence: number): Iterable<LogFrame> {
  const reader = new LogReader(afterSequence)
  while (reader.nextSequence !== null) {
    yield* reader.frames(readLogBlock(database, reader.nextSequence))
  }
}

export function readAnchor(database: DatabaseSync): LogPosition {
  const row = database.prepare('SELECT sequence, crc FROM anchor').get()
  if (row === undefined) throw new DbError('CORRUPT_LOG', 'commit log: it has lost its anchor')
  return { sequence: Number(row['sequence']), crc: Number(row['crc']) }
}

/** Checks blocks in order: every frame, the chain over all of them, and what the file says of each group. */
export class LogReader {
  #nextSequence: number | null
  #position: LogPosition | null = null

  constructor(afterSequence: number) {
    this.#nextSequence = afterSequence + 1
  }

  /** What to read the next block by; null once the last block was checked. */
  get nextSequence(): number | null {
    return this.#nextSequence
  }

  /** The last frame that was checked, at first the frame before the first one. */
  get position(): LogPosition | null {
    return this.#position
  }

  /**
   * @param block what `readLogBlock` returned for `nextSequence`
   * @throws DbError CORRUPT_LOG, after every frame before the damage
   */
  *frames(block: LogBlock): Iterable<LogFrame> {
    const wanted = this.#nextSequence
    assert(wanted !== null, 'a log is read up to its end')
    assert(
      block.nextSequence === null || block.nextSequence > wanted,
      'a block of the log leads on to a later one',
    )
    let end = 0
    for (let offset = 0; offset < block.groups.length; offset += GROUP_FIELDS) {
      const row = rowAt(block.groups, offset)
      const start = end
      end += row.sizeBytes
      yield* this.#group(block.bytes.subarray(start, end), row, block.previous)
    }
    this.#position ??= block.previous
    this.#nextSequence = block.nextSequence
  }

  *#group(bytes: Uint8Array, row: GroupRow, previous: LogPosition): Iterable<LogFrame> {
    let position: LogPosition = this.#position ?? previous
    const first = position.sequence + 1
    for (let offset = 0; offset < bytes.length; ) {
      const frame = decodeFrame(bytes, offset, position)
      offset += frame.sizeBytes
      position = { sequence: frame.sequence, crc: frame.crc }
      this.#position = position
      yield frame
    }
    if (row.first !== first || row.last !== position.sequence || row.lastCrc !== position.crc) {
      const message = `commit log: the group of frames ${first} to ${position.sequence} is recorded as frames ${row.first} to ${row.last}, or with another checksum`
      throw new DbError('CORRUPT_LOG', message, { details: { sequence: first } })
    }
  }
}

function groupsOfBlock(
  database: DatabaseSync,
  sequence: number,
): { readonly rows: readonly GroupRow[]; readonly nextSequence: number | null } {
  const found = database
    .prepare(
      `SELECT first_sequence, last_sequence, last_crc, length(bytes) AS size FROM groups
       WHERE first_sequence >=
         coalesce((SELECT max(first_sequence) FROM groups WHERE first_sequence <= ?), 0)
       ORDER BY first_sequence`,
    )
    .iterate(sequence)
  const rows: GroupRow[] = []
  let sizeBytes = 0
  for (const row of found) {
    const first = Number(row['first_sequence'])
    sizeBytes += Number(row['size'])
    if (rows.length > 0 && sizeBytes > LOG_READ_SIZE_BYTES) return { rows, nextSequence: first }
    rows.push({
      first,
      last: Number(row['last_sequence']),
      lastCrc: Number(row['last_crc']),
      sizeBytes: Number(row['size']),
    })
  }
  return { rows, nextSequence: null }
}

function readBytes(
  database: DatabaseSync,
  first: GroupRow,
  last: GroupRow,
  rows: readonly GroupRow[],
): Uint8Array {
  const found = database
    .prepare(
      'SELECT bytes FROM groups WHERE first_sequence BETWEEN ? AND ? ORDER BY first_sequence',
    )
    .iterate(first.first, last.first)
  const whole = new Uint8Array(rows.reduce((sum, row) => sum + row.sizeBytes, 0))
  let offset = 0
  for (const row of found) {
    const { bytes } = row
    if (!(bytes instanceof Uint8Array) || bytes.length > whole.length - offset) {
      throw new DbError('CORRUPT_LOG', `commit log: a group behind ${first.first} has no frames`)
    }
    if (rows.length === 1) return bytes
    whole.set(bytes, offset)
    offset += bytes.length
  }
  return whole
}

/** The frame before the group that begins with `first`. */
function positionBefore(database: DatabaseSync, first: number): LogPosition {
  const row = database
    .prepare(
      `SELECT last_sequence, last_crc FROM groups WHERE first_sequence < ?
       ORDER BY first_sequence DESC LIMIT 1`,
    )
    .get(first)
  if (row === undefined) return readAnchor(database)
  return { sequence: Number(row['last_sequence']), crc: Number(row['last_crc']) }
}

function fieldsOf({ first, last, lastCrc, sizeBytes }: GroupRow): readonly number[] {
  return [first, last, lastCrc, sizeBytes]
}

function rowAt(groups: Float64Array, offset: number): GroupRow {
  return {
    first: groups[offset]!,
    last: groups[offset + 1]!,
    lastCrc: groups[offset + 2]!,
    sizeBytes: groups[offset + 3]!,
  }
}
