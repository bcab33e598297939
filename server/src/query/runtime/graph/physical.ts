/**
 * What the generator knows of the memory under a query: which tables and columns exist, how each
 * column lies, and whether deltas and tombstones have to be looked at. `signatureOf` is the same
 * knowledge as a text: equal signatures may run the same generated function.
 */

import type { AttributeType } from '#catalog/types.ts'
import type {
  AdjacencyView,
  ColumnStorage,
  ColumnView,
  GraphView,
  VertexTableView,
} from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'

export interface PairIds {
  readonly fromTypeId: number
  readonly toTypeId: number
}

export interface ColumnLayout {
  readonly attributeId: number
  readonly type: AttributeType
  readonly storage: ColumnStorage
  readonly isPaged: boolean
}

export interface VertexTableLayout {
  readonly typeId: number
  readonly typeName: string
  readonly columns: readonly ColumnLayout[]
}

export interface AdjacencyLayout {
  readonly edgeTypeId: number
  readonly fromTypeId: number
  readonly toTypeId: number
  /** Every row of the FROM type lies within the offsets of the base. */
  readonly coversFrom: boolean
  readonly coversTo: boolean
  readonly hasDelta: boolean
  readonly hasDeleted: boolean
  readonly isDeletedPaged: boolean
  readonly columns: readonly ColumnLayout[]
}

/** Refers to no array of the view: generated code outlives it, and so does what it was made from. */
export class Physical {
  readonly #vertexTables: readonly VertexTableLayout[]
  readonly #adjacencies: readonly AdjacencyLayout[]

  constructor(view: GraphView) {
    const rows = rowCounts(view)
    this.#vertexTables = view.vertexTables.map(({ typeId, typeName, columns }) => ({
      typeId,
      typeName,
      columns: columns.map(columnLayout),
    }))
    this.#adjacencies = view.edgeTables.flatMap(({ typeId, adjacencies }) =>
      adjacencies.map((adjacency) => adjacencyLayout(typeId, adjacency, rows)),
    )
  }

  /** Its vertices are numbered from 0. */
  isFirstType(typeId: number): boolean {
    return this.#vertexTables[0]?.typeId === typeId
  }

  vertexTable(typeId: number): VertexTableLayout {
    const table = this.#vertexTables.find((t) => t.typeId === typeId)
    assert(table !== undefined, 'the view has no table for a bound vertex type')
    return table
  }

  vertexColumn(typeId: number, attributeId: number): ColumnLayout | null {
    return this.vertexTable(typeId).columns.find((c) => c.attributeId === attributeId) ?? null
  }

  adjacency(edgeTypeId: number, pair: PairIds): AdjacencyLayout | null {
    const found = this.#adjacencies.find(
      (a) =>
        a.edgeTypeId === edgeTypeId &&
        a.fromTypeId === pair.fromTypeId &&
        a.toTypeId === pair.toTypeId,
    )
    return found ?? null
  }

  edgeColumn(edgeTypeId: number, pair: PairIds, attributeId: number): ColumnLayout | null {
    const adjacency = this.adjacency(edgeTypeId, pair)
    return adjacency?.columns.find((c) => c.attributeId === attributeId) ?? null
  }
}

function columnLayout({ attributeId, type, storage, pages }: ColumnView): ColumnLayout {
  return { attributeId, type, storage, isPaged: pages !== null }
}

function adjacencyLayout(
  edgeTypeId: number,
  adjacency: AdjacencyView,
  rows: ReadonlyMap<number, number>,
): AdjacencyLayout {
  const { fromTypeId, toTypeId, deleted } = adjacency
  return {
    ...{ edgeTypeId, fromTypeId, toTypeId },
    coversFrom: adjacency.baseFromCount >= (rows.get(fromTypeId) ?? 0),
    coversTo: adjacency.baseToCount >= (rows.get(toTypeId) ?? 0),
    hasDelta: hasDelta(adjacency),
    hasDeleted: deleted.words !== null,
    isDeletedPaged: deleted.pages !== null,
    columns: adjacency.columns.map(columnLayout),
  }
}

function rowCounts(view: GraphView): ReadonlyMap<number, number> {
  return new Map(view.vertexTables.map(({ typeId, rowCount }) => [typeId, rowCount]))
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

function hasDelta(adjacency: AdjacencyView): boolean {
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
  const rows = rowCounts(view)
  const vertices = view.vertexTables.map(
    (t) =>
      `v${t.typeId}${t.deleted.words === null ? '' : 'x'}:${columnsSignature(t.columns.map(columnLayout))}`,
  )
  const edges = view.edgeTables.map(
    (t) =>
      `e${t.typeId}${t.directed ? '' : 'u'}:${t.adjacencies.map((a) => adjacencySignature(adjacencyLayout(t.typeId, a, rows))).join('|')}`,
  )
  return [...vertices, ...edges].join(';')
}

function adjacencySignature({ columns, ...adjacency }: AdjacencyLayout): string {
  const marks = [
    adjacency.coversFrom ? 'f' : '',
    adjacency.coversTo ? 't' : '',
    adjacency.hasDelta ? 'd' : '',
    adjacency.hasDeleted ? 'x' : '',
    adjacency.isDeletedPaged ? 'p' : '',
  ]
  const ends = `${adjacency.fromTypeId}>${adjacency.toTypeId}`
  return `${ends}${marks.join('')}${columnsSignature(columns)}`
}

function columnsSignature(columns: readonly ColumnLayout[]): string {
  return columns.map((c) => `${c.attributeId}${c.storage}${c.isPaged ? 'p' : ''}`).join(',')
}
