/**
 * One numbering of all vertices of a run: the rows of each type follow those of the types before,
 * each type starting at a multiple of 32, so that bitmaps of one type begin at a word. Numbers
 * ascend by type and then by row; -1 is the unknown vertex.
 */

import type { GraphView, VertexTableView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'

export class VertexLayout {
  readonly tables: readonly VertexTableView[]
  readonly bases: readonly number[]
  /** Numbers given out, a multiple of 32. */
  readonly total: number
  private readonly indexOfType = new Map<number, number>()

  constructor(view: GraphView) {
    this.tables = view.vertexTables
    const bases: number[] = []
    let next = 0
    view.vertexTables.forEach((table, i) => {
      this.indexOfType.set(table.typeId, i)
      bases.push(next)
      next += Math.ceil(table.rowCount / 32) * 32
    })
    this.bases = bases
    // Sets hold numbers in 32 bits with a sign.
    assert(next < 2 ** 31, 'more vertices than a run can number')
    this.total = next
  }

  index(typeId: number): number {
    const index = this.indexOfType.get(typeId)
    assert(index !== undefined, 'a vertex type without a table')
    return index
  }

  has(typeId: number): boolean {
    return this.indexOfType.has(typeId)
  }

  baseOfType(typeId: number): number {
    return this.bases[this.index(typeId)]!
  }

  tableOfType(typeId: number): VertexTableView {
    return this.tables[this.index(typeId)]!
  }

  /** Index of the table a vertex belongs to. */
  indexOf(vertex: number): number {
    let index = this.bases.length - 1
    while (index > 0 && this.bases[index]! > vertex) index--
    // Types without rows share their base with the next one.
    while (vertex - this.bases[index]! >= this.tables[index]!.rowCount && index > 0) index--
    return index
  }

  tableOf(vertex: number): VertexTableView {
    return this.tables[this.indexOf(vertex)]!
  }

  rowOf(vertex: number): number {
    return vertex - this.bases[this.indexOf(vertex)]!
  }
}

/** What is one type's of a bitmap: a row is its own bit number. */
export function wordsPart(layout: VertexLayout, words: Uint32Array, typeId: number): Uint32Array {
  const base = layout.baseOfType(typeId) / 32
  return words.subarray(base, base + Math.ceil(layout.tableOfType(typeId).rowCount / 32))
}
