/** Rows that were written since an index took them in, each once. */
export class DirtyRows {
  readonly rows: number[] = []
  #bits = new Uint32Array(0)

  get sizeBytes(): number {
    return this.#bits.byteLength + this.rows.length * 8
  }

  add(row: number): void {
    const word = row >>> 5
    if (word >= this.#bits.length) this.#growBits(word + 1)
    const bit = 1 << (row & 31)
    if ((this.#bits[word]! & bit) !== 0) return
    this.#bits[word]! |= bit
    this.rows.push(row)
  }

  has(row: number): boolean {
    return (((this.#bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
  }

  #growBits(wordCount: number): void {
    const next = new Uint32Array(Math.max(wordCount, this.#bits.length * 2, 32))
    next.set(this.#bits)
    this.#bits = next
  }
}
