/** CSV text as records, piece by piece, by the scanner that the server reads files with. */
import { DelimitedScanner, rowFaultTexts } from '#kernel/delimited/scanner.ts'

export interface CsvRecord {
  /** Number of the record in the file, from 1; blank ones count. */
  readonly row: number
  readonly cells: readonly string[]
  /** Why the record cannot be read, or null. */
  readonly problem: string | null
}

export class CsvReader {
  readonly #delimiter: string
  readonly #scanner: DelimitedScanner
  #row = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter
    this.#scanner = new DelimitedScanner({ separator: delimiter, eol: '\n', quote: '"' })
  }

  /** Records that are whole now; blank ones are counted and left out. */
  read(text: string, isLast: boolean): readonly CsvRecord[] {
    return this.#scanner.read(text, isLast).flatMap(({ tokens, fault, text: line }) => {
      const row = ++this.#row
      if (fault !== null) {
        const cells = line.split(this.#delimiter).map((cell) => cell.replaceAll('"', ''))
        return { row, cells, problem: rowFaultTexts[fault].replace(/^it /, '') }
      }
      const isBlank = tokens.every((cell) => cell.trim() === '')
      return isBlank ? [] : { row, cells: tokens, problem: null }
    })
  }
}
