/**
 * A process enters the row of its name. One that lives keeps it: a second one is refused at its start.
 *
 * Who is gone is a matter of courtesy, not of safety. Its connections have ended, or its beat has stood
 * still for as long as other instances wait before they take over. If it lives after all, its next
 * beat finds another process in the row, and it ends. Both meanwhile are different writers to the log.
 *
 * @see docs/decisions/0140-one-process-under-a-name.md
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { InstanceOptions } from './instances.ts'
import type { Link } from './link.ts'
import { type Row, type Session, StatementFailedError, sessionName } from './session.ts'

export interface Registration {
  readonly link: Link
  readonly instance: InstanceOptions
  /** Of this process. */
  readonly run: string
  readonly format: number
  /** How long the beat of another process may stand still. */
  readonly silentMsMax: number
  readonly clock: Clock
}

/** The process in the row as it was first seen. */
interface Found {
  readonly run: string
  readonly beat: number
  readonly sinceMs: number
}

const UNIQUE_VIOLATION = '23505'
const LOOK_MS = 50
const COLUMNS = 'name, ordinal, run, url, version, format, memory, beat, applied'

/** @returns the ordinal. @throws DbError STORE_LOCKED: another process lives under the name */
export async function register(registration: Registration): Promise<number> {
  const { link, instance, run, clock } = registration
  let found: Found | null = null
  for (;;) {
    const row = await link.repeat((session) => rowOf(session, instance.name))
    if (row?.['run'] === run) return Number(row['ordinal'])
    if (row === null) {
      await link.repeat((session) => insert(session, registration))
      continue
    }
    const seen = { run: String(row['run']), beat: Number(row['beat']) }
    if (found?.run !== seen.run) found = { ...seen, sinceMs: clock.monotonicMs() }
    if (seen.beat !== found.beat) throw taken(instance.name, row)
    const isSilent = clock.monotonicMs() - found.sinceMs >= registration.silentMsMax
    if (isSilent || !(await link.repeat((session) => isConnected(session, seen.run)))) {
      await link.repeat((session) => replace(session, registration, seen.run))
    } else await link.nodes.pause(LOOK_MS)
  }
}

async function rowOf(session: Session, name: string): Promise<Row | null> {
  const { rows } = await session.query(
    { text: 'SELECT ordinal, run, url, beat FROM instances WHERE name = $1' },
    [name],
  )
  return rows[0] ?? null
}

/** A new name gets the next ordinal. Another process may be faster: the row tells. */
async function insert(session: Session, registration: Registration): Promise<void> {
  const text = `INSERT INTO instances (${COLUMNS})
    SELECT $1::text, coalesce(max(ordinal), 0) + 1, $2::text, $3::text, $4::text, $5::int, $6::bigint,
      1, 0 FROM instances ON CONFLICT (name) DO NOTHING`
  try {
    await session.query({ text }, valuesOf(registration))
  } catch (error) {
    // Another new name took the ordinal.
    const isTaken = error instanceof StatementFailedError && error.sqlState === UNIQUE_VIOLATION
    if (!isTaken) throw error
  }
}

async function replace(session: Session, registration: Registration, gone: string): Promise<void> {
  const text = `UPDATE instances SET run = $2, url = $3, version = $4, format = $5, memory = $6,
      beat = beat + 1, applied = 0, digest_sequence = NULL, digest = NULL
    WHERE name = $1 AND run = $7`
  await session.query({ text }, [...valuesOf(registration), gone])
}

/** As far as the server says: a process that is killed loses its connections at once. */
async function isConnected(session: Session, run: string): Promise<boolean> {
  try {
    const { count } = await session.query(
      { text: 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1' },
      [sessionName(run)],
    )
    return count > 0
  } catch (error) {
    // Only its beat tells.
    if (error instanceof StatementFailedError) return true
    throw error
  }
}

function valuesOf({ instance, run, format }: Registration): readonly unknown[] {
  const { name, url, version, memoryLimitBytes } = instance
  return [name, run, url, version, format, Math.floor(memoryLimitBytes)]
}

function taken(name: string, row: Row): DbError {
  const message = `another server that shares the store runs under the name '${name}', at ${row['url']}: each needs a name of its own (--name)`
  return new DbError('STORE_LOCKED', message)
}
