/**
 * Segments as a SQLite file, used by one thread: blobs cut into parts, each stored the smallest way,
 * and one manifest that says which blobs are current. A part that no manifest and no open
 * checkpoint names is garbage, whoever left it, and is deleted in slices.
 *
 * @see docs/formats/segment.md
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { SEGMENT_BLOB_SIZE_BYTES_MAX, STORE_DELETE_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { sharedBytes } from '#kernel/shared-memory.ts'
import {
  addPart,
  blobsByKey,
  checkWhole,
  currentBlob,
  cutIntoParts,
  emptyBlob,
  type OpenBlob,
  PART_SIZE_BYTES_MAX,
  PARTS_PER_BLOB_MAX,
  parseManifest,
  publicManifest,
  type StoredBlob,
  type StoredManifest,
  type StoredPart,
} from '../segment/blob.ts'
import type { SegmentManifest } from '../store.ts'
import {
  type DatabaseKind,
  type DatabaseOptions,
  giveFreePagesBack,
  openDatabase,
  transaction,
  translating,
} from './database.ts'
import { checkPages } from './structure.ts'

export const SEGMENTS_DATABASE: DatabaseKind = {
  title: 'segments',
  applicationId: 0x51565347,
  corruptCode: 'CORRUPT_SEGMENT',
  pageSizeBytes: 65_536,
  givesPagesBack: true,
  journalMode: 'truncate',
  upgrades: [
    `CREATE TABLE manifest (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       crc INTEGER NOT NULL,
       json TEXT NOT NULL
     );
     CREATE TABLE parts (id INTEGER PRIMARY KEY, crc INTEGER NOT NULL, bytes BLOB NOT NULL);`,
    // 0: every part that is there lies as it is.
    'ALTER TABLE parts ADD COLUMN codec INTEGER NOT NULL DEFAULT 0',
  ],
}

const GARBAGE_PARTS_PER_SLICE = STORE_DELETE_SIZE_BYTES_MAX / PART_SIZE_BYTES_MAX

interface Checkpoint {
  readonly blobs: Map<string, StoredBlob>
  readonly open: Map<string, OpenBlob>
}

/** Up to SEGMENT_BLOB_SIZE_BYTES_MAX of a blob, in order. */
export interface BlobPiece {
  readonly writer: number
  readonly key: string
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

export class SegmentFile {
  readonly #database: DatabaseSync
  readonly #insertPart: StatementSync
  readonly #checkpoints = new Map<number, Checkpoint>()
  #manifest: StoredManifest | null
  #blobs: ReadonlyMap<string, StoredBlob>
  #nextNumber: number
  #failure: string | null = null
  #isChecked = false

  /** @throws DbError CORRUPT_SEGMENT when the manifest is damaged */
  constructor(options: DatabaseOptions) {
    this.#database = openDatabase(SEGMENTS_DATABASE, options)
    this.#insertPart = this.#database.prepare('INSERT INTO parts VALUES (?, ?, ?, ?)')
    try {
      this.#manifest = translating(SEGMENTS_DATABASE, 'read the manifest', () =>
        readStoredManifest(this.#database),
      )
      this.#blobs = blobsByKey(this.#manifest)
      this.#nextNumber = this.#firstFreeNumber()
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  manifest(): SegmentManifest | null {
    return this.#manifest === null ? null : publicManifest(this.#manifest)
  }

  /** Adds a piece of a blob in one transaction; the blob exists with its last piece. */
  writePiece({ writer, key, bytes, isLast }: BlobPiece): void {
    assert(bytes.length <= SEGMENT_BLOB_SIZE_BYTES_MAX, 'a piece has at most its largest size')
    const checkpoint = this.#checkpoint(writer)
    assert(!checkpoint.blobs.has(key), `blob ${key} is written once`)
    const blob = checkpoint.open.get(key) ?? this.#openBlob(checkpoint, key)
    this.#writing('write a piece of a blob', () =>
      transaction(this.#database, () => this.#insertParts(blob, bytes)),
    )
    if (!isLast) return
    checkpoint.open.delete(key)
    const { number, sizeBytes } = blob
    checkpoint.blobs.set(key, { key, number, sizeBytes, crc32: blob.crc32 })
  }

  keepBlob(writer: number, key: string): void {
    const checkpoint = this.#checkpoint(writer)
    assert(!checkpoint.blobs.has(key), `blob ${key} is written once`)
    checkpoint.blobs.set(key, this.#currentBlob(key))
  }

  /** Makes the checkpoint current: one small transaction. */
  publish(writer: number, description: string, foldedSequence: number): SegmentManifest {
    const checkpoint = this.#checkpoint(writer)
    assert(checkpoint.open.size === 0, 'every blob is whole before it is published')
    const manifest = { foldedSequence, description, blobs: [...checkpoint.blobs.values()] }
    const json = JSON.stringify(manifest)
    this.#writing('publish', () =>
      this.#database
        .prepare(
          `INSERT INTO manifest VALUES (1, ?, ?)
           ON CONFLICT DO UPDATE SET crc = excluded.crc, json = excluded.json`,
        )
        .run(crc32(json), json),
    )
    this.#manifest = manifest
    this.#blobs = blobsByKey(manifest)
    this.#checkpoints.delete(writer)
    return publicManifest(manifest)
  }

  abandon(writer: number): void {
    this.#checkpoints.delete(writer)
  }

  /** @throws DbError CORRUPT_SEGMENT naming blob and part */
  readBlob(key: string): Uint8Array<SharedArrayBuffer> {
    const blob = this.#currentBlob(key)
    return translating(SEGMENTS_DATABASE, `read blob ${key}`, () => {
      const whole = sharedBytes(blob.sizeBytes)
      let read = emptyBlob
      for (const part of partsOf(this.#database, blob)) read = addPart(whole, read, part, blob)
      checkWhole(read, blob)
      return whole
    })
  }

  /** Deletes some parts that nothing names, in one transaction. @returns whether there were any */
  deleteGarbage(): boolean {
    const garbage = translating(SEGMENTS_DATABASE, 'list its parts', () => this.#garbageParts())
    if (garbage.length === 0) return false
    return this.#writing('delete superseded parts', () => {
      const remove = this.#database.prepare('DELETE FROM parts WHERE id = ?')
      transaction(this.#database, () => {
        for (const id of garbage) remove.run(id)
      })
      return true
    })
  }

  /** Gives some free pages back to the file system. @returns whether there are more */
  shrink(): boolean {
    return this.#writing('shrink', () => giveFreePagesBack(this.#database, SEGMENTS_DATABASE))
  }

  close(): void {
    this.#database.close()
  }

  #checkpoint(writer: number): Checkpoint {
    const known = this.#checkpoints.get(writer)
    if (known !== undefined) return known
    const checkpoint = { blobs: new Map(), open: new Map() }
    this.#checkpoints.set(writer, checkpoint)
    return checkpoint
  }

  #insertParts(blob: OpenBlob, bytes: Uint8Array): void {
    for (const { place, crc, codec, bytes: stored } of cutIntoParts(blob, bytes)) {
      this.#insertPart.run(blob.number * PARTS_PER_BLOB_MAX + place, crc, stored, codec)
    }
  }

  #garbageParts(): readonly number[] {
    const live = new Set([...this.#blobs.values()].map((blob) => blob.number))
    for (const checkpoint of this.#checkpoints.values()) {
      for (const blob of checkpoint.blobs.values()) live.add(blob.number)
      for (const blob of checkpoint.open.values()) live.add(blob.number)
    }
    const garbage: number[] = []
    for (const row of this.#database.prepare('SELECT id FROM parts ORDER BY id').iterate()) {
      const id = Number(row['id'])
      if (!live.has(Math.floor(id / PARTS_PER_BLOB_MAX))) garbage.push(id)
      if (garbage.length === GARBAGE_PARTS_PER_SLICE) break
    }
    return garbage
  }

  #openBlob(checkpoint: Checkpoint, key: string): OpenBlob {
    const blob = { number: this.#nextNumber++, sizeBytes: 0, crc32: 0, partCount: 0 }
    checkpoint.open.set(key, blob)
    return blob
  }

  #currentBlob(key: string): StoredBlob {
    return currentBlob(this.#blobs, key)
  }

  /** Behind every part there is, published or left over. */
  #firstFreeNumber(): number {
    const row = this.#database.prepare('SELECT max(id) AS id FROM parts').get()
    const fromParts = Math.floor(Number(row?.['id'] ?? 0) / PARTS_PER_BLOB_MAX)
    const numbers = [...this.#blobs.values()].map((blob) => blob.number)
    return numbers.reduce((highest, number) => Math.max(highest, number), fromParts) + 1
  }

  /**
   * Before the first write: a damaged list of free pages would have it overwrite blobs. Reading
   * needs no such check, since each part has its checksum, and the start need not wait for it.
   */
  #checkOnce(): void {
    if (this.#isChecked) return
    checkPages(this.#database, SEGMENTS_DATABASE)
    this.#isChecked = true
  }

  #writing<Result>(doing: string, work: () => Result): Result {
    if (this.#failure !== null) throw new DbError('STORE_READ_ONLY', this.#failure)
    try {
      return translating(SEGMENTS_DATABASE, doing, () => {
        this.#checkOnce()
        return work()
      })
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
}

/** The parts of a blob in order, one in memory at a time. */
function* partsOf(database: DatabaseSync, blob: StoredBlob): Iterable<StoredPart> {
  const first = blob.number * PARTS_PER_BLOB_MAX
  const rows = database
    .prepare('SELECT id, crc, bytes, codec FROM parts WHERE id >= ? AND id < ? ORDER BY id')
    .iterate(first, first + PARTS_PER_BLOB_MAX)
  for (const row of rows) {
    yield {
      place: Number(row['id']) - first,
      crc: Number(row['crc']),
      bytes: row['bytes'] as Uint8Array,
      codec: Number(row['codec']),
    }
  }
}

function readStoredManifest(database: DatabaseSync): StoredManifest | null {
  const row = database.prepare('SELECT crc, json FROM manifest').get()
  return row === undefined ? null : parseManifest(String(row['json']), Number(row['crc']))
}
