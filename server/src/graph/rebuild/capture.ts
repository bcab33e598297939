/**
 * The state that a checkpoint contains, taken between two commits: a pinned view, and the lengths
 * of what only grows. Everything captured stays as it is while the pin lives.
 */
import type { Catalog } from '#catalog/types.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Column } from '../columns/column.ts'
import type { DeletedIds } from '../gse/deleted-ids.ts'
import type { EdgeTable } from '../tables/edge-table.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import type {
  AdjacencyView,
  ColumnView,
  GraphView,
  IdsView,
  PinnedView,
  VertexTableView,
} from '../view.ts'
import { CatchUp } from './catch-up.ts'
import type { MergedAdjacency } from './merge.ts'
import { VertexCatchUp } from './vertex-catch-up.ts'

export interface CapturedColumn {
  readonly view: ColumnView
  readonly heapBytes: number
  readonly codeCount: number
}

/** Ids only grow: the first `count` stay as they are. */
export interface CapturedIds {
  readonly view: IdsView
  readonly count: number
}

export interface CapturedVertices {
  readonly table: VertexTable
  readonly view: VertexTableView
  readonly columns: readonly CapturedColumn[]
  readonly retired: CapturedIds | null
  readonly nextOrdinal: number
  readonly deletedIds: Uint32Array | null
  readonly wasModified: boolean
  /** Takes down changes while dead rows are left out; null when they stay. */
  readonly catchUp: VertexCatchUp | null
  /** What of this to write once they are left out. */
  compacted: Pick<CapturedVertices, 'view' | 'columns' | 'deletedIds'> | null
}

export interface CapturedEdges {
  readonly table: EdgeTable
  readonly adjacency: Adjacency
  view: AdjacencyView
  columns: readonly CapturedColumn[]
  readonly wasModified: boolean
  readonly fromCount: number
  readonly toCount: number
  /** Takes down changes while the adjacency is merged; null when it needs no merge. */
  readonly catchUp: CatchUp | null
  /** Rows at one of its ends get new numbers. */
  readonly isRenumbered: boolean
  merged: MergedAdjacency | null
}

export interface Capture {
  readonly sequence: number
  readonly catalog: Catalog
  /** What was pinned; null once nothing needs it as a whole. */
  view: GraphView | null
  /** Of the pin; exactly once. */
  release(): void
  readonly vertices: readonly CapturedVertices[]
  readonly edges: readonly CapturedEdges[]
}

export interface CaptureSource {
  readonly sequence: number
  readonly catalog: Catalog
  readonly tables: Tables
  readonly deletedIds: DeletedIds
  pin(): PinnedView
}

export interface CaptureChoice {
  /** Whether an adjacency with a delta or tombstones is to be merged. */
  merges(adjacency: Adjacency): boolean
  /** Vertex types whose dead rows are to be left out. */
  readonly compactedTypeIds: ReadonlySet<number>
}

export function captureState(source: CaptureSource, choice: CaptureChoice): Capture {
  const { compactedTypeIds } = choice
  const pinned = source.pin()
  const vertices = pinned.view.vertexTables.map((view) =>
    captureVertices(source, view, compactedTypeIds.has(view.typeId)),
  )
  const rowCounts = new Map(vertices.map(({ view }) => [view.typeId, view.rowCount]))
  const edges = pinned.view.edgeTables.flatMap(({ typeId, adjacencies }) => {
    const table = source.tables.edgeTable(typeId)!
    return table.adjacencies.map((adjacency, index): CapturedEdges => {
      const isRenumbered =
        compactedTypeIds.has(adjacency.fromTypeId) || compactedTypeIds.has(adjacency.toTypeId)
      const isMerged = isRenumbered || (needsMerge(adjacency) && choice.merges(adjacency))
      if (isMerged) holdStrings(adjacency.columns, true)
      return {
        table,
        adjacency,
        view: adjacencies[index]!,
        columns: captureColumns(adjacency.columns, adjacencies[index]!.columns),
        wasModified: adjacency.isModified,
        fromCount: rowCounts.get(adjacency.fromTypeId)!,
        toCount: rowCounts.get(adjacency.toTypeId)!,
        catchUp: isMerged ? new CatchUp(adjacency) : null,
        isRenumbered,
        merged: null,
      }
    })
  })
  const { sequence, catalog } = source
  return { sequence, catalog, view: pinned.view, release: pinned.release, vertices, edges }
}

/**
 * Lets go of the arrays that a merge has superseded. Otherwise those of every merged adjacency would
 * stay until the rebuild ends.
 */
export function forgetOldRows(edges: CapturedEdges): void {
  const { view, columns } = edges
  const merged = edges.merged!
  const { outOffsets, outTargets, inOffsets, inSources, inRows } = merged.base
  edges.view = {
    ...{ ...view, outOffsets, outTargets, inOffsets, inSources, inRows },
    delta: null,
    deleted: { words: null, pages: null },
    columns: [],
  }
  edges.columns = columns.map((column, index) => ({
    ...column,
    view: { ...column.view, data: merged.columns[index]!, pages: null },
  }))
}

export function needsMerge(adjacency: Adjacency): boolean {
  return adjacency.delta.count > 0 || adjacency.deleted.count > 0
}

/** While a new table is made over the strings of an old one, neither may reorganise them. */
export function holdStrings(columns: readonly Column[], isHeld: boolean): void {
  for (const column of columns) column.sharesStrings = isHeld
}

function captureVertices(
  source: CaptureSource,
  view: VertexTableView,
  isCompacted: boolean,
): CapturedVertices {
  const table = source.tables.vertexTable(view.typeId)!
  if (isCompacted) holdStrings(table.columns, true)
  return {
    table,
    view,
    columns: captureColumns(table.columns, view.columns),
    nextOrdinal: table.nextOrdinal,
    retired:
      table.retired === null ? null : { view: table.retired.view(), count: table.retired.count },
    deletedIds: source.deletedIds.wordsOf(view.typeId),
    wasModified: table.isModified,
    catchUp: isCompacted ? new VertexCatchUp(table, source.deletedIds) : null,
    compacted: null,
  }
}

export function captureColumns(
  columns: readonly Column[],
  views: readonly ColumnView[],
): CapturedColumn[] {
  return columns.map((column, index) => {
    const { byteCount, codeCount } = column.heapUse()
    return { view: views[index]!, heapBytes: byteCount, codeCount }
  })
}
