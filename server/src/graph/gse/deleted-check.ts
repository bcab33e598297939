/**
 * Compares what the two engines hold deleted, segment by segment: the tombstones of the processing
 * engine with the storage engine's own record.
 */
import { SEGMENT_ROWS } from '#kernel/limits.ts'
import { mix } from '../ids/hash.ts'
import { idText } from '../ids/read.ts'
import { isSet } from '../memory/bits.ts'
import type { GraphView, VertexTableView } from '../view.ts'
import type { DeletedIds } from './deleted-ids.ts'

export interface DeletedVertexOptions {
  /** Absent: every type. */
  readonly vertexTypeIds?: readonly number[]
  /** Absent: every segment. Counted from 0 within the type. */
  readonly segmentIds?: readonly number[]
  /** Also list the deleted ids of each segment. */
  readonly withIds?: boolean
}

export interface DeletedSegment {
  readonly segmentId: number
  readonly typeId: number
  readonly typeName: string
  readonly vertexCount: number
  /** What the processing engine holds deleted: how many, and a hash over which. */
  readonly gpeCount: number
  readonly gpeHash: number
  /** What the storage engine holds deleted. */
  readonly gseCount: number
  readonly gseHash: number
  readonly isInSync: boolean
  /** Ids of vertices deleted in the processing engine; empty unless asked for. */
  readonly deletedIds: readonly string[]
}

export interface DeletedVertexReport {
  readonly isPassed: boolean
  readonly segments: readonly DeletedSegment[]
}

export function checkDeletedVertices(
  view: GraphView,
  record: DeletedIds,
  options: DeletedVertexOptions,
): DeletedVertexReport {
  const { vertexTypeIds, segmentIds } = options
  const segments = view.vertexTables
    .filter((table) => vertexTypeIds === undefined || vertexTypeIds.includes(table.typeId))
    .flatMap((table) =>
      Array.from({ length: Math.ceil(table.rowCount / SEGMENT_ROWS) }, (_unused, id) => id)
        .filter((id) => segmentIds === undefined || segmentIds.includes(id))
        .map((id) => checkSegment(table, id, record, options.withIds === true)),
    )
  return { isPassed: segments.every((segment) => segment.isInSync), segments }
}

function checkSegment(
  table: VertexTableView,
  segmentId: number,
  record: DeletedIds,
  withIds: boolean,
): DeletedSegment {
  const { typeId, typeName } = table
  const start = segmentId * SEGMENT_ROWS
  const end = Math.min(table.rowCount, start + SEGMENT_ROWS)
  const gpe = digest(start, end, (row) => isSet(table.deleted, row))
  const gse = digest(start, end, (row) => record.has(typeId, row))
  const deletedIds: string[] = []
  for (let row = start; withIds && row < end; row++) {
    if (isSet(table.deleted, row)) deletedIds.push(idText(table.ids, row))
  }
  return {
    segmentId,
    typeId,
    typeName,
    vertexCount: end - start - gpe.count,
    gpeCount: gpe.count,
    gpeHash: gpe.hash,
    gseCount: gse.count,
    gseHash: gse.hash,
    isInSync: gpe.count === gse.count && gpe.hash === gse.hash,
    deletedIds,
  }
}

function digest(
  start: number,
  end: number,
  isDeleted: (row: number) => boolean,
): { count: number; hash: number } {
  let count = 0
  let hash = 0
  for (let row = start; row < end; row++) {
    if (!isDeleted(row)) continue
    count += 1
    hash = (hash + mix(row + 1)) >>> 0
  }
  return { count, hash }
}
