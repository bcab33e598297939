/** A Parquet file of an export, written row group by row group: what is written leaves the memory. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { constants, zstdCompressSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import { PRIVATE_FILE_MODE } from '#storage/files/contained.ts'
import type { Cell, Column } from './property.ts'

export interface ParquetSum {
  readonly rows: number
  readonly sizeBytes: number
  /** SHA-256 of the content, in hex. */
  readonly sha256: string
}

/** What GraphAr's own libraries write; the compressor is Node's. */
const codec = {
  codec: 'ZSTD',
  compressors: {
    ZSTD: (bytes: Uint8Array) =>
      zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  },
} as const

export class ParquetFile {
  readonly #columns: readonly Column[]
  readonly #out: FileWriter
  readonly #writer: ParquetWriter
  #rows = 0

  /** @param path of no file that is there */
  constructor(path: string, columns: readonly Column[]) {
    this.#columns = columns
    this.#out = new FileWriter(path)
    const schema = [{ name: 'schema', num_children: columns.length }]
    this.#writer = new ParquetWriter({
      writer: this.#out,
      schema: [...schema, ...columns.flatMap((column) => column.schema)],
      createdBy: 'quiver',
      ...codec,
    })
  }

  /** One row group; the cells of each column, as many for each. */
  write(cells: readonly (readonly Cell[])[], rows: number): void {
    const columnData = this.#columns.map(({ name, encoding }, index): ColumnSource => {
      // Nothing but plain cells: the library's type says more than it takes.
      const data = cells[index] as ColumnSource['data']
      return { name, data, offsetIndex: false, ...(encoding ? { encoding } : {}) }
    })
    void this.#writer.write({ columnData, rowGroupSize: rows })
    this.#rows += rows
  }

  finish(): ParquetSum {
    void this.#writer.finish()
    return { rows: this.#rows, ...this.#out.close() }
  }
}

/** The library writes into memory and asks to flush after each row group and at the end. It waits for nothing when `flush` does not. */
class FileWriter extends ByteWriter {
  readonly #descriptor: number
  readonly #hash = createHash('sha256')

  constructor(path: string) {
    super()
    this.#descriptor = openSync(path, 'wx', PRIVATE_FILE_MODE)
  }

  flush(): void {
    const bytes = this.getBytes()
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at)
    this.#hash.update(bytes)
    this.index = 0
  }

  override finish(): void {
    this.flush()
  }

  close(): Omit<ParquetSum, 'rows'> {
    fsyncSync(this.#descriptor)
    closeSync(this.#descriptor)
    return { sizeBytes: this.offset, sha256: this.#hash.digest('hex') }
  }
}
