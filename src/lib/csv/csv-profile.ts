/** A look at all of a CSV file before it is loaded: the types that its columns really have. */
import { type ColumnType, ColumnVotes, type NearType } from './column-type.ts'
import { CsvReader, type CsvRecord } from './csv-records.ts'
import { type CsvShape, withoutNull } from './csv-sniff.ts'
import { type Encoding, textPieces } from './text-decoding.ts'

export interface ColumnProfile {
  readonly type: ColumnType
  /** Null: all values have the type, or many have none. */
  readonly near: NearType | null
  readonly filled: number
}

export interface CsvProfile {
  /** Records without the header. */
  readonly rows: number
  readonly columns: readonly ColumnProfile[]
  /** Records that cannot be read, and those with fewer or more cells than there are columns. */
  readonly damaged: number
  readonly short: number
  readonly long: number
}

type ProfiledShape = Pick<CsvShape, 'delimiter' | 'hasHeader' | 'nullText' | 'columns'>

/** @param onShare how much of the file has been read, from 0 to 1 */
export async function profileCsv(
  file: File,
  shape: ProfiledShape & { readonly encoding: Encoding },
  onShare: (share: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<CsvProfile> {
  const reader = new CsvReader(shape.delimiter)
  const tally = new Tally(shape)
  let headerRows = shape.hasHeader ? 1 : 0
  for await (const { text, bytesRead, isLast } of textPieces(file, shape.encoding)) {
    signal?.throwIfAborted()
    const records = reader.read(text, isLast)
    for (const record of records.slice(headerRows)) tally.add(record)
    if (records.length > 0) headerRows = 0
    onShare(file.size === 0 ? 1 : bytesRead / file.size)
  }
  return tally.profile
}

class Tally {
  readonly #nullText: string
  readonly #votes: readonly ColumnVotes[]
  #rows = 0
  #damaged = 0
  #short = 0
  #long = 0

  constructor({ nullText, columns }: ProfiledShape) {
    this.#nullText = nullText
    this.#votes = columns.map(() => new ColumnVotes())
  }

  add({ cells, problem }: CsvRecord): void {
    this.#rows++
    if (problem !== null) {
      this.#damaged++
      return
    }
    const width = this.#votes.length
    if (cells.length < width) this.#short++
    if (cells.slice(width).some((cell) => cell.trim() !== '')) this.#long++
    const values = withoutNull(cells, this.#nullText)
    for (const [place, column] of this.#votes.entries()) column.add(values[place] ?? '')
  }

  get profile(): CsvProfile {
    const columns = this.#votes.map(({ type, near, filled }) => ({ type, near, filled }))
    const counts = { rows: this.#rows, damaged: this.#damaged }
    return { ...counts, short: this.#short, long: this.#long, columns }
  }
}
