/** Edges that a read has found, as three numbers each: strip, other row, edge row. */

import { RowList } from '../read/row-list.ts'
import type { EdgeStrip } from './edge-path.ts'

export class EdgeList {
  readonly strips: readonly EdgeStrip[]
  readonly #numbers = new RowList()

  constructor(strips: readonly EdgeStrip[]) {
    this.strips = strips
  }

  get length(): number {
    return this.#numbers.length / 3
  }

  push(stripIndex: number, otherRow: number, edgeRow: number): void {
    this.#numbers.push(stripIndex)
    this.#numbers.push(otherRow)
    this.#numbers.push(edgeRow)
  }

  stripIndexAt(index: number): number {
    return this.#numbers.at(index * 3)
  }

  stripAt(index: number): EdgeStrip {
    return this.strips[this.stripIndexAt(index)]!
  }

  otherRowAt(index: number): number {
    return this.#numbers.at(index * 3 + 1)
  }

  edgeRowAt(index: number): number {
    return this.#numbers.at(index * 3 + 2)
  }
}
