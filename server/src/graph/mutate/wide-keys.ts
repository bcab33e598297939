/**
 * Numbers in the keys of entries (ids that are attributes, discriminators) whose columns have to be widened.
 * That is done before an entry is begun: others must not find a row whose key is not written yet.
 */
import { type DiscriminatorKey, fieldNumberAt, fieldSizeAt } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import { isSmallAt, type WideNumber } from '../columns/widening.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import type { FrameCursor } from './frame-cursor.ts'

export interface KeyedRows {
  readonly cursor: FrameCursor
  /** Of the ids in each position. */
  readonly tables: readonly VertexTable[]
  /** Their values follow the ids. */
  readonly discriminators: readonly Column[]
}

export class WideKeys {
  readonly #rows: KeyedRows
  readonly #key: DiscriminatorKey
  /** Of the entry that was looked at last. */
  readonly #found: WideNumber[] = []
  #pieces: Generator<undefined, void> | null = null

  /** Null: no key of the run can widen a column of many rows. */
  static of(rows: KeyedRows): WideKeys | null {
    const { tables, discriminators } = rows
    const mayWiden =
      tables.some((table) => table.mayKeyWidenLong) ||
      discriminators.some((column) => column.mayWidenLong)
    return mayWiden ? new WideKeys(rows) : null
  }

  private constructor(rows: KeyedRows) {
    this.#rows = rows
    const { bytes, view } = rows.cursor
    this.#key = { bytes, view, start: 0, end: 0 }
  }

  /** Whether the next entry may begin. False: a piece of the widening was done; the caller calls again. */
  isReady(): boolean {
    if (this.#pieces === null) {
      if (!this.isNextWide()) return true
      this.#pieces = widenAll(this.#found)
    }
    if (this.#pieces.next().done === true) this.#pieces = null
    return false
  }

  /** Whether the next entry has such numbers. Does not move the cursor. */
  isNextWide(): boolean {
    const { cursor } = this.#rows
    const { at, keyStart, keyEnd } = cursor
    const [from, fromEnd, to, toEnd] = [keyStart[0]!, keyEnd[0]!, keyStart[1]!, keyEnd[1]!]
    this.#found.length = 0
    this.#findKeys()
    this.#findDiscriminators(cursor.at)
    cursor.at = at
    keyStart[0] = from
    keyEnd[0] = fromEnd
    keyStart[1] = to
    keyEnd[1] = toEnd
    return this.#found.length > 0
  }

  #findKeys(): void {
    const { cursor, tables } = this.#rows
    for (let position = 0; position < tables.length; position++) {
      const table = tables[position]!
      // The key of the entry before has been looked at.
      if (!cursor.readKey(position as 0 | 1, table.isNumericId)) continue
      const [start, end] = [cursor.keyStart[position]!, cursor.keyEnd[position]!]
      if (!table.mayKeyBeWide(cursor, start, end)) continue
      this.#found.push(...table.wideKeyParts(cursor.bytes, start, end))
    }
  }

  #findDiscriminators(start: number): void {
    const { discriminators } = this.#rows
    let position = start
    for (let index = 0; index < discriminators.length; index++) {
      const column = discriminators[index]!
      if (column.mayWidenLong && !isSmallAt(this.#key.view, position)) {
        const value = fieldNumberAt(column, this.#key, position)
        if (column.widensLong(value)) this.#found.push({ column, value })
      }
      position += fieldSizeAt(column, this.#key, position)
    }
  }
}

function* widenAll(found: readonly WideNumber[]): Generator<undefined, void> {
  const numbers = [...found]
  for (const { column, value } of numbers) yield* column.widenInPieces(value)
}
