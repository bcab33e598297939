/** What a rebuild did, one line per segment of SEGMENT_ROWS vertices (contract 2.6). */
import { SEGMENT_ROWS } from '#kernel/limits.ts'
import { isSet } from '../memory/bits.ts'
import type { AdjacencyView, GraphView, VertexTableView } from '../view.ts'

export interface RebuildOptions {
  /** Only segments of these vertex types; absent: all. */
  readonly vertexTypeIds?: readonly number[]
  /** Only these segments, counted from 0 within their type; absent: all. */
  readonly segmentIds?: readonly number[]
  /** Also segments without new data. */
  readonly force?: boolean
}

export interface SegmentReport {
  readonly isSelected: boolean
  readonly segmentId: number
  readonly typeId: number
  readonly typeName: string
  readonly vertexCount: number
  /** Edges that leave the segment's vertices, as of the rebuild. */
  readonly edgeCount: number
  readonly deletedVertexCount: number
}

export interface RebuildReport {
  readonly segments: readonly SegmentReport[]
  /** Log entries up to this one are contained. */
  readonly sequence: number
  /** True when the segments on disk were written and the log folded into them. */
  readonly isCheckpoint: boolean
  readonly startedMs: number
  readonly durationMs: number
}

export function segmentReports(
  view: GraphView,
  isSelected: (typeId: number, segmentId: number) => boolean,
): SegmentReport[] {
  return view.vertexTables.flatMap((table) => {
    const segmentCount = Math.ceil(table.rowCount / SEGMENT_ROWS)
    const edgeCounts = countEdges(view, table.typeId, segmentCount)
    return Array.from({ length: segmentCount }, (_unused, segmentId): SegmentReport => {
      const deletedVertexCount = countDeleted(table, segmentId)
      const start = segmentId * SEGMENT_ROWS
      return {
        isSelected: isSelected(table.typeId, segmentId),
        segmentId,
        typeId: table.typeId,
        typeName: table.typeName,
        vertexCount: Math.min(table.rowCount - start, SEGMENT_ROWS) - deletedVertexCount,
        edgeCount: edgeCounts[segmentId]!,
        deletedVertexCount,
      }
    })
  })
}

function countDeleted(table: VertexTableView, segmentId: number): number {
  if (table.deleted.words === null) return 0
  const end = Math.min(table.rowCount, (segmentId + 1) * SEGMENT_ROWS)
  let count = 0
  for (let row = segmentId * SEGMENT_ROWS; row < end; row++) {
    if (isSet(table.deleted, row)) count += 1
  }
  return count
}

function countEdges(view: GraphView, typeId: number, segmentCount: number): Float64Array {
  const counts = new Float64Array(segmentCount)
  for (const table of view.edgeTables) {
    for (const adjacency of table.adjacencies) {
      if (adjacency.fromTypeId === typeId) addEdges(adjacency, counts)
    }
  }
  return counts
}

function addEdges(adjacency: AdjacencyView, counts: Float64Array): void {
  const { outOffsets, baseFromCount, deleted, baseCount, delta } = adjacency
  const offsetAt = (row: number) => outOffsets[Math.min(row, baseFromCount)]!
  for (let segment = 0; segment < counts.length; segment++) {
    const start = segment * SEGMENT_ROWS
    counts[segment]! += offsetAt(start + SEGMENT_ROWS) - offsetAt(start)
  }
  if (deleted.words !== null) subtractDeleted(adjacency, counts)
  for (let index = 0; index < adjacency.deltaCount; index++) {
    if (isSet(deleted, baseCount + index)) continue
    counts[Math.floor(delta!.sources[index]! / SEGMENT_ROWS)]! += 1
  }
}

/** Base rows ascend with their sources, so one walk over the tombstones meets segment by segment. */
function subtractDeleted(adjacency: AdjacencyView, counts: Float64Array): void {
  const { outOffsets, baseFromCount, deleted, baseCount } = adjacency
  const words = deleted.pages === null ? deleted.words : null
  let segment = 0
  for (let row = 0; row < baseCount; row++) {
    if (words !== null && words[row >>> 5] === 0) {
      row |= 31
      continue
    }
    if (!isSet(deleted, row)) continue
    while (outOffsets[Math.min((segment + 1) * SEGMENT_ROWS, baseFromCount)]! <= row) segment += 1
    counts[segment]! -= 1
  }
}
