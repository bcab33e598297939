/** Lines to rows: the header, the tokens, and what is wrong where there are too few. */
import { LOAD_LIST_ITEMS_MAX, LOAD_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import { JsonColumns } from './json-columns.ts'
import { checkItems, occurrencesIn } from './line-limits.ts'
import { tokensOf } from './line-tokens.ts'
import type { PlannedLoad } from './load-plan.ts'
import { JsonRow, type Row, TokenRow } from './row.ts'

/** What a line is counted as that is no row. */
export type LineFault = 'notEnoughToken' | 'invalidJson' | 'oversizeToken'

export const lineFaults: Readonly<Record<LineFault, string>> = {
  notEnoughToken: 'it has too few tokens',
  invalidJson: 'it is no JSON object',
  oversizeToken: `it has more than ${LOAD_TEXT_CHARS_MAX} characters`,
}

export class RowReader {
  readonly #load: PlannedLoad
  readonly #fileName: string
  readonly #columns: JsonColumns
  #positions: ReadonlyMap<string, number>
  #awaitsHeader: boolean

  /** @param loads the statements that read the file; they share its format */
  constructor(loads: readonly [PlannedLoad, ...PlannedLoad[]], fileName: string) {
    const [load] = loads
    this.#load = load
    this.#columns = new JsonColumns(loads.flatMap(({ columnPaths }) => columnPaths))
    this.#fileName = fileName
    this.#positions = positionsOf(load.header ?? [])
    this.#awaitsHeader = load.format.hasHeader && !load.format.isJson
  }

  takesHeader(line: string | null): boolean {
    if (!this.#awaitsHeader) return false
    this.#awaitsHeader = false
    if (this.#load.header === null && line !== null) {
      // Headers are often written with blanks behind the separators.
      const names = tokensOf(line, this.#load.format)
      this.#positions = positionsOf(names.map((name) => name.trim()))
    }
    return true
  }

  read(line: string | null, tokenCountMin: number): Row | LineFault {
    if (line === null) return 'oversizeToken'
    if (this.#load.format.isJson) {
      const object = this.#columns.read(line)
      return object === null ? 'invalidJson' : new JsonRow(object, this.#fileName)
    }
    if (line.length > LOAD_LIST_ITEMS_MAX) {
      checkItems(occurrencesIn(line, this.#load.format.separator) + 1)
    }
    const tokens = tokensOf(line, this.#load.format)
    if (tokens.length < tokenCountMin || line === '') return 'notEnoughToken'
    return new TokenRow(tokens, this.#positions, this.#fileName)
  }
}

function positionsOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]))
}
