/**
 * Rows of the log as they are read, and the groups that they are. The parts of a group go into one
 * piece of memory as they arrive: on common machines new memory takes longer than copying.
 */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type { LogPosition } from '../frame/frame.ts'
import { int4Of, int8Of, present } from './copy-out.ts'
import type { Row, Session } from './session.ts'

/** The last frame of a group, and where the group stands. */
export interface LogEnd extends LogPosition {
  readonly first: number
}

/** A group as it was read. */
export interface StoredGroup {
  readonly end: LogEnd
  readonly bytes: Uint8Array
}

/** Rows, each a part at most, that one statement reads. */
export const ROWS_PER_READ = 64

/** A row without its bytes. */
export interface RowHead {
  readonly end: LogEnd
  readonly part: number
  readonly parts: number
}

/** Memory up to this size is used again by the next read; larger memory is given up. */
const GROUP_MEMORY_SIZE_BYTES_MAX = 4 * 1024 * 1024

/**
 * Memory for groups that are applied before the next ones are read. New memory for each would be written for the
 * first time, page by page, which takes longer than all else that is done with it.
 */
export class GroupMemory {
  #bytes = new Uint8Array(0)
  #usedBytes = 0
  #wantedBytes = 0

  /** What was taken before is not read any more. */
  reuse(): void {
    const wantedBytes = Math.min(this.#wantedBytes, GROUP_MEMORY_SIZE_BYTES_MAX)
    if (wantedBytes > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(wantedBytes, 2 * this.#bytes.length))
    }
    this.#usedBytes = 0
    this.#wantedBytes = 0
  }

  /** @returns bytes that may hold anything */
  take(sizeBytes: number): Uint8Array {
    this.#wantedBytes += sizeBytes
    const start = this.#usedBytes
    if (start + sizeBytes > this.#bytes.length) return new Uint8Array(sizeBytes)
    this.#usedBytes += sizeBytes
    return this.#bytes.subarray(start, start + sizeBytes)
  }
}

/** Of rows in their order; the first one has to be that of a known group. */
export class LogRows {
  readonly #known: LogEnd
  readonly #memory: GroupMemory
  readonly #groups: GroupInParts[] = []
  #first: LogEnd | null = null
  #last: RowHead | null = null
  #count = 0

  /** @param memory absent: the groups stay as they are */
  constructor(known: LogEnd, memory = new GroupMemory()) {
    this.#known = known
    this.#memory = memory
  }

  get count(): number {
    return this.#count
  }

  /** Null: none has come. */
  get last(): RowHead | null {
    return this.#last
  }

  /** The first six fields of a row that COPY sends, by `rowsFrom`. */
  addFields([
    sequence,
    part,
    parts,
    lastSequence,
    lastCrc,
    bytes,
  ]: readonly (Buffer | null)[]): void {
    const end = { first: int8Of(sequence), sequence: int8Of(lastSequence), crc: int8Of(lastCrc) }
    this.add({ end, part: int4Of(part), parts: int4Of(parts) }, present(bytes))
  }

  /** @param bytes are copied @throws DbError CORRUPT_LOG */
  add(head: RowHead, bytes: Uint8Array): void {
    this.#last = head
    this.#count++
    if (this.#first === null) {
      this.#first = head.end
      return
    }
    const group = this.#groups.at(-1)
    if (group === undefined || group.isWhole) this.#begin(head, bytes)
    else group.add(bytes)
  }

  /** The parts of a group have the size of the first one; the last one may have less. */
  #begin(head: RowHead, first: Uint8Array): void {
    const memory = this.#memory.take(head.parts * first.length)
    this.#groups.push(new GroupInParts(head, first, memory))
  }

  /**
   * Parts that are missing are read.
   * @returns null: the known group is gone, or another one stands in its place
   */
  async groups(session: Session): Promise<readonly StoredGroup[] | null> {
    const first = this.#first
    if (first === null) return null
    if (first.first !== this.#known.first || first.crc !== this.#known.crc) return null
    const last = this.#groups.at(-1)
    while (last !== undefined && !last.isWhole) {
      const before = last.count
      await readParts(session, last)
      // It was deleted meanwhile: this instance is far behind.
      if (last.count === before) return null
    }
    return this.#groups.map((group) => group.stored)
  }
}

class GroupInParts {
  readonly end: LogEnd
  readonly #parts: number
  readonly #bytes: Uint8Array
  #sizeBytes = 0
  #count = 0

  /** @param memory for all of them */
  constructor({ end, parts }: RowHead, first: Uint8Array, memory: Uint8Array) {
    this.end = end
    this.#parts = parts
    this.#bytes = memory
    this.add(first)
  }

  /** Parts that have come. */
  get count(): number {
    return this.#count
  }

  get isWhole(): boolean {
    return this.#count >= this.#parts
  }

  get stored(): StoredGroup {
    return { end: this.end, bytes: this.#bytes.subarray(0, this.#sizeBytes) }
  }

  /** @throws DbError CORRUPT_LOG */
  add(bytes: Uint8Array): void {
    if (this.#sizeBytes + bytes.length > this.#bytes.length) {
      const message = `commit log: part ${this.#count} of the group of frame ${this.end.first} is longer than the first one`
      throw new DbError('CORRUPT_LOG', message, { details: { sequence: this.end.first } })
    }
    this.#bytes.set(bytes, this.#sizeBytes)
    this.#sizeBytes += bytes.length
    this.#count++
  }
}

/**
 * Some groups behind a known one, each whole.
 * @returns null: the known group is gone, or another one stands in its place
 */
export async function readGroups(
  session: Session,
  known: LogEnd,
  memory?: GroupMemory,
): Promise<readonly StoredGroup[] | null> {
  const rows = new LogRows(known, memory)
  await session.copyOut(rowsFrom(known), (fields) => rows.addFields(fields))
  return rows.groups(session)
}

/** For COPY: the row of a known group without its bytes, and some rows behind it. */
export function rowsFrom({ first }: LogEnd): string {
  assert(Number.isSafeInteger(first), 'a group has a sequence')
  return `SELECT first_sequence, part, parts, last_sequence, last_crc,
      CASE WHEN first_sequence > ${first} THEN bytes ELSE '' END AS bytes FROM log
    WHERE first_sequence >= ${first} AND (first_sequence > ${first} OR part = 0)
    ORDER BY first_sequence, part LIMIT ${ROWS_PER_READ}`
}

/** Some parts of a group behind those that it has. */
async function readParts(session: Session, group: GroupInParts): Promise<void> {
  await session.copyOut(
    `SELECT bytes FROM log WHERE first_sequence = ${group.end.first} AND part >= ${group.count}
    ORDER BY part LIMIT ${ROWS_PER_READ}`,
    ([bytes]) => group.add(present(bytes)),
  )
}

export function endOf(row: Row): LogEnd {
  return {
    first: Number(row['first_sequence']),
    sequence: Number(row['last_sequence']),
    crc: Number(row['last_crc']),
  }
}
