/** A growing list of unsigned 32-bit numbers: rows that a read has found. */
export class RowList {
  #items = new Uint32Array(24)
  length = 0

  push(row: number): void {
    if (this.length === this.#items.length) {
      const grown = new Uint32Array(this.length * 2)
      grown.set(this.#items)
      this.#items = grown
    }
    this.#items[this.length++] = row
  }

  at(index: number): number {
    return this.#items[index]!
  }

  /** The rows found, in place. */
  get rows(): Uint32Array {
    return this.#items.subarray(0, this.length)
  }
}
