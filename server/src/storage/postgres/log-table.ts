/**
 * The log as a table, which is its own lock: a group goes in behind the group before it, named by its
 * checksum, or not at all. Two instances that extend the same end collide in the primary key.
 *
 * @see docs/decisions/0123-several-servers-over-one-log.md for why that is enough
 */
import type { Link } from './link.ts'
import { endOf, type LogEnd } from './log-rows.ts'
import {
  asStoreError,
  isPassing,
  type Session,
  type Statement,
  StatementFailedError,
  type Written,
} from './session.ts'

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

/**
 * A PostgreSQL takes memory from the system and gives it back for each value of 128 KB and more: that
 * took it longer than all else (docs/decisions/0154).
 */
export const PART_SIZE_BYTES_MAX = 64_000
export const PARTS_PER_STATEMENT = 16
const UNIQUE_VIOLATION = '23505'

/** The values behind the first ones are the parts of a group from 0 on. */
function appendFirst(count: number): { readonly name: string; readonly text: string } {
  return {
    name: count === 1 ? 'append' : `append-${count}`,
    text: `WITH before AS (SELECT 1 FROM log WHERE first_sequence = $5 AND part = 0
        AND last_sequence = $1::bigint - 1 AND last_crc = $6 FOR UPDATE)
      INSERT INTO log SELECT $1::bigint, place, $4::int, $2::bigint, $3::bigint, bytes
      FROM before, ${partsFrom(count, 7)}`,
  }
}

/** They are the parts from $3 on, behind those of the same transaction. */
function appendMore(count: number): { readonly name: string; readonly text: string } {
  return {
    name: `append-more-${count}`,
    text: `INSERT INTO log SELECT $1::bigint, $3::int + place, parts, last_sequence, last_crc, cut.bytes
      FROM log, ${partsFrom(count, 4)}
      WHERE first_sequence = $1 AND part = 0 AND last_crc = $2`,
  }
}

/** Values from the n-th on as rows with their places. */
function partsFrom(count: number, first: number): string {
  const rows = Array.from({ length: count }, (_, place) => `(${place}, $${first + place}::bytea)`)
  return `(VALUES ${rows.join()}) AS cut (place, bytes)`
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

async function tryAppend(session: Session, group: LogGroup): Promise<AppendOutcome | 'unknown'> {
  const parts = partsOf(group.bytes)
  if (parts.length <= PARTS_PER_STATEMENT && group.tied.length === 0) {
    const written = await writeFirst(session, group, parts)
    if (written === null) return 'refused'
    return written.isConfirmed ? 'appended' : 'unknown'
  }
  await session.query({ text: 'BEGIN' })
  if (!(await writeAll(session, group, parts))) {
    await session.query({ text: 'ROLLBACK' })
    return 'refused'
  }
  return (await session.commit()) ? 'appended' : 'unknown'
}

/** What a transaction holds. @returns whether all of it went in */
async function writeAll(
  session: Session,
  group: LogGroup,
  parts: readonly Uint8Array[],
): Promise<boolean> {
  const { end, tied } = group
  try {
    if ((await writeFirst(session, group, parts)) === null) return false
    for (let from = PARTS_PER_STATEMENT; from < parts.length; from += PARTS_PER_STATEMENT) {
      const bytes = parts.slice(from, from + PARTS_PER_STATEMENT)
      const statement = appendMore(bytes.length)
      await session.write({ statement, numbers: [end.first, end.crc, from], bytes })
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

/** The parts of the first statement, behind the group before. @returns null: that is not the end of the log */
async function writeFirst(
  session: Session,
  { before, end }: LogGroup,
  parts: readonly Uint8Array[],
): Promise<Written | null> {
  const numbers = [end.first, end.sequence, end.crc, parts.length, before.first, before.crc]
  const bytes = parts.slice(0, PARTS_PER_STATEMENT)
  try {
    const written = await session.write({ statement: appendFirst(bytes.length), numbers, bytes })
    return written.count === 0 ? null : written
  } catch (error) {
    // Another instance has written a group of this place.
    if (error instanceof StatementFailedError && error.sqlState === UNIQUE_VIOLATION) return null
    throw error
  }
}

/** At least one, which may be empty. */
export function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / PART_SIZE_BYTES_MAX))
  return Array.from({ length: count }, (_, part) =>
    bytes.subarray(part * PART_SIZE_BYTES_MAX, (part + 1) * PART_SIZE_BYTES_MAX),
  )
}
