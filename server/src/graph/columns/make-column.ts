import type { Attribute, TupleType } from '#catalog/types.ts'
import { Column, type Memory } from './column.ts'

/** Rows that one piece fills. */
const ROWS_PER_PIECE = 65_536

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

/** As `makeColumn`, in pieces of a millisecond or so. */
export function* makeColumnInPieces(
  attribute: Attribute,
  tuples: readonly TupleType[],
  memory: Memory,
  rowCount: number,
): Generator<undefined, Column> {
  const column = new Column(attribute, tuples, memory)
  let isDone = false
  try {
    // While there are no rows to copy.
    yield* column.widenForDefault()
    column.ensure(rowCount)
    for (let row = 0; row < column.capacity; row += ROWS_PER_PIECE) {
      column.fillDefault(row, Math.min(row + ROWS_PER_PIECE, column.capacity), true)
      yield
    }
    isDone = true
    return column
  } finally {
    if (!isDone) column.release()
  }
}
