/**
 * The documents of the commit log's file. Each has its own checksum; one row of another table holds
 * a sum over all of them and counts their changes, in the same transaction: a document that is
 * missing, or there twice, is noticed like one that was changed.
 *
 * @see docs/formats/log-frame.md
 */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { DbError } from '#kernel/errors.ts'
import { transaction } from './database.ts'

export interface StoredDocument {
  readonly key: string
  readonly bytes: Uint8Array
}

interface DocumentState {
  readonly revision: number
  readonly sum: number
}

/** From format 1 to 2 of the log. */
export function addDocumentState(database: DatabaseSync): void {
  database.exec(
    `CREATE TABLE document_state (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       revision INTEGER NOT NULL,
       sum INTEGER NOT NULL
     )`,
  )
  database.prepare('INSERT INTO document_state VALUES (1, 0, ?)').run(sumOfDocuments(database))
}

export class DocumentTable {
  readonly #database: DatabaseSync
  #state: DocumentState

  private constructor(database: DatabaseSync, state: DocumentState) {
    this.#database = database
    this.#state = state
  }

  /** @throws DbError CORRUPT_LOG when documents are missing or more than there should be */
  static open(database: DatabaseSync): DocumentTable {
    const row = database.prepare('SELECT revision, sum FROM document_state').get()
    const state = { revision: Number(row?.['revision']), sum: Number(row?.['sum']) }
    if (state.sum === sumOfDocuments(database)) return new DocumentTable(database, state)
    throw new DbError('CORRUPT_LOG', 'commit log: the documents are not those that were written')
  }

  /** Changes so far. */
  get revision(): number {
    return this.#state.revision
  }

  put(collection: string, key: string, bytes: Uint8Array): void {
    const crc = crc32(bytes)
    this.#change(collection, key, markOf(collection, key, crc), () =>
      this.#database
        .prepare(
          `INSERT INTO documents VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET crc = excluded.crc, bytes = excluded.bytes`,
        )
        .run(collection, key, crc, bytes),
    )
  }

  delete(collection: string, key: string): void {
    this.#change(collection, key, 0, () =>
      this.#database
        .prepare('DELETE FROM documents WHERE collection = ? AND key = ?')
        .run(collection, key),
    )
  }

  /** @throws DbError CORRUPT_LOG for a document that does not match its checksum */
  get(collection: string, key: string): Uint8Array | null {
    const row = this.#database
      .prepare('SELECT key, crc, bytes FROM documents WHERE collection = ? AND key = ?')
      .get(collection, key)
    return row === undefined ? null : checkedDocument(collection, row).bytes
  }

  list(collection: string): readonly StoredDocument[] {
    return this.#database
      .prepare('SELECT key, crc, bytes FROM documents WHERE collection = ? ORDER BY key')
      .all(collection)
      .map((row) => checkedDocument(collection, row))
  }

  collections(): readonly string[] {
    return this.#database
      .prepare('SELECT DISTINCT collection FROM documents')
      .all()
      .map((row) => String(row['collection']))
  }

  /** One transaction: the document, and in the state its new mark in place of the old one. */
  #change(collection: string, key: string, mark: number, work: () => unknown): void {
    const state = transaction(this.#database, () => {
      const before = this.#markOf(collection, key)
      work()
      const next = {
        revision: this.#state.revision + 1,
        sum: this.#state.sum - before + mark,
      }
      this.#database
        .prepare('UPDATE document_state SET revision = ?, sum = ?')
        .run(next.revision, next.sum)
      return next
    })
    this.#state = state
  }

  /** Of the document as it is, 0 if there is none. */
  #markOf(collection: string, key: string): number {
    const row = this.#database
      .prepare('SELECT crc FROM documents WHERE collection = ? AND key = ?')
      .get(collection, key)
    return row === undefined ? 0 : markOf(collection, key, Number(row['crc']))
  }
}

function sumOfDocuments(database: DatabaseSync): number {
  let sum = 0
  for (const row of database.prepare('SELECT collection, key, crc FROM documents').iterate()) {
    sum += markOf(String(row['collection']), String(row['key']), Number(row['crc']))
  }
  return sum
}

/** What a document adds to the sum: a checksum over its name and its own checksum. */
function markOf(collection: string, key: string, crc: number): number {
  return crc32(JSON.stringify([collection, key, crc]))
}

function checkedDocument(collection: string, row: Record<string, unknown>): StoredDocument {
  const key = String(row['key'])
  const { bytes } = row
  if (!(bytes instanceof Uint8Array) || crc32(bytes) !== Number(row['crc'])) {
    throw new DbError('CORRUPT_LOG', `document ${collection}/${key} has a wrong checksum`, {
      details: { collection, key },
    })
  }
  return { key, bytes }
}
