/**
 * What a segment set's description says: which blob is which array. docs/formats/graph-segment.md.
 *
 * Blobs are bare little-endian arrays; a key of null is an empty array.
 */
import { DbError, newerFormat } from '#kernel/errors.ts'
import type { StoredPositions } from '../load-positions.ts'
import type { ColumnStorage } from '../view.ts'

export const SEGMENT_FORMAT_VERSION = 3
/** Written while loading jobs go on only, so that older programs read all other checkpoints. */
export const LOADING_FORMAT_VERSION = 4
/** Written once there are outcomes of commits with a key only. */
export const KEYED_FORMAT_VERSION = 5
/** Version 1 had neither permanently deleted ids nor rows left out, version 2 no vectors. */
const OLDEST_VERSION = 1

export type BlobKey = string | null

export interface StoredColumnKeys {
  readonly attributeId: number
  readonly storage: ColumnStorage
  readonly data: BlobKey
  readonly heap: BlobKey
  readonly heapOffsets: BlobKey
}

export interface StoredIdKeys {
  readonly slots: BlobKey
  readonly offsets: BlobKey
  readonly bytes: BlobKey
  readonly values: BlobKey
}

export interface StoredRetiredIds extends StoredIdKeys {
  readonly count: number
}

export interface StoredVertexTable extends StoredIdKeys {
  readonly typeId: number
  readonly rowCount: number
  /** By row, f64: null when they are the rows; absent in version 1. */
  readonly ordinals?: BlobKey
  /** Vertices ever made; absent in version 1: as many as rows. */
  readonly nextOrdinal?: number
  /** Ids that may never be inserted again; absent in version 1. */
  readonly retired?: StoredRetiredIds | null
  /** Tombstones of the processing engine. */
  readonly deleted: BlobKey
  /** The storage engine's own record of deleted vertices. */
  readonly deletedIds: BlobKey
  readonly columns: readonly StoredColumnKeys[]
}

export interface StoredAdjacency {
  readonly typeId: number
  readonly fromTypeId: number
  readonly toTypeId: number
  readonly count: number
  readonly fromCount: number
  readonly toCount: number
  readonly outOffsets: BlobKey
  readonly outTargets: BlobKey
  readonly inOffsets: BlobKey
  readonly inSources: BlobKey
  readonly inRows: BlobKey
  readonly columns: readonly StoredColumnKeys[]
}

export interface SegmentDescription {
  readonly version: number
  /** The catalogue as UTF-8 JSON. */
  readonly catalog: BlobKey
  readonly vertexTables: readonly StoredVertexTable[]
  readonly adjacencies: readonly StoredAdjacency[]
  /** How far loading jobs are; absent: there are none. */
  readonly loads?: StoredPositions
  /** Outcomes of commits with a key; absent: there are none. */
  readonly keys?: BlobKey
}

export function encodeDescription(description: SegmentDescription): string {
  return JSON.stringify(description)
}

/** @throws DbError CORRUPT_SEGMENT, UNSUPPORTED_FORMAT */
export function decodeDescription(text: string): SegmentDescription {
  let description: SegmentDescription
  try {
    description = JSON.parse(text) as SegmentDescription
  } catch (cause) {
    throw new DbError('CORRUPT_SEGMENT', 'the description of the segments is no JSON', { cause })
  }
  const { version } = description
  if (version >= OLDEST_VERSION && version <= KEYED_FORMAT_VERSION) return description
  throw newerFormat('the segments of the graph have', version, KEYED_FORMAT_VERSION)
}

/** Every blob that a table's description names. */
export function keysOf(stored: StoredVertexTable | StoredAdjacency): string[] {
  const { columns, ...rest } = stored
  const retired = 'retired' in rest ? Object.values(rest.retired ?? {}) : []
  const own = [...Object.values(rest), ...retired].filter((value) => typeof value === 'string')
  const ofColumns = columns.flatMap(({ data, heap, heapOffsets }) => [data, heap, heapOffsets])
  return [...own, ...ofColumns].filter((key) => key !== null)
}
