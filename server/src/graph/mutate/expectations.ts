/**
 * Expectations of a batch: what a query read of the elements that it changes. They are compared with
 * the tables before the first change, live and at replay alike. One that does not hold means that
 * another commit came between the read and the write, and the batch is refused whole.
 */
import {
  type DiscriminatorKey,
  fieldSizeAt,
  isFieldEqual,
  type WrittenField,
} from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import type { Tables } from '../tables/tables.ts'
import { adjacencyOf } from './apply-edges.ts'
import { type FrameCursor, isExpectation } from './frame-cursor.ts'
import { frameFlag, runKind } from './frame-format.ts'
import { fieldsOf, vertexTableOf } from './target.ts'

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
    const holds =
      cursor.kind === runKind.expectVertices ? vertexTest(cursor, tables) : edgeTest(cursor, tables)
    for (let i = 0; i < cursor.count; i++) {
      if (!holds()) return false
      if (i % ENTRIES_PER_PIECE === ENTRIES_PER_PIECE - 1) yield
    }
  }
  return true
}

function vertexTest(cursor: FrameCursor, tables: Tables): EntryTest {
  const table = vertexTableOf(tables, cursor.typeId)
  const columns = fieldsOf(cursor, table.columns).map(({ column }) => column)
  const values = new WrittenValues(cursor, columns)
  const { bytes, keyStart, keyEnd, isAbsent } = cursor
  return () => {
    cursor.readKey(0, table.isNumericId)
    const row = table.find(bytes, keyStart[0]!, keyEnd[0]!)
    return isAbsent ? row < 0 : row >= 0 && values.areOf(row)
  }
}

function edgeTest(cursor: FrameCursor, tables: Tables): EntryTest {
  const { adjacency, discriminatorCount } = adjacencyOf(cursor, tables)
  const from = vertexTableOf(tables, cursor.fromTypeId)
  const to = vertexTableOf(tables, cursor.toTypeId)
  const columns = fieldsOf(cursor, adjacency.columns).map(({ column }) => column)
  const discriminators = columns.slice(0, discriminatorCount)
  const values = new WrittenValues(cursor, columns.slice(discriminatorCount))
  const key: DiscriminatorKey = { bytes: cursor.bytes, view: cursor.view, start: 0, end: 0 }
  const { bytes, keyStart, keyEnd, isAbsent } = cursor
  return () => {
    cursor.readKey(0, from.isNumericId)
    cursor.readKey(1, to.isNumericId)
    key.start = cursor.at
    for (const column of discriminators) cursor.skipValue(column.attribute.type)
    key.end = cursor.at
    const ends = [
      from.find(bytes, keyStart[0]!, keyEnd[0]!),
      to.find(bytes, keyStart[1]!, keyEnd[1]!),
    ] as const
    const row = ends[0] < 0 || ends[1] < 0 ? -1 : liveEdge(ends)
    return isAbsent ? row < 0 : row >= 0 && values.areOf(row)
  }

  function liveEdge([first, second]: readonly [number, number]): number {
    const isSwapped = adjacency.isSymmetric && first > second
    const row = adjacency.find(isSwapped ? second : first, isSwapped ? first : second, key)
    return row >= 0 && adjacency.deleted.has(row) ? -1 : row
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
