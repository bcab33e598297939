/**
 * The rows of a temporary table, outside the heap. A cell is its length in four bytes and its UTF-8; the
 * cells of a row lie one behind the other in one chunk.
 */
const CHUNK_SIZE_BYTES = 256 * 1024
const LENGTH_SIZE_BYTES = 4
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const BYTES_PER_UNIT_MAX = 3

interface Chunk {
  readonly bytes: Buffer
  usedBytes: number
}

export class TableRows {
  readonly columns: readonly string[]
  readonly positions: ReadonlyMap<string, number>
  readonly #claim: (sizeBytes: number) => void
  readonly #chunks: Chunk[] = []

  /** @param claim called before memory is taken. @throws what it throws */
  constructor(columns: readonly string[], claim: (sizeBytes: number) => void) {
    this.columns = columns
    this.positions = new Map(columns.map((column, index) => [column, index]))
    this.#claim = claim
  }

  /** @param cells one for each column */
  add(cells: readonly string[]): void {
    let sizeBytesMax = 0
    for (const { length } of cells) sizeBytesMax += LENGTH_SIZE_BYTES + length * BYTES_PER_UNIT_MAX
    const chunk = this.#chunkFor(sizeBytesMax)
    for (const cell of cells) {
      const at = chunk.usedBytes + LENGTH_SIZE_BYTES
      const length = chunk.bytes.write(cell, at)
      chunk.bytes.writeUInt32LE(length, chunk.usedBytes)
      chunk.usedBytes = at + length
    }
  }

  #chunkFor(sizeBytesMax: number): Chunk {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.usedBytes + sizeBytesMax <= last.bytes.length) return last
    const sizeBytes = Math.max(CHUNK_SIZE_BYTES, sizeBytesMax)
    this.#claim(sizeBytes)
    const chunk = { bytes: Buffer.allocUnsafeSlow(sizeBytes), usedBytes: 0 }
    this.#chunks.push(chunk)
    return chunk
  }

  /** In the order in which they were added. */
  *rows(): Generator<string[]> {
    for (const { bytes, usedBytes } of this.#chunks) {
      let at = 0
      while (at < usedBytes) {
        const cells: string[] = []
        for (let column = 0; column < this.columns.length; column++) {
          const start = at + LENGTH_SIZE_BYTES
          at = start + bytes.readUInt32LE(at)
          cells.push(bytes.toString('utf8', start, at))
        }
        yield cells
      }
    }
  }
}
