/** What a mutation batch is applied to, and how its runs find their tables, rows and columns. */
import { DbError } from '#kernel/errors.ts'
import type { Column } from '../columns/column.ts'
import type { LoadPositions } from '../load-positions.ts'
import type { RecentKeys } from '../recent-keys.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import type { Field } from './fields.ts'
import type { FrameCursor } from './frame-cursor.ts'
import type { OutcomeBuilder } from './outcome.ts'

/** Told about deleted vertices: the storage engine keeps its own record of them. */
export interface DeletionRecord {
  deleted(typeId: number, row: number): void
}

export interface ApplyTarget {
  readonly tables: Tables
  readonly deletions: DeletionRecord
  readonly positions: LoadPositions
  readonly keys: RecentKeys
}

/** The fields of the current run with their columns. */
export function fieldsOf(cursor: FrameCursor, columns: readonly Column[]): Field[] {
  return cursor.fieldIds.map((id, index) => {
    const column = columns.find((candidate) => candidate.attribute.id === id)
    if (column === undefined) {
      throw new DbError('CORRUPT_LOG', `mutation batch: attribute ${id} of type ${cursor.typeId}`)
    }
    return { column, op: cursor.fieldOps[index]! }
  })
}

export function vertexTableOf(tables: Tables, typeId: number): VertexTable {
  const table = tables.vertexTable(typeId)
  if (table === undefined) {
    throw new DbError('CORRUPT_LOG', `mutation batch: no vertex type ${typeId}`)
  }
  return table
}

/** The row of the key in `position`, its vertex made if there is none. */
export function ensureVertex(cursor: FrameCursor, position: 0 | 1, table: VertexTable): number {
  return table.findOrCreate(cursor.bytes, cursor.keyStart[position]!, cursor.keyEnd[position]!)
}

/** Whether the key in `position` was deleted permanently; the outcome then lists it. */
export function meetsRetired(
  cursor: FrameCursor,
  position: 0 | 1,
  table: VertexTable,
  outcome: OutcomeBuilder,
): boolean {
  if (table.retired === null) return false
  const { bytes, keyStart, keyEnd } = cursor
  if (!table.isRetired(bytes, keyStart[position]!, keyEnd[position]!)) return false
  outcome.meetRetired(table.type.id, keyTextOf(cursor, table, position))
  return true
}

/** The key of a position as the text that answers print. */
export function keyTextOf(cursor: FrameCursor, table: VertexTable, position: 0 | 1): string {
  return table.isNumericId
    ? table.numericIdText(cursor.keyBigint(position))
    : cursor.keyText(position)
}
