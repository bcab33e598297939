/**
 * CSV text as records, piece by piece. Papa parses; this keeps what is cut at the end of a piece for
 * the next, and goes on behind a quote that is never closed instead of reading the rest of the file
 * as one cell.
 */
import Papa from 'papaparse'

export interface CsvRecord {
  /** Number of the record in the file, from 1; blank ones count. */
  readonly row: number
  readonly cells: readonly string[]
  /** Why the record cannot be believed, or null. */
  readonly problem: string | null
}

/** A record longer than this has a quote that is never closed. */
const RECORD_CHARS_MAX = 1_000_000

const neverClosed = 'a quote opens in this line and is not closed'
const notDoubled = 'a quote inside a quoted cell is not doubled'

type Newline = '\r\n' | '\n' | '\r'

export class CsvReader {
  readonly #delimiter: string
  #newline: Newline | null = null
  #rest = ''
  #row = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  /** Records that are whole now; blank ones are counted and left out. */
  read(text: string, isLast: boolean): readonly CsvRecord[] {
    this.#rest += text
    this.#newline ??= newlineOf(this.#rest, isLast)
    const records: CsvRecord[] = []
    if (this.#newline === null) return records
    for (;;) {
      const whole = this.#parse(true)
      this.#take(whole, records)
      this.#rest = this.#rest.slice(whole.meta.cursor)
      if (this.#rest === '' || (!isLast && this.#rest.length <= RECORD_CHARS_MAX)) return records
      const last = this.#parse(false)
      if (!last.errors.some(({ code }) => code === 'MissingQuotes')) {
        if (!isLast) return records
        this.#take(last, records)
        this.#rest = ''
        return records
      }
      this.#giveUpLine(records)
    }
  }

  #parse(ignoreLastRow: boolean): Papa.ParseResult<string[]> {
    const config = { delimiter: this.#delimiter, newline: this.#newline ?? '\n' }
    return new Papa.Parser(config).parse(this.#rest, 0, ignoreLastRow) as Papa.ParseResult<string[]>
  }

  #take({ data, errors }: Papa.ParseResult<string[]>, records: CsvRecord[]): void {
    const wrong = new Set(errors.map(({ row }) => row))
    for (const [place, cells] of data.entries()) {
      this.#row++
      if (cells.every((cell) => cell.trim() === '')) continue
      const problem = wrong.has(place) ? notDoubled : null
      records.push({ row: this.#row, cells: withoutReturn(cells), problem })
    }
  }

  /** The first line of what is left cannot be read; the next one may. */
  #giveUpLine(records: CsvRecord[]): void {
    const newline = this.#newline ?? '\n'
    const end = this.#rest.indexOf(newline)
    const line = end < 0 ? this.#rest : this.#rest.slice(0, end)
    this.#rest = end < 0 ? '' : this.#rest.slice(end + newline.length)
    this.#row++
    const cells = line.split(this.#delimiter).map((cell) => cell.replaceAll('"', ''))
    records.push({ row: this.#row, cells, problem: neverClosed })
  }
}

/** Null: no line ends yet. A return at the very end may be half of a pair. */
function newlineOf(text: string, isLast: boolean): Newline | null {
  const end = /\r\n|\n|\r(?!$)/.exec(text)?.[0]
  if (end !== undefined) return end as Newline
  return isLast ? '\n' : null
}

/** Where lines end in both ways, a return stays at the last cell. */
function withoutReturn(cells: readonly string[]): readonly string[] {
  const last = cells.at(-1)
  return last?.endsWith('\r') === true ? cells.with(-1, last.slice(0, -1)) : cells
}
