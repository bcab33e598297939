/** Rows of a file as the expressions of a loading job see them: the header, and what a row lacks. */
import { type DelimitedRow, type RowFault, rowFaultTexts } from '#kernel/delimited/scanner.ts'
import { DbError } from '#kernel/errors.ts'
import { headerFault, positionsOf } from './header.ts'
import { JsonColumns } from './json-columns.ts'
import type { PlannedLoad } from './load-plan.ts'
import { JsonRow, type Row, TokenRow } from './row.ts'

/** What a row is counted as that cannot be loaded. */
export type LineFault = 'notEnoughToken' | 'invalidJson' | 'oversizeToken' | 'invalidQuote'

export interface UnreadRow {
  readonly fault: LineFault
  /** The subject is the row. */
  readonly reason: string
}

const counters: Readonly<Record<RowFault, LineFault>> = {
  unclosedQuote: 'invalidQuote',
  textAfterQuote: 'invalidQuote',
  strayQuote: 'invalidQuote',
  oversize: 'oversizeToken',
  tooManyTokens: 'oversizeToken',
}

export class RowReader {
  readonly #load: PlannedLoad
  readonly #fileName: string
  /** Names of the columns that are read. */
  readonly #columns: readonly string[]
  readonly #json: JsonColumns
  #positions: ReadonlyMap<string, number>
  /** Rows with fewer tokens are skipped. */
  #tokenCountMin: number
  #awaitsHeader: boolean

  /** @param loads the statements that read the file; they share its format */
  constructor(loads: readonly [PlannedLoad, ...PlannedLoad[]], fileName: string) {
    const [load] = loads
    this.#load = load
    this.#fileName = fileName
    this.#json = new JsonColumns(loads.flatMap(({ columnPaths }) => columnPaths))
    this.#columns = load.format.isJson ? [] : loads.flatMap(({ columns }) => columns)
    this.#tokenCountMin = Math.max(...loads.map(({ tokenCountMin }) => tokenCountMin))
    this.#positions = new Map()
    this.#awaitsHeader = load.format.hasHeader && !load.format.isJson
    if (load.header !== null) this.#name(load.header)
  }

  /**
   * Whether the row is the header, which is no data.
   * @throws DbError INVALID_PAYLOAD where it lacks a column that is read
   */
  takesHeader({ tokens, fault }: DelimitedRow): boolean {
    if (!this.#awaitsHeader) return false
    this.#awaitsHeader = false
    if (this.#load.header !== null) return true
    if (fault !== null) throw this.#headerError(`cannot be read: ${rowFaultTexts[fault]}.`)
    // Headers are often written with blanks behind the separators.
    this.#name(tokens.map((name) => name.trim()))
    return true
  }

  #name(names: readonly string[]): void {
    const fault = headerFault(names, this.#columns)
    if (fault !== null) throw this.#headerError(fault)
    this.#positions = positionsOf(names)
    const last = this.#columns.map((name) => (this.#positions.get(name) ?? 0) + 1)
    this.#tokenCountMin = Math.max(this.#tokenCountMin, ...last)
  }

  #headerError(fault: string): DbError {
    return new DbError('INVALID_PAYLOAD', `The header of ${this.#fileName} ${fault}`)
  }

  read({ tokens, fault, text }: DelimitedRow): Row | UnreadRow {
    if (fault !== null) return { fault: counters[fault], reason: rowFaultTexts[fault] }
    if (this.#load.format.isJson) {
      const object = this.#json.read(text)
      if (object !== null) return new JsonRow(object, this.#fileName)
      return { fault: 'invalidJson', reason: 'it is no JSON object' }
    }
    if (tokens.length < this.#tokenCountMin || text === '') {
      const wanted = Math.max(1, this.#tokenCountMin)
      const given = text === '' ? 'none' : String(tokens.length)
      return { fault: 'notEnoughToken', reason: `it has too few tokens: ${given} of ${wanted}` }
    }
    return new TokenRow(tokens, this.#positions, this.#fileName)
  }
}
