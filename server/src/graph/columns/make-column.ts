import type { Attribute, TupleType } from '#catalog/types.ts'
import { Column, type Memory } from './column.ts'

/** A new column with room for `rowCount` rows, all of them at the default. */
export function makeColumn(
  attribute: Attribute,
  tuples: readonly TupleType[],
  memory: Memory,
  rowCount: number,
): Column {
  const column = new Column(attribute, tuples, memory)
  column.ensure(rowCount)
  column.fillDefault(0, column.capacity, true)
  return column
}
