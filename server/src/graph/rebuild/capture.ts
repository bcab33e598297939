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
import type { AdjacencyView, ColumnView, IdsView, PinnedView, VertexTableView } from '../view.ts'
import { CatchUp } from './catch-up.ts'
import type { MergedAdjacency } from './merge.ts'

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
}

export interface CapturedEdges {
  readonly table: EdgeTable
  readonly adjacency: Adjacency
  readonly view: AdjacencyView
  readonly columns: readonly CapturedColumn[]
  readonly wasModified: boolean
  readonly fromCount: number
  readonly toCount: number
  /** Takes down changes while the adjacency is merged; null when it needs no merge. */
  readonly catchUp: CatchUp | null
  merged: MergedAdjacency | null
}

export interface Capture {
  readonly sequence: number
  readonly catalog: Catalog
  readonly pinned: PinnedView
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

/** @param merges whether an adjacency with a delta or tombstones is to be merged */
export function captureState(
  source: CaptureSource,
  merges: (adjacency: Adjacency) => boolean,
): Capture {
  const pinned = source.pin()
  const vertices = pinned.view.vertexTables.map((view) => captureVertices(source, view))
  const rowCounts = new Map(vertices.map(({ view }) => [view.typeId, view.rowCount]))
  const edges = pinned.view.edgeTables.flatMap(({ typeId, adjacencies }) => {
    const table = source.tables.edgeTable(typeId)!
    return table.adjacencies.map((adjacency, index): CapturedEdges => {
      const catchUp = needsMerge(adjacency) && merges(adjacency) ? new CatchUp(adjacency) : null
      return {
        table,
        adjacency,
        view: adjacencies[index]!,
        columns: captureColumns(adjacency.columns, adjacencies[index]!.columns),
        wasModified: adjacency.isModified,
        fromCount: rowCounts.get(adjacency.fromTypeId)!,
        toCount: rowCounts.get(adjacency.toTypeId)!,
        catchUp,
        merged: null,
      }
    })
  })
  const { sequence, catalog } = source
  return { sequence, catalog, pinned, vertices, edges }
}

export function needsMerge(adjacency: Adjacency): boolean {
  return adjacency.delta.count > 0 || adjacency.deleted.count > 0
}

function captureVertices(source: CaptureSource, view: VertexTableView): CapturedVertices {
  const table = source.tables.vertexTable(view.typeId)!
  return {
    table,
    view,
    columns: captureColumns(table.columns, view.columns),
    nextOrdinal: table.nextOrdinal,
    retired:
      table.retired === null ? null : { view: table.retired.view(), count: table.retired.count },
    deletedIds: source.deletedIds.wordsOf(view.typeId),
    wasModified: table.isModified,
  }
}

function captureColumns(
  columns: readonly Column[],
  views: readonly ColumnView[],
): CapturedColumn[] {
  return columns.map((column, index) => {
    const { byteCount, codeCount } = column.heapUse()
    return { view: views[index]!, heapBytes: byteCount, codeCount }
  })
}
