/** What a rebuild did, one line per segment of SEGMENT_ROWS vertices. */
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
  /** The deltas are folded, the log is not: nothing is written. */
  readonly keepsLog?: boolean
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

export type SegmentChoice = Pick<SegmentReport, 'isSelected' | 'segmentId' | 'typeId'>

export function segmentChoices(
  view: GraphView,
  isSelected: (typeId: number, segmentId: number) => boolean,
): SegmentChoice[] {
  return view.vertexTables.flatMap(({ typeId, rowCount }) =>
    Array.from({ length: Math.ceil(rowCount / SEGMENT_ROWS) }, (_unused, segmentId) => ({
      isSelected: isSelected(typeId, segmentId),
      segmentId,
      typeId,
    })),
  )
}

/** Rows counted between two pauses. */
const ROWS_PER_PAUSE = 65_536

/** @param view the one of the choices. Yields where others may have their turn. */
export function* segmentReports(
  view: GraphView,
  choices: readonly SegmentChoice[],
): Generator<undefined, SegmentReport[]> {
  const reports: SegmentReport[] = []
  for (const table of view.vertexTables) {
    const ofType = choices.filter(({ typeId }) => typeId === table.typeId)
    const edgeCounts = yield* countEdges(view, table.typeId, ofType.length)
    for (const choice of ofType) {
      const deletedVertexCount = countDeleted(table, choice.segmentId)
      const start = choice.segmentId * SEGMENT_ROWS
      reports.push({
        ...choice,
        typeName: table.typeName,
        vertexCount: Math.min(table.rowCount - start, SEGMENT_ROWS) - deletedVertexCount,
        edgeCount: edgeCounts[choice.segmentId]!,
        deletedVertexCount,
      })
      yield
    }
  }
  return reports
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

function* countEdges(
  view: GraphView,
  typeId: number,
  segmentCount: number,
): Generator<undefined, Float64Array> {
  const counts = new Float64Array(segmentCount)
  for (const table of view.edgeTables) {
    for (const adjacency of table.adjacencies) {
      if (adjacency.fromTypeId === typeId) yield* addEdges(adjacency, counts)
    }
  }
  return counts
}

function* addEdges(adjacency: AdjacencyView, counts: Float64Array): Generator<undefined, void> {
  const { outOffsets, baseFromCount, deleted, baseCount, delta } = adjacency
  const offsetAt = (row: number) => outOffsets[Math.min(row, baseFromCount)]!
  for (let segment = 0; segment < counts.length; segment++) {
    const start = segment * SEGMENT_ROWS
    counts[segment]! += offsetAt(start + SEGMENT_ROWS) - offsetAt(start)
  }
  if (deleted.words !== null) yield* subtractDeleted(adjacency, counts)
  for (let index = 0; index < adjacency.deltaCount; index++) {
    if (index % ROWS_PER_PAUSE === 0) yield
    if (isSet(deleted, baseCount + index)) continue
    counts[Math.floor(delta!.sources[index]! / SEGMENT_ROWS)]! += 1
  }
}

/** Base rows ascend with their sources, so one walk over the tombstones meets segment by segment. */
function* subtractDeleted(
  adjacency: AdjacencyView,
  counts: Float64Array,
): Generator<undefined, void> {
  const { outOffsets, baseFromCount, deleted, baseCount } = adjacency
  const words = deleted.pages === null ? deleted.words : null
  let segment = 0
  for (let row = 0; row < baseCount; row++) {
    if (row % ROWS_PER_PAUSE === 0) yield
    if (words !== null && words[row >>> 5] === 0) {
      row |= 31
      continue
    }
    if (!isSet(deleted, row)) continue
    while (outOffsets[Math.min((segment + 1) * SEGMENT_ROWS, baseFromCount)]! <= row) segment += 1
    counts[segment]! -= 1
  }
}
