/**
 * How many different values an index covers. Rows of one key stand together, so that only within a
 * key values are held against each other; dirty rows are counted with those of their key.
 */
import type { Column } from '../columns/column.ts'
import { valueKind } from '../columns/kinds.ts'
import { compareBytes } from '../memory/compare.ts'
import { type ColumnIndex, plainNumber } from './column-index.ts'

const ROWS_PER_PIECE = 4_096

/** @returns null: the index is not built, or went while it was looked at */
export function* distinctCount(index: ColumnIndex): Generator<undefined, number | null> {
  const contents = index.contents()
  if (contents === null) return null
  const { pairs, dirty } = contents
  const isDirty = new Set<number>()
  const dirtyByKey = yield* rowsByKey(index, dirty, isDirty)
  const values = new DistinctValues(index.column)
  let count = 0
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * ROWS_PER_PIECE) === 0) yield
    if (index.isReleased) return null
    const row = pairs[at]!
    const key = pairs[at + 1]!
    if (!isDirty.has(row) && index.isLive(row)) values.add(row)
    if (pairs[at + 3] === key) continue
    values.addAll(dirtyByKey.get(key) ?? [])
    dirtyByKey.delete(key)
    count += values.takeCount()
  }
  for (const rows of dirtyByKey.values()) {
    values.addAll(rows)
    count += values.takeCount()
  }
  return count
}

/** Living rows by their keys. @param all gets all rows */
function* rowsByKey(
  index: ColumnIndex,
  rows: readonly number[],
  all: Set<number>,
): Generator<undefined, Map<number, number[]>> {
  const byKey = new Map<number, number[]>()
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_PER_PIECE === 0) yield
    if (index.isReleased) break
    all.add(row)
    if (!index.isLive(row)) continue
    const key = index.keyOfRow(row)
    const others = byKey.get(key)
    if (others === undefined) byKey.set(key, [row])
    else others.push(row)
  }
  return byKey
}

/** The values of some rows, each once. */
class DistinctValues {
  readonly #column: Column
  readonly #isText: boolean
  readonly #numbers = new Set<number | bigint>()
  #texts: Uint8Array[] = []

  constructor(column: Column) {
    this.#column = column
    this.#isText = column.kind === valueKind.string
  }

  add(row: number): void {
    if (!this.#isText) {
      this.#numbers.add(plainNumber(this.#column.readNumber(row)))
      return
    }
    const bytes = this.#column.readBytes(row)
    if (!this.#texts.some((text) => compareBytes(text, bytes) === 0)) this.#texts.push(bytes)
  }

  addAll(rows: readonly number[]): void {
    for (const row of rows) this.add(row)
  }

  /** And forgets them. */
  takeCount(): number {
    const count = this.#numbers.size + this.#texts.length
    this.#numbers.clear()
    this.#texts = []
    return count
  }
}
