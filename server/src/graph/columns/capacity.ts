/** Room for rows in the columns of a table. */
import type { Column } from './column.ts'

/** Rows that every column has room for; `none` when there are no columns. */
export function rowCapacity(columns: readonly Column[], none: number): number {
  if (columns.length === 0) return none
  return columns.reduce(
    (least, { capacity }) => Math.min(least, capacity),
    Number.POSITIVE_INFINITY,
  )
}

/** Makes room for `rowCount` rows and some more. @returns the new capacity */
export function growColumns(columns: readonly Column[], rowCount: number): number {
  const target = Math.max(rowCount, Math.ceil(rowCount * (rowCount < 65_536 ? 1.5 : 1.125)))
  for (const column of columns) {
    column.ensure(target)
    if (!column.isDefaultZero) column.fillDefault(rowCount - 1, column.capacity, true)
  }
  return rowCapacity(columns, target)
}
