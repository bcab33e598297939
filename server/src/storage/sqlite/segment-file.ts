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
import { decodePart, encodePart, PartDamagedError } from '../segment/part-codec.ts'
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

/** A part's id is its blob's number times this, plus its place in the blob. */
const PARTS_PER_BLOB_MAX = 2 ** 20
/** Stored rows are smaller than what one transaction takes: read back, they stay in the cache. */
const PART_SIZE_BYTES_MAX = 1024 * 1024
const GARBAGE_PARTS_PER_SLICE = STORE_DELETE_SIZE_BYTES_MAX / PART_SIZE_BYTES_MAX

/** A blob as the manifest stores it: the number says where its parts are. */
interface StoredBlob {
  readonly key: string
  readonly number: number
  readonly sizeBytes: number
  readonly crc32: number
}

interface StoredManifest {
  readonly foldedSequence: number
  readonly description: string
  readonly blobs: readonly StoredBlob[]
}

/** A blob on its way in. */
interface OpenBlob {
  readonly number: number
  sizeBytes: number
  crc32: number
  partCount: number
}

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
      const whole = new Uint8Array(new SharedArrayBuffer(blob.sizeBytes))
      let read = { sizeBytes: 0, crc: 0 }
      for (const part of partsOf(this.#database, blob)) read = addPart(whole, read, part, blob)
      if (read.sizeBytes !== blob.sizeBytes) {
        throw damagedBlob(blob, `it has ${read.sizeBytes} of ${blob.sizeBytes} bytes`)
      }
      if (read.crc !== blob.crc32) throw damagedBlob(blob, 'its checksum is wrong')
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
    for (let offset = 0; offset < bytes.length; offset += PART_SIZE_BYTES_MAX) {
      assert(blob.partCount < PARTS_PER_BLOB_MAX, 'a blob has at most its largest number of parts')
      const part = bytes.subarray(offset, offset + PART_SIZE_BYTES_MAX)
      const stored = encodePart(part)
      blob.crc32 = crc32(stored.bytes, blob.crc32)
      blob.sizeBytes += part.length
      const id = blob.number * PARTS_PER_BLOB_MAX + blob.partCount++
      this.#insertPart.run(id, blob.crc32, stored.bytes, stored.codec)
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
    const blob = this.#blobs.get(key)
    if (blob !== undefined) return blob
    const message = `segments: the current manifest has no blob ${key}`
    throw new DbError('CORRUPT_SEGMENT', message, { details: { key } })
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

interface PartRow {
  readonly id: number
  readonly crc: number
  readonly bytes: Uint8Array
  readonly codec: number
}

/** The parts of a blob in order, one in memory at a time. */
function* partsOf(database: DatabaseSync, blob: StoredBlob): Iterable<PartRow> {
  const first = blob.number * PARTS_PER_BLOB_MAX
  const rows = database
    .prepare('SELECT id, crc, bytes, codec FROM parts WHERE id >= ? AND id < ? ORDER BY id')
    .iterate(first, first + PARTS_PER_BLOB_MAX)
  for (const row of rows) {
    yield {
      id: Number(row['id']) - first,
      crc: Number(row['crc']),
      bytes: row['bytes'] as Uint8Array,
      codec: Number(row['codec']),
    }
  }
}

/** Holds the checksum against the stored bytes, then decodes them to where the parts before end. */
function addPart(
  whole: Uint8Array,
  read: { readonly sizeBytes: number; readonly crc: number },
  part: PartRow,
  blob: StoredBlob,
): { sizeBytes: number; crc: number } {
  const crc = crc32(part.bytes, read.crc)
  if (crc !== part.crc) throw damagedBlob(blob, `part ${part.id} has a wrong checksum`)
  return {
    sizeBytes: read.sizeBytes + decodedSize(whole.subarray(read.sizeBytes), part, blob),
    crc,
  }
}

function decodedSize(rest: Uint8Array, { id, codec, bytes }: PartRow, blob: StoredBlob): number {
  try {
    return decodePart(codec, bytes, rest)
  } catch (error) {
    if (!(error instanceof PartDamagedError)) throw error
    throw damagedBlob(blob, `part ${id}: ${error.message}`)
  }
}

function readStoredManifest(database: DatabaseSync): StoredManifest | null {
  const row = database.prepare('SELECT crc, json FROM manifest').get()
  if (row === undefined) return null
  const json = String(row['json'])
  if (crc32(json) !== Number(row['crc'])) {
    throw new DbError('CORRUPT_SEGMENT', 'segments: the manifest has a wrong checksum')
  }
  return JSON.parse(json) as StoredManifest
}

function publicManifest({ foldedSequence, description, blobs }: StoredManifest): SegmentManifest {
  return {
    foldedSequence,
    description,
    blobs: blobs.map(({ key, sizeBytes, crc32 }) => ({ key, sizeBytes, crc32 })),
  }
}

function blobsByKey(manifest: StoredManifest | null): ReadonlyMap<string, StoredBlob> {
  return new Map((manifest?.blobs ?? []).map((blob) => [blob.key, blob]))
}

function damagedBlob({ key, sizeBytes }: StoredBlob, what: string): DbError {
  return new DbError('CORRUPT_SEGMENT', `segments: blob ${key} is damaged: ${what}`, {
    details: { key, sizeBytes, what },
  })
}
