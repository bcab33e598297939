/**
 * The tables of a shared store, made by the instance that starts first. Statements stand alone; no
 * sequences, triggers, advisory locks, notifications or clocks.
 *
 * @see docs/formats/shared-store.md
 */
import { DbError } from '#kernel/errors.ts'
import { type Answer, type Session, StatementFailedError } from './session.ts'

/** Of the tables. */
export const STORE_FORMAT = 1

const tables = [
  'CREATE TABLE meta (id int PRIMARY KEY, format int NOT NULL)',
  `CREATE TABLE log (first_sequence bigint, part int, parts int NOT NULL, last_sequence bigint NOT NULL,
     last_crc bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (first_sequence, part))`,
  `CREATE TABLE documents (collection text, key text, crc bigint NOT NULL, bytes bytea NOT NULL,
     PRIMARY KEY (collection, key))`,
  `CREATE TABLE manifest (generation bigint PRIMARY KEY, folded_sequence bigint NOT NULL,
     crc bigint NOT NULL, json text NOT NULL)`,
  `CREATE TABLE parts (blob bigint, part int, crc bigint NOT NULL, codec int NOT NULL,
     bytes bytea NOT NULL, PRIMARY KEY (blob, part))`,
  `CREATE TABLE instances (name text PRIMARY KEY, ordinal int UNIQUE NOT NULL, run text NOT NULL,
     url text NOT NULL, version text NOT NULL, format int NOT NULL, memory bigint NOT NULL,
     beat bigint NOT NULL, applied bigint NOT NULL, digest_sequence bigint, digest bigint)`,
  // What the first group follows.
  "INSERT INTO log VALUES (0, 0, 1, 0, 0, '')",
  `INSERT INTO meta VALUES (1, ${STORE_FORMAT})`,
]

/**
 * Only PostgreSQL itself knows these, and only its speed depends on them; each may be refused. Parts of
 * blobs are packed already, and the compression that PostgreSQL has of its own is too slow. That of
 * lz4 halves what an append takes (docs/decisions/0154); not every PostgreSQL has it.
 */
const tuning = [
  'ALTER TABLE log ALTER COLUMN bytes SET STORAGE EXTERNAL',
  'ALTER TABLE parts ALTER COLUMN bytes SET STORAGE EXTERNAL',
  `ALTER TABLE log ALTER COLUMN bytes SET COMPRESSION lz4, ALTER COLUMN bytes SET STORAGE EXTENDED`,
]
const isTuned = `SELECT 1 FROM pg_attribute
  WHERE attrelid = 'log'::regclass AND attname = 'bytes' AND attcompression = 'l' AND attstorage = 'x'`
/** Who reads or writes the table is not held up by one who waits for a lock on it. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '500ms'"

/** @throws DbError UNSUPPORTED_FORMAT, STORE_FAILED */
export async function prepareSchema(session: Session, schema: string): Promise<void> {
  for (;;) {
    const format = await formatOf(session, schema)
    if (format === STORE_FORMAT) {
      await tune(session)
      return
    }
    if (format !== null) {
      const message = `the shared store has format ${format}, and this version reads format ${STORE_FORMAT}`
      throw new DbError('UNSUPPORTED_FORMAT', message)
    }
    await create(session, schema)
  }
}

/** Null: there are no tables yet. */
async function formatOf(session: Session, schema: string): Promise<number | null> {
  const found = await session.query(
    {
      text: "SELECT 1 FROM information_schema.tables WHERE table_schema = $1 AND table_name = 'meta'",
    },
    [schema],
  )
  if (found.count === 0) return null
  const { rows } = await session.query({ text: 'SELECT format FROM meta WHERE id = 1' })
  return Number(rows[0]?.['format'])
}

async function create(session: Session, schema: string): Promise<void> {
  try {
    const known = await session.query(
      { text: 'SELECT 1 FROM information_schema.schemata WHERE schema_name = $1' },
      [schema],
    )
    await session.query({ text: 'BEGIN' })
    if (known.count === 0) await session.query({ text: `CREATE SCHEMA ${schema}` })
    for (const text of tables) await session.query({ text })
    if (!(await session.commit())) return
  } catch (error) {
    if (!(error instanceof StatementFailedError)) throw error
    await session.query({ text: 'ROLLBACK' })
    // Another instance was first: its tables are there.
    if ((await formatOf(session, schema)) !== null) return
    const message = `the tables of the shared store cannot be made: ${error.message}`
    throw new DbError('STORE_FAILED', message, { cause: error })
  }
}

/** Tables of an older version have not all of it. What is refused is tried again by the next start. */
async function tune(session: Session): Promise<void> {
  const tuned = await tried(session, isTuned)
  if (tuned !== null && tuned.count > 0) return
  for (const text of tuning) await tried(session, `${LOCK_TIMEOUT}; ${text}`)
}

async function tried(session: Session, text: string): Promise<Answer | null> {
  try {
    return await session.query({ text })
  } catch (error) {
    if (error instanceof StatementFailedError) return null
    throw error
  }
}
