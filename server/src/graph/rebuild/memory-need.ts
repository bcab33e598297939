/** How much memory a rebuild takes besides what is in use, before it begins. */
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column } from '../columns/column.ts'
import { strideOf } from '../columns/kinds.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'

/** Target, source and row of an edge in the two directions of a base. */
const BASE_BYTES_PER_EDGE = 12
const OFFSET_BYTES = 4
/** Share of the limit that a rebuild may take however much is in use. */
const LEAST_SHARE = 0.25

/** Bytes of an adjacency after its merge. */
export function mergedSize(adjacency: Adjacency, vertexCount: (typeId: number) => number): number {
  const { fromTypeId, toTypeId, liveCount, columns } = adjacency
  const offsets = vertexCount(fromTypeId) + vertexCount(toTypeId) + 2
  return liveCount * (BASE_BYTES_PER_EDGE + rowSize(columns)) + offsets * OFFSET_BYTES
}

/** Words of its private memory that a merge takes for each edge, and for each vertex at an end. */
const MERGE_WORDS_PER_EDGE = 1
const MERGE_WORDS_PER_DELTA_EDGE = 3
const WORD_BYTES = 4

/** Bytes that the merge of an adjacency takes besides its result. */
export function mergeWork(adjacency: Adjacency, vertexCount: (typeId: number) => number): number {
  const { fromTypeId, toTypeId, liveCount, delta } = adjacency
  const ends = vertexCount(fromTypeId) + vertexCount(toTypeId)
  const words = liveCount * MERGE_WORDS_PER_EDGE + delta.count * MERGE_WORDS_PER_DELTA_EDGE + ends
  return words * WORD_BYTES
}

/** Bytes that the largest merge of a graph takes: the old and the new form exist together. */
export function mergeNeed(tables: Tables): number {
  const vertexCount = (typeId: number) => tables.vertexTable(typeId)?.rowCount ?? 0
  let largest = 0
  for (const { adjacencies } of tables.edges) {
    for (const one of adjacencies) {
      largest = Math.max(largest, mergedSize(one, vertexCount) + mergeWork(one, vertexCount))
    }
  }
  return largest
}

/** Bytes of a table without its dead rows; its strings are shared with the old one. */
export function compactedSize({ ids, columns, liveCount, rowCount }: VertexTable): number {
  const idBytes = (ids.sizeBytes * liveCount) / Math.max(rowCount, 1)
  const ordinalBytes = 8 * liveCount
  return 2 * idBytes + ordinalBytes + liveCount * rowSize(columns)
}

/**
 * Bytes that a rebuild may add. Writes leave it room below the limit. Deletes may use that up, and a
 * restart may come with a smaller limit; but a rebuild ends with less than it began with, and
 * refusing it for ever would leave a full server full.
 */
export function rebuildRoom(roomBytes: number, limitBytes: number): number {
  return Math.max(roomBytes, limitBytes * LEAST_SHARE)
}

function rowSize(columns: readonly Column[]): number {
  return columns.reduce(
    (sum, { data, attribute }) => sum + data.array.BYTES_PER_ELEMENT * strideOf(attribute.type),
    0,
  )
}
