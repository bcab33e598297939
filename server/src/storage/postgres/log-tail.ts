/**
 * The end of the log as a follower reads it: what is there and confirmed, and when to look again.
 *
 * What was read counts once a write of this instance, on the same connection and behind the read, is
 * confirmed (R4 of docs/decisions/0123). For few bytes both are one statement: it sees only what was
 * committed before it began, and its own commit comes behind that in the engine's log, for whose
 * arrival at the standbys it waits. Where it finds nothing it writes nothing, and waits for nobody.
 * Many bytes that were not expected are read by a second statement, as they are, and the write is a
 * third. While they are expected, one statement again reads and writes (docs/decisions/0146).
 */
import { assert } from '#kernel/assert.ts'
import { int8Of, present } from './copy-out.ts'
import type { Instances } from './instances.ts'
import {
  type GroupMemory,
  type LogEnd,
  LogRows,
  ROWS_PER_READ,
  type RowHead,
  readGroups,
  rowsFrom,
  type StoredGroup,
} from './log-rows.ts'
import type { NamedStatement } from './prepared-rows.ts'
import { ConnectionLostError, type Session } from './session.ts'

/** Together: more of them take less time by a statement of their own. */
const INLINE_SIZE_BYTES_MAX = 8 * 1024

const look: NamedStatement = {
  name: 'follow',
  text: `WITH found AS (
      SELECT *, first_sequence > $1 AS is_new FROM log
      WHERE first_sequence >= $1 AND (first_sequence > $1 OR part = 0)
      ORDER BY first_sequence, part LIMIT ${ROWS_PER_READ}),
    total AS (
      SELECT bool_or(is_new) AS is_new,
        sum(octet_length(bytes)) FILTER (WHERE is_new) <= ${INLINE_SIZE_BYTES_MAX} AS is_small FROM found),
    own AS (
      UPDATE instances SET applied = $2 WHERE name = $3 AND run = $4
        AND (SELECT CASE WHEN is_new THEN is_small ELSE $5::boolean END FROM total) RETURNING 1)
    SELECT first_sequence, part, parts, last_sequence, last_crc,
      CASE WHEN found.is_new AND is_small THEN bytes ELSE '' END AS bytes,
      COALESCE(found.is_new AND NOT is_small, false) AS is_left_out, (SELECT count(*) FROM own) AS written
    FROM found, total ORDER BY first_sequence, part`,
}

export interface TailOptions {
  readonly instances: Instances
  /** The position of this instance. */
  readonly applied: number
  /** That nothing is there has to be confirmed as well. */
  readonly mustWrite: boolean
  /** Many bytes came just now. */
  readonly expectsMany: boolean
  /** Where the groups go. */
  readonly memory: GroupMemory
}

export interface Tail {
  /** Each whole, and none of them can be lost any more. */
  readonly groups: readonly StoredGroup[]
  /** There may be more behind them. */
  readonly isCut: boolean
}

/**
 * Some groups behind a known one.
 * @returns null: the known group is gone, or another one stands in its place
 * @throws ConnectionLostError: it is not known whether they can be lost
 */
export function readTail(
  session: Session,
  known: LogEnd,
  options: TailOptions,
): Promise<Tail | null> {
  return options.expectsMany ? readMany(session, known, options) : readFew(session, known, options)
}

async function readFew(
  session: Session,
  known: LogEnd,
  { instances, applied, mustWrite, memory }: TailOptions,
): Promise<Tail | null> {
  const { name, run } = instances
  const rows = new LogRows(known, memory)
  let isLarge = false
  let written = 0
  const values = [known.first, applied, name, run, mustWrite]
  const isConfirmed = await session.rows(look, values, (fields) => {
    rows.addFields(fields)
    isLarge = present(fields.at(-2))[0] === 1
    written = int8Of(fields.at(-1))
  })
  const groups = isLarge ? await readGroups(session, known, memory) : await rows.groups(session)
  if (groups === null) return null
  const isReadLater = isLarge || hasLaterParts(rows.last!)
  return confirmed({ groups, rowCount: rows.count, mustWrite }, () =>
    isReadLater ? instances.confirm(session, applied) : isConfirmed && written === 1,
  )
}

/** As `readFew`, whose one statement has its values in the text: COPY takes no parameters. */
async function readMany(
  session: Session,
  known: LogEnd,
  { instances, applied, mustWrite, memory }: TailOptions,
): Promise<Tail | null> {
  const { ordinal, run } = instances
  assert(Number.isSafeInteger(ordinal) && Number.isSafeInteger(applied), 'rows have numbers')
  assert(/^[0-9a-f-]+$/.test(run), 'a run is a UUID')
  const rows = new LogRows(known, memory)
  let written = 0
  const isConfirmed = await session.copyOut(
    `WITH found AS (${rowsFrom(known)}),
      own AS (
        UPDATE instances SET applied = ${applied} WHERE ordinal = ${ordinal} AND run = '${run}'
          AND (${mustWrite} OR (SELECT count(*) FROM found) > 1) RETURNING 1)
      SELECT *, (SELECT count(*) FROM own) FROM found ORDER BY first_sequence, part`,
    (fields) => {
      rows.addFields(fields)
      written = int8Of(fields.at(-1))
    },
  )
  const groups = await rows.groups(session)
  if (groups === null) return null
  return confirmed({ groups, rowCount: rows.count, mustWrite }, () =>
    hasLaterParts(rows.last!) ? instances.confirm(session, applied) : isConfirmed && written === 1,
  )
}

interface Found {
  readonly groups: readonly StoredGroup[]
  readonly rowCount: number
  readonly mustWrite: boolean
}

/** @param isWritten whether a write behind the read is confirmed; called where there must be one */
async function confirmed(
  { groups, rowCount, mustWrite }: Found,
  isWritten: () => boolean | Promise<boolean>,
): Promise<Tail> {
  const mustBeWritten = groups.length > 0 || mustWrite
  if (mustBeWritten && !(await isWritten())) {
    throw new ConnectionLostError('the standby has not confirmed what was read')
  }
  return { groups, isCut: rowCount === ROWS_PER_READ }
}

/** Further parts of the last group were read behind the write. */
function hasLaterParts({ part, parts }: Pick<RowHead, 'part' | 'parts'>): boolean {
  return part + 1 !== parts
}

const LOOK_MS = 20
const LOOK_SOON_MS = 5
const LOOK_LATER_MS = 40
/** So long after something was found a follower looks sooner, or later after many bytes. */
const SOON_MS = 1_000
const LARGE_SIZE_BYTES = 32 * 1024

/**
 * How long a follower waits between two looks. Small commits are shown soon; while many bytes come,
 * those of 40 ms are taken together, since each look and its write take time of all.
 */
export class Looks {
  #foundMs = Number.NEGATIVE_INFINITY
  #sizeBytes = 0

  found(groups: readonly StoredGroup[], nowMs: number): void {
    this.#foundMs = nowMs
    this.#sizeBytes = groups.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** More than a look brings with it came just now: more of them may follow. */
  expectsMany(nowMs: number): boolean {
    return this.#isJustNow(nowMs) && this.#sizeBytes > INLINE_SIZE_BYTES_MAX
  }

  /** Nothing came for a while. */
  isQuiet(nowMs: number): boolean {
    return !this.#isJustNow(nowMs)
  }

  /** @param isAwaited a request waits for what comes */
  pauseMs(nowMs: number, isAwaited: boolean): number {
    if (isAwaited) return LOOK_SOON_MS
    if (!this.#isJustNow(nowMs)) return LOOK_MS
    return this.#sizeBytes < LARGE_SIZE_BYTES ? LOOK_SOON_MS : LOOK_LATER_MS
  }

  #isJustNow(nowMs: number): boolean {
    return nowMs - this.#foundMs < SOON_MS
  }
}
