/**
 * A logical table of GraphAr, cut into files of a fixed number of rows. Rows wait for their row
 * group in memory: few enough of them that wide rows, long texts and vectors stay within bounds.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PRIVATE_FOLDER_MODE } from '#storage/files/contained.ts'
import { ParquetFile, type ParquetSum } from './parquet-file.ts'
import type { Cell, Column } from './property.ts'

/** DuckDB and others read row groups in parallel, best at about this size. */
const GROUP_ROWS_MAX = 131_072
/** About what the cells of a row group may take before they are encoded. */
const GROUP_SIZE_BYTES_MAX = 16 << 20
/** A value in an array, as V8 keeps it: a bigint or a boxed number. */
const VALUE_SIZE_BYTES = 16

export interface ChunkFile extends ParquetSum {
  /** In the directory of the export, with slashes. */
  readonly file: string
}

export interface ChunkedTableOptions {
  readonly directory: string
  readonly columns: readonly Column[]
  readonly chunkRows: number
  readonly wrote: (file: ChunkFile) => void
}

export class ChunkedTable {
  readonly #options: ChunkedTableOptions
  #file: { readonly name: string; readonly parquet: ParquetFile } | null = null
  #prefix = ''
  #chunk = 0
  #chunkRows = 0
  #cells: Cell[][] = []
  #groupRows = 0
  #groupSizeBytes = 0

  constructor(options: ChunkedTableOptions) {
    this.#options = options
    this.#cells = options.columns.map(() => [])
  }

  /** The chunks that follow are `prefix` with their number, from `chunk` on; those before are finished. */
  startPart(prefix: string, chunk = 0): void {
    this.finish()
    this.#prefix = prefix
    this.#chunk = chunk
  }

  /** Takes what the columns read at `row`. */
  add(row: number): void {
    this.#file ??= this.#open()
    const { columns, chunkRows } = this.#options
    for (let index = 0; index < columns.length; index++) {
      const cell = columns[index]!.read(row)
      this.#cells[index]!.push(cell)
      this.#groupSizeBytes += sizeBytesOf(cell)
    }
    this.#groupRows++
    this.#chunkRows++
    const isGroupFull =
      this.#groupRows === GROUP_ROWS_MAX || this.#groupSizeBytes >= GROUP_SIZE_BYTES_MAX
    if (isGroupFull) this.#writeGroup()
    if (this.#chunkRows === chunkRows) this.finish()
  }

  /** Ends the chunk that is open, if there is one. */
  finish(): void {
    if (this.#file === null) return
    this.#writeGroup()
    const { name, parquet } = this.#file
    this.#file = null
    this.#chunkRows = 0
    this.#chunk++
    this.#options.wrote({ file: name, ...parquet.finish() })
  }

  #open(): { readonly name: string; readonly parquet: ParquetFile } {
    const { directory, columns } = this.#options
    const name = `${this.#prefix}chunk${this.#chunk}`
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE })
    return { name, parquet: new ParquetFile(path, columns) }
  }

  #writeGroup(): void {
    if (this.#groupRows === 0) return
    this.#file!.parquet.write(this.#cells, this.#groupRows)
    this.#cells = this.#options.columns.map(() => [])
    this.#groupRows = 0
    this.#groupSizeBytes = 0
  }
}

function sizeBytesOf(cell: Cell): number {
  if (typeof cell === 'string') return VALUE_SIZE_BYTES + 2 * cell.length
  if (cell === null || typeof cell !== 'object') return VALUE_SIZE_BYTES
  let sizeBytes = VALUE_SIZE_BYTES
  for (const item of cell) {
    sizeBytes += VALUE_SIZE_BYTES + (typeof item === 'string' ? 2 * item.length : 0)
  }
  return sizeBytes
}
