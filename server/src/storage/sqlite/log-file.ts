/**
 * The commit log as a SQLite file, used by one thread: groups of sealed frames, the anchor of
 * their chain, and the documents. Every method is one transaction and durable when it returns.
 *
 * SQLite keeps transactions whole; the frames' own checksums find what it cannot see, bits that
 * rot on the disk.
 *
 * @see docs/formats/log-frame.md
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { LOG_FREE_SIZE_BYTES_MAX, STORE_DELETE_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { type LogFrame, type LogPosition, sealFrames } from '../frame/frame.ts'
import {
  type DatabaseKind,
  type DatabaseOptions,
  openDatabase,
  pageUse,
  transaction,
  translating,
} from './database.ts'
import { type LogBlock, LogReader, readAnchor, readLogBlock, walkLog } from './log-reader.ts'

export const LOG_DATABASE: DatabaseKind = {
  title: 'commit log',
  applicationId: 0x51564c47,
  corruptCode: 'CORRUPT_LOG',
  pageSizeBytes: 4096,
  journalMode: 'wal',
  upgrades: [
    `CREATE TABLE groups (
       first_sequence INTEGER PRIMARY KEY,
       last_sequence INTEGER NOT NULL,
       last_crc INTEGER NOT NULL,
       bytes BLOB NOT NULL
     );
     CREATE TABLE anchor (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       sequence INTEGER NOT NULL,
       crc INTEGER NOT NULL
     );
     INSERT INTO anchor VALUES (1, 0, 0);
     CREATE TABLE documents (
       collection TEXT NOT NULL,
       key TEXT NOT NULL,
       crc INTEGER NOT NULL,
       bytes BLOB NOT NULL,
       PRIMARY KEY (collection, key)
     );`,
  ],
}

/** Pages the write-ahead log may hold before it is copied home. Larger ones stall: design 6. */
const CHECKPOINT_PAGES = 1000
/** What a rewrite of the file may write: as much as a checkpoint. */
const USED_SIZE_BYTES_MAX = CHECKPOINT_PAGES * LOG_DATABASE.pageSizeBytes

export interface LogState {
  /** The last frame that was deleted: everything behind it is here. */
  readonly anchor: LogPosition
  readonly last: LogPosition
  readonly sizeBytes: number
}

export interface TrimResult {
  readonly anchor: LogPosition
  readonly deletedSizeBytes: number
  readonly isDone: boolean
}

export interface StoredDocument {
  readonly key: string
  readonly bytes: Uint8Array
}

interface GroupRow {
  readonly first_sequence: number
  readonly last_sequence: number
  readonly last_crc: number
  readonly size: number
}

export class LogFile {
  readonly #database: DatabaseSync
  readonly #insertGroup: StatementSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #last: LogPosition
  /** Estimate of the pages written since the last checkpoint. */
  #walPages = 0
  /** What made the file unfit for writes; a failed sync is never retried. */
  #failure: string | null = null

  /** @throws DbError CORRUPT_LOG when the end of the chain does not hold */
  constructor(options: DatabaseOptions) {
    this.#database = openDatabase(LOG_DATABASE, options)
    this.#database.exec('PRAGMA wal_autocheckpoint = 0')
    this.#insertGroup = this.#database.prepare('INSERT INTO groups VALUES (?, ?, ?, ?)')
    this.#begin = this.#database.prepare('BEGIN IMMEDIATE')
    this.#commit = this.#database.prepare('COMMIT')
    try {
      this.#last = translating(LOG_DATABASE, 'read its end', () => this.#readLast())
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  state(): LogState {
    return translating(LOG_DATABASE, 'read its state', () => {
      const row = this.#database.prepare('SELECT sum(length(bytes)) AS size FROM groups').get()
      return { anchor: this.#anchor(), last: this.#last, sizeBytes: Number(row?.['size'] ?? 0) }
    })
  }

  /** Chains and checksums laid out frames in place, and makes them durable as one transaction. */
  appendGroup(bytes: Uint8Array): LogPosition {
    return this.#writing('append', () => {
      const last = sealFrames(bytes, this.#last)
      this.#begin.run()
      this.#insertGroup.run(this.#last.sequence + 1, last.sequence, last.crc, bytes)
      this.#commit.run()
      this.#last = last
      this.#walPages += Math.ceil(bytes.length / LOG_DATABASE.pageSizeBytes) + 2
      return last
    })
  }

  /** Copies the write-ahead log home once it is long. For after the answer, not before. */
  checkpointIfDue(): void {
    if (this.#walPages < CHECKPOINT_PAGES) return
    this.#writing('checkpoint', () => this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
    this.#walPages = 0
  }

  /** For the thread that checks with a `LogReader` what this one reads. */
  readBlock(sequence: number): LogBlock {
    return translating(LOG_DATABASE, `read from frame ${sequence}`, () =>
      readLogBlock(this.#database, sequence),
    )
  }

  /** Every frame behind the anchor, checked. */
  *frames(): Iterable<LogFrame> {
    yield* walkLog(this.#database, this.#anchor().sequence)
  }

  /** Deletes some groups whose frames are all folded, and moves the anchor with them. */
  trim(foldedSequence: number): TrimResult {
    return this.#writing('delete folded frames', () => {
      const groups = this.#foldedGroups(foldedSequence)
      const last = groups.at(-1)
      if (last === undefined) return { anchor: this.#anchor(), deletedSizeBytes: 0, isDone: true }
      const anchor = { sequence: last.last_sequence, crc: last.last_crc }
      transaction(this.#database, () => {
        this.#database
          .prepare('DELETE FROM groups WHERE first_sequence <= ?')
          .run(last.first_sequence)
        this.#moveAnchor(anchor)
      })
      this.#walPages += groups.length
      const deletedSizeBytes = groups.reduce((sum, group) => sum + group.size, 0)
      return { anchor, deletedSizeBytes, isDone: false }
    })
  }

  /**
   * Writes the file anew once it is nearly all free pages: a long tail that was folded. What is
   * used is so little then that commits wait no longer than for a checkpoint.
   */
  shrink(): void {
    const { usedSizeBytes, freeSizeBytes } = pageUse(this.#database)
    if (usedSizeBytes > USED_SIZE_BYTES_MAX || freeSizeBytes < LOG_FREE_SIZE_BYTES_MAX) return
    this.#writing('shrink', () => {
      this.#database.exec('VACUUM')
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    })
    this.#walPages = 0
  }

  /** Starts the chain anew behind `sequence`, dropping what is there: for restore and repair. */
  restartAfter(sequence: number): void {
    this.#writing('restart', () => {
      assert(sequence >= this.#last.sequence, 'a log is restarted behind its last frame')
      transaction(this.#database, () => {
        this.#database.exec('DELETE FROM groups')
        this.#moveAnchor({ sequence, crc: 0 })
      })
      this.#last = { sequence, crc: 0 }
    })
  }

  putDocument(collection: string, key: string, bytes: Uint8Array): void {
    this.#writing('put a document', () => {
      this.#database
        .prepare(
          `INSERT INTO documents VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET crc = excluded.crc, bytes = excluded.bytes`,
        )
        .run(collection, key, crc32(bytes), bytes)
      this.#walPages += Math.ceil(bytes.length / LOG_DATABASE.pageSizeBytes) + 2
    })
  }

  deleteDocument(collection: string, key: string): void {
    this.#writing('delete a document', () => {
      this.#database
        .prepare('DELETE FROM documents WHERE collection = ? AND key = ?')
        .run(collection, key)
      this.#walPages += 2
    })
  }

  /** @throws DbError CORRUPT_LOG for a document that does not match its checksum */
  getDocument(collection: string, key: string): Uint8Array | null {
    return translating(LOG_DATABASE, 'read a document', () => {
      const row = this.#database
        .prepare('SELECT key, crc, bytes FROM documents WHERE collection = ? AND key = ?')
        .get(collection, key)
      return row === undefined ? null : checkedDocument(collection, row).bytes
    })
  }

  /** In the order of their keys' UTF-8 bytes. */
  listDocuments(collection: string): readonly StoredDocument[] {
    return translating(LOG_DATABASE, 'read documents', () =>
      this.#database
        .prepare('SELECT key, crc, bytes FROM documents WHERE collection = ? ORDER BY key')
        .all(collection)
        .map((row) => checkedDocument(collection, row)),
    )
  }

  /** Every document, for `repair`. */
  documentCollections(): readonly string[] {
    return this.#database
      .prepare('SELECT DISTINCT collection FROM documents')
      .all()
      .map((row) => String(row['collection']))
  }

  close(): void {
    this.#database.close()
  }

  /** After a failed write the file is not touched again: what a sync lost cannot be known. */
  #writing<Result>(doing: string, work: () => Result): Result {
    if (this.#failure !== null) throw new DbError('STORE_READ_ONLY', this.#failure)
    try {
      return translating(LOG_DATABASE, doing, work)
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error)
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #anchor(): LogPosition {
    return readAnchor(this.#database)
  }

  #moveAnchor(anchor: LogPosition): void {
    this.#database
      .prepare('UPDATE anchor SET sequence = ?, crc = ?')
      .run(anchor.sequence, anchor.crc)
  }

  /** Checks the last group, since the next frame is chained to it. */
  #readLast(): LogPosition {
    const row = this.#database.prepare('SELECT max(first_sequence) AS first FROM groups').get()
    const first = row?.['first'] ?? null
    if (first === null) return this.#anchor()
    const reader = new LogReader(Number(first) - 1)
    for (const _ of reader.frames(readLogBlock(this.#database, Number(first))));
    return reader.position ?? this.#anchor()
  }

  #foldedGroups(foldedSequence: number): readonly GroupRow[] {
    const rows = this.#database
      .prepare(
        `SELECT first_sequence, last_sequence, last_crc, length(bytes) AS size FROM groups
         WHERE first_sequence <= ? ORDER BY first_sequence LIMIT 2000`,
      )
      .all(foldedSequence) as unknown as readonly GroupRow[]
    const chosen: GroupRow[] = []
    let sizeBytes = 0
    for (const row of rows) {
      if (row.last_sequence > foldedSequence || sizeBytes >= STORE_DELETE_SIZE_BYTES_MAX) break
      sizeBytes += row.size
      chosen.push(row)
    }
    return chosen
  }
}

function checkedDocument(collection: string, row: Record<string, unknown>): StoredDocument {
  const key = String(row['key'])
  const bytes = row['bytes'] as Uint8Array
  if (crc32(bytes) !== Number(row['crc'])) {
    throw new DbError('CORRUPT_LOG', `document ${collection}/${key} has a wrong checksum`, {
      details: { collection, key },
    })
  }
  return { key, bytes }
}
