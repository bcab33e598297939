/**
 * Brings a compacted vertex table up to date with what was written while it was made, as
 * `catch-up.ts` does for edges: the state of changed rows is copied, new rows are made in their order.
 *
 * Rows made since are copied dead or alive, so that a replay from the checkpoint, which makes them
 * anew, ends with the same rows.
 */
import type { ChangeJournal } from '../adjacency/adjacency.ts'
import type { DeletedIds } from '../gse/deleted-ids.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { NO_ROW } from './compact-vertices.ts'

export interface CompactedTable {
  readonly table: VertexTable
  /** Old row to new row for the rows that the compacted version had. */
  readonly map: Uint32Array
  /** The storage engine's record of the new rows. */
  readonly record: DeletedIds
}

export class VertexCatchUp implements ChangeJournal {
  readonly #old: VertexTable
  readonly #oldRecord: DeletedIds
  readonly #mergedCount: number
  #changed: number[] = []
  readonly #marks: Set<number> = new Set()
  /** New rows of the old rows from `#mergedCount` on. */
  readonly #added: number[] = []
  #next: CompactedTable | null = null

  /** Begins the journal; the compacted version is the one pinned at this moment. */
  constructor(old: VertexTable, oldRecord: DeletedIds) {
    this.#old = old
    this.#oldRecord = oldRecord
    this.#mergedCount = old.rowCount
    old.journal = this
  }

  touched(row: number): void {
    if (row >= this.#mergedCount + this.#added.length || this.#marks.has(row)) return
    this.#marks.add(row)
    this.#changed.push(row)
  }

  /** Where copies go from now on. */
  begin(next: CompactedTable): void {
    this.#next = next
  }

  /** Rows still to be copied. */
  get remaining(): number {
    return this.#changed.length + this.#old.rowCount - this.#mergedCount - this.#added.length
  }

  copy(count: number): void {
    for (let i = 0; i < count && this.#changed.length > 0; i++) {
      const row = this.#changed.pop()!
      this.#marks.delete(row)
      this.#copyChanged(row)
    }
    for (let i = 0; i < count; i++) {
      const row = this.#mergedCount + this.#added.length
      if (row >= this.#old.rowCount) return
      const newRow = this.#next!.table.copyRow(this.#old, row)
      this.#added.push(newRow)
      this.#copyDeath(row, newRow)
    }
  }

  /** The new row of an old one that has been copied; NO_ROW when it was left out. */
  rowOf(row: number): number {
    return row < this.#mergedCount ? this.#next!.map[row]! : this.#added[row - this.#mergedCount]!
  }

  stop(): void {
    this.#old.journal = null
  }

  #copyChanged(row: number): void {
    const newRow = this.rowOf(row)
    if (newRow === NO_ROW) return
    if (!this.#old.deleted.has(row)) this.#next!.table.copyValues(this.#old, row, newRow)
    this.#copyDeath(row, newRow)
  }

  #copyDeath(row: number, newRow: number): void {
    const { table, record } = this.#next!
    const typeId = table.type.id
    if (this.#old.deleted.has(row) && !table.deleted.has(newRow)) table.delete(newRow)
    if (this.#oldRecord.has(typeId, row)) record.deleted(typeId, newRow)
  }
}
