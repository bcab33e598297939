/** GraphAr numbers the vertices of a type from 0 without gaps: here, live rows in their order. */
import { isSet } from '#graph/memory/bits.ts'
import type { VertexTableView } from '#graph/view.ts'

const BLOCK_SHIFT = 6

export class LiveNumbers {
  readonly count: number
  readonly #table: VertexTableView
  /** Live rows before each block of 64; null: every row is live, and its own number. */
  readonly #before: Uint32Array | null

  constructor(table: VertexTableView) {
    this.#table = table
    this.count = table.liveCount
    this.#before = table.liveCount === table.rowCount ? null : countsBefore(table)
  }

  /** @param row a live one */
  of(row: number): number {
    if (this.#before === null) return row
    const block = row >>> BLOCK_SHIFT
    let number = this.#before[block]!
    for (let other = block << BLOCK_SHIFT; other < row; other++) {
      if (!isSet(this.#table.deleted, other)) number++
    }
    return number
  }
}

function countsBefore({ rowCount, deleted }: VertexTableView): Uint32Array {
  const before = new Uint32Array((rowCount >>> BLOCK_SHIFT) + 1)
  let live = 0
  for (let row = 0; row < rowCount; row++) {
    if ((row & ((1 << BLOCK_SHIFT) - 1)) === 0) before[row >>> BLOCK_SHIFT] = live
    if (!isSet(deleted, row)) live++
  }
  return before
}
