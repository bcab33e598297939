/** Writes a captured state as a segment set: every array as it lies in memory, ready to use. */
import { PAGE_ROWS, SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { SegmentWriter } from '#storage/store.ts'
import { pageShiftOf, strideOf } from '../columns/kinds.ts'
import { SLOT_WORDS } from '../ids/slot-table.ts'
import type { StoredPositions } from '../load-positions.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import type { RecentKeys } from '../recent-keys.ts'
import type { BitsView, ColumnView, IdsView } from '../view.ts'
import type {
  Capture,
  CapturedColumn,
  CapturedEdges,
  CapturedIds,
  CapturedVertices,
} from './capture.ts'
import type { RebuildMeter } from './progress.ts'
import {
  type BlobKey,
  encodeDescription,
  KEYED_FORMAT_VERSION,
  keysOf,
  LOADING_FORMAT_VERSION,
  SEGMENT_FORMAT_VERSION,
  type SegmentDescription,
  type StoredAdjacency,
  type StoredColumnKeys,
  type StoredIdKeys,
  type StoredRetiredIds,
  type StoredVertexTable,
} from './segment-format.ts'

/** Of bytes that are made: the event loop waits while a piece is made. */
const MADE_PIECE_BYTES = 2 * 1024 * 1024
const SLOT_PIECE_WORDS = MADE_PIECE_BYTES / Uint32Array.BYTES_PER_ELEMENT

type AnyArray = ArrayOfKind[keyof ArrayOfKind]

export interface SegmentJob {
  readonly capture: Capture
  readonly writer: SegmentWriter
  /** The description in force: unchanged tables keep its blobs. */
  readonly previous: SegmentDescription | null
  readonly meter: RebuildMeter
  /** How far loading jobs are; null: there are none. */
  loads(): StoredPositions | null
  readonly keys: RecentKeys
  /** Between blobs: other work may run. */
  pause(): Promise<void>
  /** @throws DbError UNAVAILABLE when the server is shutting down */
  checkGoingOn(): void
}

/** Bytes of a blob that are made as they are written. */
interface MadeBytes {
  readonly length: number
  pieces(): Iterable<Uint8Array>
}

/** Writes and publishes; returns the new description. Nothing is current if it throws. */
export async function writeSegments(job: SegmentJob): Promise<SegmentDescription> {
  const { capture, writer } = job
  const vertexTables: StoredVertexTable[] = []
  for (const captured of capture.vertices) {
    job.meter.begin('writing', captured.table)
    const kept = job.previous?.vertexTables.find(({ typeId }) => typeId === captured.view.typeId)
    vertexTables.push(
      kept !== undefined && !captured.wasModified && captured.compacted === null
        ? await keep(job, kept)
        : await writeVertices(job, captured),
    )
  }
  const adjacencies: StoredAdjacency[] = []
  for (const captured of capture.edges) {
    job.meter.begin('writing', captured.adjacency)
    const kept = job.previous?.adjacencies.find((one) => isSame(one, captured))
    adjacencies.push(
      kept !== undefined && !captured.wasModified && captured.merged === null
        ? await keep(job, kept)
        : await writeEdges(job, captured),
    )
  }
  const catalog = new TextEncoder().encode(JSON.stringify(capture.catalog))
  const catalogKey = await writeBytes(job, 'catalog', catalog)
  // Both may be ahead of the capture: what is noted is in the log already.
  const keys = await writeKeys(job)
  const loads = job.loads()
  const older = loads === null ? SEGMENT_FORMAT_VERSION : LOADING_FORMAT_VERSION
  const description: SegmentDescription = {
    version: keys === null ? older : KEYED_FORMAT_VERSION,
    catalog: catalogKey,
    vertexTables,
    adjacencies,
    ...(loads !== null && { loads }),
    ...(keys !== null && { keys }),
  }
  await writer.publish(encodeDescription(description), capture.sequence)
  return description
}

async function writeKeys(job: SegmentJob): Promise<BlobKey> {
  if (job.keys.count === 0) return null
  const key = `${job.capture.sequence}/keys`
  await job.writer.writePieces(key, counted(job, job.keys.stored()))
  return key
}

async function keep<Stored extends StoredVertexTable | StoredAdjacency>(
  job: SegmentJob,
  stored: Stored,
): Promise<Stored> {
  for (const key of keysOf(stored)) await job.writer.keepBlob(key)
  return stored
}

function isSame(stored: StoredAdjacency, captured: CapturedEdges): boolean {
  return (
    stored.typeId === captured.table.type.id &&
    stored.fromTypeId === captured.view.fromTypeId &&
    stored.toTypeId === captured.view.toTypeId
  )
}

async function writeVertices(
  job: SegmentJob,
  captured: CapturedVertices,
): Promise<StoredVertexTable> {
  const { view, deletedIds, columns } = captured.compacted ?? captured
  const { typeId, rowCount, ids } = view
  const name = (part: string) => `v${typeId}/${part}`
  return {
    typeId,
    rowCount,
    ...(await writeIds(job, name(''), ids, rowCount)),
    deleted: await writeBytes(job, name('deleted'), wordsOf(view.deleted, rowCount)),
    deletedIds:
      deletedIds === null ? null : await writeBytes(job, name('gse'), asBytes(deletedIds)),
    ordinals: await writeArray(job, name('ordinals'), view.ordinals, rowCount),
    nextOrdinal: captured.nextOrdinal,
    retired: await writeRetired(job, name('retired-'), captured.retired),
    columns: await writeColumns(job, name('c'), columns, (column) => homeOrder(column, rowCount)),
  }
}

async function writeRetired(
  job: SegmentJob,
  prefix: string,
  retired: CapturedIds | null,
): Promise<StoredRetiredIds | null> {
  if (retired === null) return null
  const { view, count } = retired
  return { count, ...(await writeIds(job, prefix, view, count)) }
}

async function writeIds(
  job: SegmentJob,
  prefix: string,
  ids: IdsView,
  count: number,
): Promise<StoredIdKeys> {
  const { slots, offsets, bytes, values } = ids
  const byteCount = offsets === null ? 0 : offsets[count]!
  return {
    slots: await writeBytes(job, `${prefix}slots`, slotsBelow(slots, count)),
    offsets: await writeArray(job, `${prefix}offsets`, offsets, count + 1),
    bytes: await writeArray(job, `${prefix}bytes`, bytes, byteCount),
    values: await writeArray(job, `${prefix}values`, values, count),
  }
}

async function writeEdges(job: SegmentJob, captured: CapturedEdges): Promise<StoredAdjacency> {
  const { view, merged, table } = captured
  const base = merged?.base ?? captured.adjacency.base
  const name = (part: string) => `e${table.type.id}.${view.fromTypeId}.${view.toTypeId}/${part}`
  const { count, fromCount, toCount } = base
  return {
    typeId: table.type.id,
    fromTypeId: view.fromTypeId,
    toTypeId: view.toTypeId,
    count,
    fromCount,
    toCount,
    outOffsets: await writeArray(job, name('out-offsets'), base.outOffsets),
    outTargets: await writeArray(job, name('out-targets'), base.outTargets),
    inOffsets: await writeArray(job, name('in-offsets'), base.inOffsets),
    inSources: await writeArray(job, name('in-sources'), base.inSources),
    inRows: await writeArray(job, name('in-rows'), base.inRows),
    columns: await writeColumns(job, name('c'), captured.columns, (column, index) =>
      merged === null ? homeOrder(column, count) : asBytes(merged.columns[index]!),
    ),
  }
}

async function writeColumns(
  job: SegmentJob,
  prefix: string,
  columns: readonly CapturedColumn[],
  dataOf: (column: ColumnView, index: number) => Uint8Array | MadeBytes,
): Promise<StoredColumnKeys[]> {
  const stored: StoredColumnKeys[] = []
  for (const [index, { view, heapBytes, codeCount }] of columns.entries()) {
    const name = `${prefix}${view.attributeId}`
    stored.push({
      attributeId: view.attributeId,
      storage: view.storage,
      data: await writeBytes(job, name, dataOf(view, index)),
      heap: await writeArray(job, `${name}.heap`, view.heap?.bytes ?? null, heapBytes),
      heapOffsets: await writeArray(job, `${name}.codes`, view.heap?.offsets ?? null, codeCount),
    })
  }
  return stored
}

async function writeArray(
  job: SegmentJob,
  name: string,
  array: AnyArray | null,
  length = array?.length ?? 0,
): Promise<BlobKey> {
  if (array === null) return null
  const size = length * array.BYTES_PER_ELEMENT
  return writeBytes(job, name, new Uint8Array(array.buffer, array.byteOffset, size))
}

async function writeBytes(
  job: SegmentJob,
  name: string,
  bytes: Uint8Array | MadeBytes | null,
): Promise<BlobKey> {
  if (bytes === null || bytes.length === 0) return null
  const key = `${job.capture.sequence}/${name}`
  const pieces = bytes instanceof Uint8Array ? piecesOf(bytes) : bytes.pieces()
  await job.writer.writePieces(key, counted(job, pieces))
  await job.pause()
  return key
}

/** Each piece is a request to another thread: other work runs between them. */
function* counted(job: SegmentJob, pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
  for (const piece of pieces) {
    job.checkGoingOn()
    yield piece
    job.meter.advance(piece.length)
  }
}

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SEGMENT_BLOB_SIZE_BYTES_MAX) {
    yield bytes.subarray(start, start + SEGMENT_BLOB_SIZE_BYTES_MAX)
  }
}

function asBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/**
 * Memory of the pieces of a blob, in turns: one is written while the next is made. It is shared with the
 * thread that writes them, since a copy of a piece for each would be memory that is new to the system.
 */
class PieceRooms {
  readonly #sizeBytes: number
  #spare: SharedArrayBuffer | null = null
  #last: SharedArrayBuffer | null = null

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes
  }

  next(length: number): Uint8Array<SharedArrayBuffer> {
    const room = this.#spare ?? new SharedArrayBuffer(this.#sizeBytes)
    this.#spare = this.#last
    this.#last = room
    return new Uint8Array(room, 0, length)
  }
}

/** A column's rows in their order, whatever pages they lie in. */
function homeOrder(column: ColumnView, rowCount: number): Uint8Array | MadeBytes {
  const data = column.data as AnyArray
  const stride = strideOf(column.type)
  const pageLength = stride << pageShiftOf(column.type)
  const length = rowCount * stride
  if (column.pages === null) return asBytes(data.subarray(0, length))
  return gatherPages(data, column.pages, { pageLength, length })
}

/** The words of tombstones; no array when nothing is deleted. */
function wordsOf(bits: BitsView, rowCount: number): Uint8Array | MadeBytes | null {
  if (bits.words === null) return null
  const length = (rowCount + 31) >>> 5
  return bits.pages === null
    ? asBytes(bits.words.subarray(0, length))
    : gatherPages(bits.words, bits.pages, { pageLength: PAGE_ROWS / 32, length })
}

/** @param shape array elements of a page, and of the result */
function gatherPages(
  data: AnyArray,
  pages: Uint32Array,
  shape: { readonly pageLength: number; readonly length: number },
): MadeBytes {
  const source = asBytes(data)
  const pageBytes = shape.pageLength * data.BYTES_PER_ELEMENT
  const length = shape.length * data.BYTES_PER_ELEMENT
  const pieceBytes = Math.max(1, Math.floor(MADE_PIECE_BYTES / pageBytes)) * pageBytes
  function* pieces() {
    const rooms = new PieceRooms(Math.min(pieceBytes, length))
    for (let start = 0; start < length; start += pieceBytes) {
      const piece = rooms.next(Math.min(pieceBytes, length - start))
      for (let offset = 0; offset < piece.length; offset += pageBytes) {
        const from = pages[(start + offset) / pageBytes]! * pageBytes
        const size = Math.min(pageBytes, piece.length - offset)
        piece.set(source.subarray(from, from + size), offset)
      }
      yield piece
    }
  }
  return { length, pieces }
}

/**
 * The slots without rows added since the capture. Those were placed in slots that were free then,
 * so clearing them gives back the table as it was. Made piece by piece: the table may be large, and
 * rows that are added meanwhile are cleared like the others.
 */
function slotsBelow(slots: Uint32Array, rowCount: number): MadeBytes {
  function* pieces() {
    const wordBytes = slots.BYTES_PER_ELEMENT
    const rooms = new PieceRooms(Math.min(MADE_PIECE_BYTES, slots.byteLength))
    for (let start = 0; start < slots.length; start += SLOT_PIECE_WORDS) {
      const length = Math.min(SLOT_PIECE_WORDS, slots.length - start)
      const piece = new Uint32Array(rooms.next(length * wordBytes).buffer, 0, length)
      piece.set(slots.subarray(start, start + piece.length))
      for (let slot = 0; slot < piece.length; slot += SLOT_WORDS) {
        if (piece[slot + 1]! > rowCount) piece.fill(0, slot, slot + SLOT_WORDS)
      }
      yield asBytes(piece)
    }
  }
  return { length: slots.byteLength, pieces }
}
