/**
 * Expectations of a batch: what a query read of the elements that it changes. They are compared with
 * the tables before the first change, live and at replay alike. One that does not hold means that
 * another commit came between the read and the write, and the batch is refused whole.
 */
import { fieldSizeAt, isFieldEqual, type WrittenField } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { type EntryRows, edgeRows, vertexRows } from './entry-rows.ts'
import { type FrameCursor, isExpectation } from './frame-cursor.ts'
import { frameFlag, runKind } from './frame-format.ts'

/** Entries between two stops. */
const ENTRIES_PER_PIECE = 512

/** Reads the next entry of the present run; false when it does not hold. */
type EntryTest = () => boolean

/** Stops every few hundred entries; nothing may change the tables until it returns. */
export function* expectationsHold(
  cursor: FrameCursor,
  tables: Tables,
): Generator<undefined, boolean> {
  while (cursor.nextRun()) {
    if (!isExpectation(cursor.kind)) continue
    const isOfVertices = cursor.kind === runKind.expectVertices
    const rows = isOfVertices ? vertexRows(cursor, tables) : edgeRows(cursor, tables)
    const holds = entryTest(cursor, rows)
    for (let i = 0; i < cursor.count; i++) {
      if (!holds()) return false
      if (i % ENTRIES_PER_PIECE === ENTRIES_PER_PIECE - 1) yield
    }
  }
  return true
}

function entryTest(cursor: FrameCursor, { columns, next }: EntryRows): EntryTest {
  const values = new WrittenValues(cursor, columns)
  const { isAbsent } = cursor
  return () => {
    const row = next()
    return isAbsent ? row < 0 : row >= 0 && values.areOf(row)
  }
}

/** The values of an entry, in the order of its fields. */
class WrittenValues {
  readonly #cursor: FrameCursor
  readonly #columns: readonly Column[]
  readonly #written: WrittenField

  constructor(cursor: FrameCursor, columns: readonly Column[]) {
    this.#cursor = cursor
    this.#columns = columns
    const key = { bytes: cursor.bytes, view: cursor.view, start: 0, end: 0 }
    const unwrittenIsEmpty = (cursor.flags & frameFlag.unwrittenIsEmpty) !== 0
    this.#written = { key, position: 0, unwrittenIsEmpty }
  }

  /** Steps over them. @returns whether a row has them all */
  areOf(row: number): boolean {
    const cursor = this.#cursor
    const written = this.#written
    for (const column of this.#columns) {
      written.position = cursor.at
      if (!isFieldEqual(column, row, written)) return false
      cursor.skip(fieldSizeAt(column, written.key, cursor.at))
    }
    return true
  }
}
