/**
 * The log as a table, which is its own lock: a group goes in behind the group before it, named by its
 * checksum, or not at all. Two instances that extend the same end collide in the primary key.
 *
 * @see docs/decisions/0123-several-servers-over-one-log.md for why that is enough
 */
import { assert } from '#kernel/assert.ts'
import type { LogPosition } from '../frame/frame.ts'
import { int4Of, int8Of, present } from './copy-out.ts'
import type { Link } from './link.ts'
import {
  asStoreError,
  isPassing,
  type Row,
  type Session,
  type Statement,
  StatementFailedError,
} from './session.ts'

/** The last frame of a group, and where the group stands. */
export interface LogEnd extends LogPosition {
  readonly first: number
}

/** Part of a group's transaction: $1 is its first sequence, $2 its checksum; it finds nothing without them. */
export interface TiedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface LogGroup {
  readonly before: LogEnd
  readonly end: LogEnd
  readonly bytes: Uint8Array
  readonly tied: readonly TiedStatement[]
}

/** A group as it was read. */
export interface StoredGroup {
  readonly end: LogEnd
  readonly bytes: Uint8Array
}

export const PART_SIZE_BYTES_MAX = 1024 * 1024
/** Rows, each a part at most, that one statement reads. */
export const ROWS_PER_READ = 16
const UNIQUE_VIOLATION = '23505'

const appendFirst: Statement = {
  name: 'append',
  text: `INSERT INTO log SELECT $1::bigint, 0, $4::int, $2::bigint, $3::bigint, $5::bytea FROM
    (SELECT 1 FROM log WHERE first_sequence = $6 AND part = 0 AND last_sequence = $1::bigint - 1
     AND last_crc = $7 FOR UPDATE) AS before`,
}
const appendPart: Statement = {
  name: 'append-part',
  text: `INSERT INTO log SELECT $1::bigint, $2::int, parts, last_sequence, last_crc, $3::bytea FROM log
    WHERE first_sequence = $1 AND part = 0 AND last_crc = $4`,
}
const headOf: Statement = {
  name: 'head',
  text: 'SELECT first_sequence, last_sequence, last_crc FROM log WHERE first_sequence = $1 AND part = 0',
}

export type AppendOutcome = 'appended' | 'refused'

export interface AppendOptions {
  readonly link: Link
  /** A small write of this instance. @returns whether it was carried out and confirmed */
  readonly confirm: (session: Session) => Promise<boolean>
  /** Told of an append whose outcome was asked for. */
  readonly onResolved: () => void
}

/**
 * Appends a group, and asks until its outcome is known.
 *
 * @returns refused: another instance has written, and nothing of the group is in the log
 * @throws DbError DISK_FULL, STORE_FAILED: the server cannot write it, and nothing of it is in the log;
 *   ConnectionLostError: the link was closed
 */
export async function appendGroup(group: LogGroup, options: AppendOptions): Promise<AppendOutcome> {
  const attempts: Attempts = { isOpen: false }
  for (;;) {
    const outcome = await attempt(group, attempts, options)
    if (outcome !== null) {
      if (attempts.isOpen) options.onResolved()
      return outcome
    }
    await options.link.nodes.pause()
  }
}

interface Attempts {
  /** The group may be in the log by an attempt whose answer was lost. */
  isOpen: boolean
}

/** @returns null: it is not known yet */
async function attempt(
  group: LogGroup,
  attempts: Attempts,
  { link, confirm }: AppendOptions,
): Promise<AppendOutcome | null> {
  try {
    return await link.use(async (session) => {
      const tried = await tryAppend(session, group)
      if (tried === 'appended' || (tried === 'refused' && !attempts.isOpen)) return tried
      attempts.isOpen = true
      const found = await readHead(session, group.end.first)
      if (found?.crc !== group.end.crc) return tried === 'refused' ? tried : null
      return (await confirm(session)) ? 'appended' : null
    })
  } catch (error) {
    // Two that met in the middle: one of them has to look again.
    const isPassed = isPassing(error) && !link.isClosed
    if (!isPassed && !attempts.isOpen && error instanceof StatementFailedError) {
      throw asStoreError(error)
    }
    if (!isPassed && !(error instanceof StatementFailedError)) throw error
    attempts.isOpen = true
    return null
  }
}

/** The row of a group; null: it is not there. */
export async function readHead(session: Session, first: number): Promise<LogEnd | null> {
  const { rows } = await session.query(headOf, [first])
  return rows[0] === undefined ? null : endOf(rows[0])
}

/** The group that holds the first frame behind `sequence` follows this one; null: it is gone. */
export async function readAnchor(session: Session, sequence: number): Promise<LogEnd | null> {
  const { rows } = await session.query(
    {
      text: `SELECT first_sequence, last_sequence, last_crc FROM log WHERE part = 0
        AND first_sequence <= $1 AND last_sequence <= $1 ORDER BY first_sequence DESC LIMIT 1`,
    },
    [sequence],
  )
  return rows[0] === undefined ? null : endOf(rows[0])
}

/**
 * Some groups behind a known one, each whole.
 * @returns null: the known group is gone, or another one stands in its place
 */
export async function readGroups(
  session: Session,
  known: LogEnd,
): Promise<readonly StoredGroup[] | null> {
  const rows: LogRow[] = []
  await session.copyOut(rowsFrom(known), (fields) => rows.push(logRowOf(fields)))
  return groupsOf(session, rows, known)
}

/**
 * For COPY: the row of a known group without its bytes, and some rows behind it. The first six of the
 * fields are those of `logRowOf`.
 */
export function rowsFrom({ first }: LogEnd): string {
  assert(Number.isSafeInteger(first), 'a group has a sequence')
  return `SELECT first_sequence, part, parts, last_sequence, last_crc,
      CASE WHEN first_sequence > ${first} THEN bytes ELSE '' END AS bytes FROM log
    WHERE first_sequence >= ${first} AND (first_sequence > ${first} OR part = 0)
    ORDER BY first_sequence, part LIMIT ${ROWS_PER_READ}`
}

/** The bytes are copied: the fields are valid during the call only. */
export function logRowOf(fields: readonly (Buffer | null)[]): LogRow {
  const [sequence, part, parts, lastSequence, lastCrc, bytes] = fields
  const end = { first: int8Of(sequence), sequence: int8Of(lastSequence), crc: int8Of(lastCrc) }
  return { end, part: int4Of(part), parts: int4Of(parts), bytes: copyOf(bytes) }
}

/** A row as it was read. */
export interface LogRow {
  readonly end: LogEnd
  readonly part: number
  readonly parts: number
  readonly bytes: Uint8Array
}

/**
 * The groups of rows that begin with that of a known one; parts that are missing are read.
 * @returns null: the known group is gone, or another one stands in its place
 */
export async function groupsOf(
  session: Session,
  rows: readonly LogRow[],
  known: LogEnd,
): Promise<readonly StoredGroup[] | null> {
  const [head, ...behind] = rows
  if (head === undefined) return null
  if (head.end.first !== known.first || head.end.crc !== known.crc) return null
  const groups: StoredGroup[] = []
  for (let at = 0; at < behind.length; ) {
    const { end, parts } = behind[at]!
    const read = behind.slice(at, at + parts).map(({ bytes }) => bytes)
    while (read.length < parts) {
      const more = await readParts(session, end.first, read.length)
      // It was deleted meanwhile: this instance is far behind.
      if (more.length === 0) return null
      read.push(...more)
    }
    groups.push({ end, bytes: read.length === 1 ? read[0]! : Buffer.concat(read) })
    at += parts
  }
  return groups
}

/** Some parts of a group from one on. */
async function readParts(session: Session, first: number, part: number): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  await session.copyOut(
    `SELECT bytes FROM log WHERE first_sequence = ${first} AND part >= ${part}
    ORDER BY part LIMIT ${ROWS_PER_READ}`,
    ([bytes]) => parts.push(copyOf(bytes)),
  )
  return parts
}

async function tryAppend(session: Session, group: LogGroup): Promise<AppendOutcome | 'unknown'> {
  const { before, end, bytes, tied } = group
  const parts = Math.max(1, Math.ceil(bytes.length / PART_SIZE_BYTES_MAX))
  const values = [
    ...[end.first, end.sequence, end.crc, parts, partOf(bytes, 0)],
    ...[before.first, before.crc],
  ]
  if (parts === 1 && tied.length === 0) {
    const answer = await refusable(session.query(appendFirst, values))
    if (answer === null || answer.count === 0) return 'refused'
    return answer.isConfirmed ? 'appended' : 'unknown'
  }
  await session.query({ text: 'BEGIN' })
  if (!(await appendParts(session, group, values))) {
    await session.query({ text: 'ROLLBACK' })
    return 'refused'
  }
  return (await session.commit()) ? 'appended' : 'unknown'
}

/** What a transaction holds. @returns whether all of it went in */
async function appendParts(
  session: Session,
  { end, bytes, tied }: LogGroup,
  values: readonly unknown[],
): Promise<boolean> {
  try {
    const answer = await refusable(session.query(appendFirst, values))
    if (answer === null || answer.count === 0) return false
    for (let part = 1; part * PART_SIZE_BYTES_MAX < bytes.length; part++) {
      await session.query(appendPart, [end.first, part, partOf(bytes, part), end.crc])
    }
    for (const { text, values: more } of tied) {
      await session.query({ text }, [end.first, end.crc, ...more])
    }
    return true
  } catch (error) {
    if (error instanceof StatementFailedError) await session.query({ text: 'ROLLBACK' })
    throw error
  }
}

/** Null: another instance has written a group of this place. */
async function refusable<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof StatementFailedError && error.sqlState === UNIQUE_VIOLATION) return null
    throw error
  }
}

function partOf(bytes: Uint8Array, part: number): Buffer {
  const start = part * PART_SIZE_BYTES_MAX
  const size = Math.min(PART_SIZE_BYTES_MAX, bytes.length - start)
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, size)
}

export function endOf(row: Row): LogEnd {
  return {
    first: Number(row['first_sequence']),
    sequence: Number(row['last_sequence']),
    crc: Number(row['last_crc']),
  }
}

function copyOf(field: Buffer | null | undefined): Uint8Array {
  return new Uint8Array(present(field))
}
