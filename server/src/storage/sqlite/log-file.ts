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
import { addDocumentState, DocumentTable, type StoredDocument } from './document-table.ts'
import { type AcknowledgedEnd, checkReaches, LogEndFile, readLogEnd } from './log-end.ts'
import { type LogBlock, LogReader, readAnchor, readLogBlock, walkLog } from './log-reader.ts'
import { checkWal } from './wal-check.ts'

export const LOG_DATABASE: DatabaseKind = {
  title: 'commit log',
  applicationId: 0x51564c47,
  corruptCode: 'CORRUPT_LOG',
  pageSizeBytes: 4096,
  journalMode: 'wal',
  checksPages: true,
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
    addDocumentState,
  ],
}

/** Pages the write-ahead log may hold before it is copied home. Larger ones stall. */
const CHECKPOINT_PAGES = 1000
/** What a rewrite of the file may write: as much as a checkpoint. */
const USED_SIZE_BYTES_MAX = CHECKPOINT_PAGES * LOG_DATABASE.pageSizeBytes

export interface LogFileOptions extends DatabaseOptions {
  /** Where the end of the log that was acknowledged is recorded; without it nothing is. */
  readonly endPath?: string | undefined
}

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

interface GroupRow {
  readonly first_sequence: number
  readonly last_sequence: number
  readonly last_crc: number
  readonly size: number
}

export class LogFile {
  readonly #database: DatabaseSync
  readonly #documents: DocumentTable
  readonly #insertGroup: StatementSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #endPath: string | null
  #end: LogEndFile | null = null
  #last: LogPosition
  /** Estimate of the pages written since the last checkpoint. */
  #walPages = 0
  /** What made the file unfit for writes; a failed sync is never retried. */
  #failure: string | null = null

  /** @throws DbError CORRUPT_LOG when the file, its end or what it acknowledged does not hold */
  constructor(options: LogFileOptions) {
    checkWal(options.path)
    this.#database = openDatabase(LOG_DATABASE, options)
    this.#database.exec('PRAGMA wal_autocheckpoint = 0')
    this.#insertGroup = this.#database.prepare('INSERT INTO groups VALUES (?, ?, ?, ?)')
    this.#begin = this.#database.prepare('BEGIN IMMEDIATE')
    this.#commit = this.#database.prepare('COMMIT')
    this.#endPath = options.endPath ?? null
    try {
      this.#last = translating(LOG_DATABASE, 'read its end', () => this.#readLast())
      this.#documents = translating(LOG_DATABASE, 'read documents', () =>
        DocumentTable.open(this.#database),
      )
      this.#checkEnd()
      this.#emptyWal()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Whether a write failed, so that there will be no other. */
  get isFailed(): boolean {
    return this.#failure !== null
  }

  /** What the log holds, as it is compared with what it acknowledged. */
  get end(): AcknowledgedEnd {
    return { sequence: this.#last.sequence, revision: this.#documents.revision }
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
      this.#walPages += pagesOf(bytes)
      this.#recordEnd()
      return last
    })
  }

  /** Copies the write-ahead log home once it is long. For after the answer, not before. */
  checkpointIfDue(): void {
    if (this.#walPages < CHECKPOINT_PAGES) return
    this.#writing('checkpoint', () => {
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
      this.#end?.sync()
    })
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
      this.#recordEnd()
    })
  }

  putDocument(collection: string, key: string, bytes: Uint8Array): void {
    this.#writing('put a document', () => {
      this.#documents.put(collection, key, bytes)
      this.#walPages += pagesOf(bytes)
      this.#recordEnd()
    })
  }

  deleteDocument(collection: string, key: string): void {
    this.#writing('delete a document', () => {
      this.#documents.delete(collection, key)
      this.#walPages += 2
      this.#recordEnd()
    })
  }

  /** @throws DbError CORRUPT_LOG for a document that does not match its checksum */
  getDocument(collection: string, key: string): Uint8Array | null {
    return translating(LOG_DATABASE, 'read a document', () => this.#documents.get(collection, key))
  }

  /** In the order of their keys' UTF-8 bytes. */
  listDocuments(collection: string): readonly StoredDocument[] {
    return translating(LOG_DATABASE, 'read documents', () => this.#documents.list(collection))
  }

  documentCollections(): readonly string[] {
    return translating(LOG_DATABASE, 'read documents', () => this.#documents.collections())
  }

  close(): void {
    this.#database.close()
    this.#end?.sync()
    this.#end?.close()
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

  /** @throws DbError CORRUPT_LOG when the file holds less than was acknowledged */
  #checkEnd(): void {
    const acknowledged = this.#endPath === null ? null : readLogEnd(this.#endPath)
    if (acknowledged !== null) checkReaches(this.end, acknowledged)
  }

  /** Leaves no frame behind that a later damage could be taken for, or taken by. */
  #emptyWal(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      if (this.#endPath !== null) this.#end = new LogEndFile(this.#endPath, this.end)
    } catch {
      // A full disk is read all the same; the first write tells.
    }
  }

  #recordEnd(): void {
    if (this.#endPath === null) return
    if (this.#end === null) this.#end = new LogEndFile(this.#endPath, this.end)
    else this.#end.record(this.end)
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
    const anchor = this.#anchor()
    const row = this.#database
      .prepare('SELECT min(first_sequence) AS first, max(first_sequence) AS last FROM groups')
      .get()
    if (typeof row?.['last'] !== 'number') return anchor
    // Frames are deleted from the front, and the anchor moves with them.
    const first = Number(row['first'])
    if (first !== anchor.sequence + 1) throw lostBeginning(anchor.sequence + 1, first)
    const reader = new LogReader(row['last'] - 1)
    for (const _ of reader.frames(readLogBlock(this.#database, row['last'])));
    return reader.position ?? anchor
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

/** Bytes of a row lie on so many pages, and the tree over them changes a little. */
function pagesOf(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / LOG_DATABASE.pageSizeBytes) + 2
}

function lostBeginning(expected: number, first: number): DbError {
  const message = `commit log: it begins with frame ${first} instead of ${expected}`
  return new DbError('CORRUPT_LOG', message, { details: { sequence: expected } })
}
