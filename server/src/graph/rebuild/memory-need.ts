/** How much memory a rebuild takes besides what is in use, before it begins. */
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column } from '../columns/column.ts'
import { strideOf } from '../columns/kinds.ts'
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

/** Bytes of a table without its dead rows; its strings are shared with the old one. */
export function compactedSize({ ids, columns, liveCount, rowCount }: VertexTable): number {
  const idBytes = (ids.sizeBytes * liveCount) / Math.max(rowCount, 1)
  const ordinalBytes = 8 * liveCount
  return 2 * idBytes + ordinalBytes + liveCount * rowSize(columns)
}

/**
 * Bytes that a rebuild may add. Writes stop at the limit and deletes may go beyond it, but a rebuild
 * ends with less than it began with: refusing it for ever would leave a full server full.
 */
export function rebuildRoom(usedBytes: number, limitBytes: number): number {
  return Math.max(limitBytes * (1 + LEAST_SHARE) - usedBytes, limitBytes * LEAST_SHARE)
}

function rowSize(columns: readonly Column[]): number {
  return columns.reduce(
    (sum, { data, attribute }) => sum + data.array.BYTES_PER_ELEMENT * strideOf(attribute.type),
    0,
  )
}
