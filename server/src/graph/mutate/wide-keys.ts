/**
 * Numbers in the keys of entries (ids that are attributes, discriminators) whose columns have to be widened.
 * That is done before an entry is begun: a row whose key is not written yet must not be met by anyone.
 */
import { type DiscriminatorKey, fieldNumberAt, fieldSizeAt } from '../adjacency/discriminator.ts'
import type { Column } from '../columns/column.ts'
import type { WideNumber } from '../columns/widening.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import type { FrameCursor } from './frame-cursor.ts'

export interface KeyedRows {
  readonly cursor: FrameCursor
  /** Of the ids in each position. */
  readonly tables: readonly VertexTable[]
  /** Their values stand behind the ids. */
  readonly discriminators: readonly Column[]
}

export class WideKeys {
  readonly #rows: KeyedRows
  readonly #key: DiscriminatorKey
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

  /** Whether the next entry may begin; else to be asked again. */
  isReady(): boolean {
    if (this.#pieces === null) {
      const wide = this.find()
      if (wide.length === 0) return true
      this.#pieces = widenAll(wide)
    }
    if (this.#pieces.next().done === true) this.#pieces = null
    return false
  }

  /** Of the next entry, which is not read by this. */
  find(): readonly WideNumber[] {
    const { cursor, tables } = this.#rows
    const { at, keyStart, keyEnd, bytes } = cursor
    const [starts, ends] = [keyStart.slice(), keyEnd.slice()]
    tables.forEach((table, position) => {
      cursor.readKey(position as 0 | 1, table.isNumericId)
    })
    const wide = tables.flatMap((table, position) =>
      table.wideKeyParts(bytes, keyStart[position]!, keyEnd[position]!),
    )
    wide.push(...this.#wideDiscriminators(cursor.at))
    cursor.at = at
    keyStart.set(starts)
    keyEnd.set(ends)
    return wide
  }

  #wideDiscriminators(start: number): WideNumber[] {
    let position = start
    return this.#rows.discriminators.flatMap((column) => {
      const value = column.mayWidenLong ? fieldNumberAt(column, this.#key, position) : 0
      position += fieldSizeAt(column, this.#key, position)
      return column.widensLong(value) ? { column, value } : []
    })
  }
}

function* widenAll(numbers: readonly WideNumber[]): Generator<undefined, void> {
  for (const { column, value } of numbers) yield* column.widenInPieces(value)
}
