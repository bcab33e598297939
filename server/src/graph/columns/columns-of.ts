/** The columns of a table whose type has changed, from those that it had. */
import type { Attribute, TupleType } from '#catalog/types.ts'
import type { Column, Memory } from './column.ts'
import { convertColumn } from './convert.ts'
import { makeColumn } from './make-column.ts'

/** Columns that were made from others before the change is applied, by those others. */
export type ConvertedColumns = ReadonlyMap<Column, Column>

export const noneConverted: ConvertedColumns = new Map()

export interface TableRows {
  readonly memory: Memory
  readonly rowCount: number
  isDead(row: number): boolean
}

/**
 * Matched by the ids of attributes. A new attribute is filled from the one it took over, where the
 * table has that, else with its default. Columns without an attribute are released.
 */
export function columnsOf(
  attributes: readonly Attribute[],
  tuples: readonly TupleType[],
  old: readonly Column[],
  rows: TableRows & { readonly converted: ConvertedColumns },
): Column[] {
  const columnOf = (id: number | undefined) => old.find((column) => column.attribute.id === id)
  const columns = attributes.map((attribute) => {
    const kept = columnOf(attribute.id)
    if (kept !== undefined) return kept.redefine(attribute, tuples, rows.rowCount)
    const source = columnOf(attribute.convertedFrom)
    if (source === undefined) return makeColumn(attribute, tuples, rows.memory, rows.rowCount)
    return rows.converted.get(source) ?? convertColumn(source, attribute, rows)
  })
  for (const column of old) if (!columns.includes(column)) column.release()
  return columns
}
