/**
 * Whether a SQLite file is built as it should be: our tables and nothing else, and pages that
 * belong together. SQLite itself notices a damaged page only when a statement happens to meet it,
 * and a damaged list of free pages only by overwriting what is in use.
 */
import { DatabaseSync } from 'node:sqlite'
import { DbError, type ErrorCode } from '#kernel/errors.ts'

/** Statements, or what makes them out of what the file holds. */
export type Upgrade = string | ((database: DatabaseSync) => void)

/** What is known of a kind of file. */
interface FileKind {
  /** As messages name it: "commit log". */
  readonly title: string
  readonly corruptCode: ErrorCode
  readonly upgrades: readonly Upgrade[]
}

export function applyUpgrade(database: DatabaseSync, upgrade: Upgrade): void {
  if (typeof upgrade === 'string') database.exec(upgrade)
  else upgrade(database)
}

/** @throws DbError the kind's corruption code */
export function checkSchema(database: DatabaseSync, kind: FileKind, version: number): void {
  const expected = schemaOf(kind, version)
  const actual = readSchema(database)
  if (actual === expected) return
  throw new DbError(
    kind.corruptCode,
    `${kind.title}: its tables are not those of format ${version}`,
  )
}

/** Reads every page. @throws DbError the kind's corruption code, with the first thing found */
export function checkPages(database: DatabaseSync, kind: FileKind): void {
  const row = database.prepare('PRAGMA integrity_check(1)').get()
  const found = String(row?.['integrity_check'] ?? 'no answer')
  if (found === 'ok') return
  throw new DbError(kind.corruptCode, `${kind.title}: its pages are damaged: ${found}`)
}

const schemas = new Map<string, string>()

/** What the upgrades to this version make of an empty file. */
function schemaOf(kind: FileKind, version: number): string {
  const name = `${kind.title} ${version}`
  const known = schemas.get(name)
  if (known !== undefined) return known
  const database = new DatabaseSync(':memory:')
  try {
    for (const upgrade of kind.upgrades.slice(0, version)) applyUpgrade(database, upgrade)
    const schema = readSchema(database)
    schemas.set(name, schema)
    return schema
  } finally {
    database.close()
  }
}

function readSchema(database: DatabaseSync): string {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all()
  return rows
    .map((row) => JSON.stringify(Object.values(row)).replaceAll(/(\\n|\s)+/g, ' '))
    .sort()
    .join('\n')
}
