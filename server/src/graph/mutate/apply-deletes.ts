/** Deletes of single edges and of whole vertex types; `delete-vertices.ts` has the others. */
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { DiscriminatorKey } from '../adjacency/discriminator.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { adjacencyOf } from './apply-edges.ts'
import type { FrameCursor } from './frame-cursor.ts'
import type { OutcomeBuilder } from './outcome.ts'
import { type ApplyTarget, vertexTableOf } from './target.ts'

export interface TouchingAdjacency {
  readonly adjacency: Adjacency
  readonly isFrom: boolean
  readonly isTo: boolean
}

/** What a vertex of a type may have edges in; each is about to change. */
export function adjacenciesOf(tables: Tables, typeId: number): TouchingAdjacency[] {
  const touching: TouchingAdjacency[] = []
  for (const table of tables.edges) {
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

/** Applies one entry of a run that deletes edges. */
export function deleteEdge(
  cursor: FrameCursor,
  target: ApplyTarget,
  outcome: OutcomeBuilder,
): void {
  const { adjacency, discriminatorCount } = adjacencyOf(cursor, target.tables)
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
