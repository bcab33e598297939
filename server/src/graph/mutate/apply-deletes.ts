/** Deletes: vertices with all their edges of every type, single edges, whole vertex types. */
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { DiscriminatorKey } from '../adjacency/discriminator.ts'
import { forEachInAnyhow, forEachOutAnyhow } from '../adjacency/read.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { adjacencyOf } from './apply-edges.ts'
import type { FrameCursor } from './frame-cursor.ts'
import { runKind } from './frame-format.ts'
import type { OutcomeBuilder } from './outcome.ts'
import { type ApplyTarget, vertexTableOf } from './target.ts'

/** Applies one entry of a run that deletes vertices or edges. */
export function applyDeletes(
  cursor: FrameCursor,
  target: ApplyTarget,
  outcome: OutcomeBuilder,
): void {
  switch (cursor.kind) {
    case runKind.deleteVertices: {
      const table = vertexTableOf(target.tables, cursor.typeId)
      cursor.readKey(0, table.isNumericId)
      const row = table.find(cursor.bytes, cursor.keyStart[0]!, cursor.keyEnd[0]!)
      if (row < 0) return
      deleteVertex(target, table, row, outcome)
      if (cursor.isPermanent) table.retire(row)
      return
    }
    default:
      deleteEdge(cursor, target, outcome)
  }
}

function deleteVertex(
  target: ApplyTarget,
  table: VertexTable,
  row: number,
  outcome: OutcomeBuilder,
): void {
  for (const { adjacency, isFrom, isTo } of adjacenciesOf(target.tables, table.type.id)) {
    outcome.deletedEdges += deleteEdgesOf(adjacency, row, { isFrom, isTo })
  }
  table.changed()
  table.delete(row)
  target.deletions.deleted(table.type.id, row)
  outcome.deletedVertices += 1
}

interface TouchingAdjacency {
  readonly adjacency: Adjacency
  readonly isFrom: boolean
  readonly isTo: boolean
}

function adjacenciesOf(tables: Tables, typeId: number): TouchingAdjacency[] {
  const touching: TouchingAdjacency[] = []
  for (const table of tables.edges) {
    if (table === undefined) continue
    for (const adjacency of table.adjacencies) {
      const isFrom = adjacency.fromTypeId === typeId
      const isTo = adjacency.toTypeId === typeId
      if (!isFrom && !isTo) continue
      table.changed()
      touching.push({ adjacency, isFrom, isTo })
    }
  }
  return touching
}

function deleteEdgesOf(
  adjacency: Adjacency,
  row: number,
  ends: { readonly isFrom: boolean; readonly isTo: boolean },
): number {
  if (adjacency.liveCount === 0) return 0
  const view = adjacency.topologyView()
  const rows: number[] = []
  if (ends.isFrom) forEachOutAnyhow(view, row, (edge) => rows.push(edge))
  if (ends.isTo) forEachInAnyhow(view, row, (edge) => rows.push(edge))
  let count = 0
  for (const edge of rows) if (adjacency.delete(edge)) count += 1
  return count
}

function deleteEdge(cursor: FrameCursor, target: ApplyTarget, outcome: OutcomeBuilder): void {
  const { adjacency, discriminatorCount } = adjacencyOf(cursor, target)
  const from = vertexTableOf(target.tables, cursor.fromTypeId)
  const to = vertexTableOf(target.tables, cursor.toTypeId)
  cursor.readKey(0, from.isNumericId)
  cursor.readKey(1, to.isNumericId)
  const key: DiscriminatorKey = {
    bytes: cursor.bytes,
    view: cursor.view,
    start: cursor.at,
    end: cursor.at,
  }
  for (const column of adjacency.columns.slice(0, discriminatorCount)) {
    cursor.skipValue(column.attribute.type)
  }
  key.end = cursor.at
  const source = from.find(cursor.bytes, cursor.keyStart[0]!, cursor.keyEnd[0]!)
  const sink = to.find(cursor.bytes, cursor.keyStart[1]!, cursor.keyEnd[1]!)
  if (source < 0 || sink < 0) return
  const isSwapped = adjacency.isSymmetric && source > sink
  const row = adjacency.find(isSwapped ? sink : source, isSwapped ? source : sink, key)
  if (row >= 0 && adjacency.delete(row)) outcome.deletedEdges += 1
}

/** Rows that one step of a delete by type looks at. */
const TYPE_DELETE_STEP_ROWS = 64

/**
 * Every vertex of a type, a few rows per step, so that a large type does not hold the event loop.
 * Its adjacencies lose all their edges without a walk from each vertex.
 */
export class TypeDelete {
  readonly stepCount: number
  readonly #target: ApplyTarget
  readonly #outcome: OutcomeBuilder
  readonly #table: VertexTable
  readonly #isPermanent: boolean
  readonly #adjacencies: readonly Adjacency[]
  #adjacencyIndex = 0
  #row = 0

  constructor(cursor: FrameCursor, target: ApplyTarget, outcome: OutcomeBuilder) {
    this.#target = target
    this.#outcome = outcome
    this.#table = vertexTableOf(target.tables, cursor.typeId)
    this.#isPermanent = cursor.isPermanent
    this.#table.changed()
    this.#adjacencies = adjacenciesOf(target.tables, cursor.typeId)
      .map(({ adjacency }) => adjacency)
      .filter((adjacency) => adjacency.liveCount > 0)
    const rowCounts = [...this.#adjacencies, this.#table].map((one) => one.rowCount)
    this.stepCount = rowCounts.reduce(
      (sum, count) => sum + Math.ceil(count / TYPE_DELETE_STEP_ROWS),
      0,
    )
  }

  step(): void {
    const adjacency = this.#adjacencies[this.#adjacencyIndex]
    if (adjacency === undefined) {
      this.#row = this.#deleteVertices(this.#row)
      return
    }
    const end = Math.min(adjacency.rowCount, this.#row + TYPE_DELETE_STEP_ROWS)
    for (let row = this.#row; row < end; row++) {
      if (adjacency.delete(row)) this.#outcome.deletedEdges += 1
    }
    this.#row = end
    if (end < adjacency.rowCount) return
    this.#adjacencyIndex += 1
    this.#row = 0
  }

  #deleteVertices(start: number): number {
    const table = this.#table
    const end = Math.min(table.rowCount, start + TYPE_DELETE_STEP_ROWS)
    for (let row = start; row < end; row++) {
      if (table.deleted.has(row)) continue
      table.delete(row)
      if (this.#isPermanent) table.retire(row)
      this.#target.deletions.deleted(table.type.id, row)
      this.#outcome.deletedVertices += 1
    }
    return end
  }
}
