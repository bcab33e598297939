/** The columns of a table whose type has changed, from those that it had. */
import type { Attribute, TupleType } from '#catalog/types.ts'
import type { Column, Memory } from './column.ts'
import { convertColumn } from './convert.ts'
import type { MadeBefore } from './made-columns.ts'
import { makeColumn } from './make-column.ts'

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
  rows: TableRows & { readonly made: MadeBefore },
): Column[] {
  const columnOf = (id: number | undefined) => old.find((column) => column.attribute.id === id)
  const columns = attributes.map((attribute) => {
    const kept = columnOf(attribute.id)
    if (kept !== undefined) return kept.redefine(attribute, tuples, rows.rowCount)
    const source = columnOf(attribute.convertedFrom)
    if (source !== undefined) {
      return rows.made.from(source) ?? convertColumn(source, attribute, rows)
    }
    const added = rows.made.addedTo(old, attribute.id)
    return added ?? makeColumn(attribute, tuples, rows.memory, rows.rowCount)
  })
  for (const column of old) if (!columns.includes(column)) column.release()
  return columns
}
