/**
 * What the generator knows of the memory under a query: which tables and columns exist, how each
 * column lies, and whether deltas and tombstones have to be looked at. `signatureOf` is the same
 * knowledge as a text: equal signatures may run the same generated function.
 */

import type {
  AdjacencyView,
  ColumnView,
  EdgeTableView,
  GraphView,
  VertexTableView,
} from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'

export interface PairIds {
  readonly fromTypeId: number
  readonly toTypeId: number
}

export class Physical {
  readonly view: GraphView

  constructor(view: GraphView) {
    this.view = view
  }

  vertexTable(typeId: number): VertexTableView {
    const table = findVertexTable(this.view, typeId)
    assert(table !== undefined, 'the view has no table for a bound vertex type')
    return table
  }

  vertexColumn(typeId: number, attributeId: number): ColumnView | null {
    return this.vertexTable(typeId).columns.find((c) => c.attributeId === attributeId) ?? null
  }

  edgeTable(typeId: number): EdgeTableView {
    const table = this.view.edgeTables.find((t) => t.typeId === typeId)
    assert(table !== undefined, 'the view has no table for a bound edge type')
    return table
  }

  adjacency(edgeTypeId: number, pair: PairIds): AdjacencyView | null {
    return findAdjacency(this.view, edgeTypeId, pair)
  }

  edgeColumn(edgeTypeId: number, pair: PairIds, attributeId: number): ColumnView | null {
    const adjacency = this.adjacency(edgeTypeId, pair)
    return adjacency?.columns.find((c) => c.attributeId === attributeId) ?? null
  }
}

export function findVertexTable(view: GraphView, typeId: number): VertexTableView | undefined {
  return view.vertexTables.find((t) => t.typeId === typeId)
}

export function findAdjacency(
  view: GraphView,
  edgeTypeId: number,
  pair: PairIds,
): AdjacencyView | null {
  const table = view.edgeTables.find((t) => t.typeId === edgeTypeId)
  const found = table?.adjacencies.find(
    (a) => a.fromTypeId === pair.fromTypeId && a.toTypeId === pair.toTypeId,
  )
  return found ?? null
}

export function hasDelta(adjacency: AdjacencyView): boolean {
  return adjacency.delta !== null && adjacency.deltaCount > 0
}

/** Most runs have the view of the one before. */
const signatures = new WeakMap<GraphView, string>()

/** Tables outside the query's own types are part of it as well: it is short and always right. */
export function signatureOf(view: GraphView): string {
  const known = signatures.get(view) ?? makeSignature(view)
  signatures.set(view, known)
  return known
}

function makeSignature(view: GraphView): string {
  const rows = new Map(view.vertexTables.map((t) => [t.typeId, t.rowCount]))
  const vertices = view.vertexTables.map(
    (t) => `v${t.typeId}${t.deleted.words === null ? '' : 'x'}:${columnsSignature(t.columns)}`,
  )
  const edges = view.edgeTables.map(
    (t) =>
      `e${t.typeId}${t.directed ? '' : 'u'}:${t.adjacencies.map((a) => adjacencySignature(a, rows)).join('|')}`,
  )
  return [...vertices, ...edges].join(';')
}

function adjacencySignature(adjacency: AdjacencyView, rows: ReadonlyMap<number, number>): string {
  const marks = [
    adjacency.baseFromCount >= (rows.get(adjacency.fromTypeId) ?? 0) ? 'f' : '',
    adjacency.baseToCount >= (rows.get(adjacency.toTypeId) ?? 0) ? 't' : '',
    hasDelta(adjacency) ? 'd' : '',
    adjacency.deleted.words === null ? '' : 'x',
    adjacency.deleted.pages === null ? '' : 'p',
  ]
  const ends = `${adjacency.fromTypeId}>${adjacency.toTypeId}`
  return `${ends}${marks.join('')}${columnsSignature(adjacency.columns)}`
}

function columnsSignature(columns: readonly ColumnView[]): string {
  return columns.map((c) => `${c.attributeId}${c.storage}${c.pages === null ? '' : 'p'}`).join(',')
}
