/** Edges that a read has found, as three numbers each: strip, other row, edge row. */
import type { EdgeStrip } from './edge-path.ts'
import { RowList } from './row-list.ts'

export class EdgeList {
  readonly strips: readonly EdgeStrip[]
  readonly #strip = new RowList()
  readonly #other = new RowList()
  readonly #edge = new RowList()

  constructor(strips: readonly EdgeStrip[]) {
    this.strips = strips
  }

  get length(): number {
    return this.#edge.length
  }

  push(stripIndex: number, otherRow: number, edgeRow: number): void {
    this.#strip.push(stripIndex)
    this.#other.push(otherRow)
    this.#edge.push(edgeRow)
  }

  stripIndexAt(index: number): number {
    return this.#strip.at(index)
  }

  stripAt(index: number): EdgeStrip {
    return this.strips[this.#strip.at(index)]!
  }

  otherRowAt(index: number): number {
    return this.#other.at(index)
  }

  edgeRowAt(index: number): number {
    return this.#edge.at(index)
  }
}
