/** What type a column has: one that keeps every value as it is written, else text. */
import { isDatetime } from '#lib/graph-schema/default-value.ts'

export type ColumnType = 'INT' | 'DOUBLE' | 'BOOL' | 'DATETIME' | 'STRING'
type TypedColumn = Exclude<ColumnType, 'STRING'>

const INT_MAX = 2n ** 63n - 1n

/** Zeros in front and a plus are lost in a number: postcodes and telephone numbers are texts. */
const wholeNumber = /^(0|-?[1-9]\d*)$/
const decimalNumber = /^-?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?$/

const typedColumns: readonly TypedColumn[] = ['INT', 'DOUBLE', 'BOOL', 'DATETIME']

/** The types that keep a text as it is written; text that is none of them is a STRING alone. */
function typesOf(text: string): readonly TypedColumn[] {
  if (/^[tf]/i.test(text)) return /^(true|false)$/i.test(text) ? ['BOOL'] : []
  if (!/^[-.\d]/.test(text)) return []
  if (wholeNumber.test(text)) {
    const types: readonly TypedColumn[] = isInt64(text) ? ['INT'] : []
    // A double has no more digits.
    return Number.isSafeInteger(Number(text)) ? [...types, 'DOUBLE'] : types
  }
  if (decimalNumber.test(text) && /\d/.test(text)) {
    return Number.isFinite(Number(text)) ? ['DOUBLE'] : []
  }
  return isDatetime(text) ? ['DATETIME'] : []
}

function isInt64(text: string): boolean {
  if (text.length < 19) return true
  const value = BigInt(text)
  return value <= INT_MAX && value >= -INT_MAX - 1n
}

/** A type that nearly all values have, and some of the others. */
export interface NearType {
  readonly type: ColumnType
  readonly count: number
  readonly others: readonly string[]
}

const NEAR_SHARE = 0.95
const OTHERS_SHOWN = 3

export class ColumnVotes {
  #filled = 0
  /** The types that all values have, up to now. */
  #open: readonly TypedColumn[] = typedColumns
  readonly #counts: Record<TypedColumn, number> = { INT: 0, DOUBLE: 0, BOOL: 0, DATETIME: 0 }
  readonly #others: string[] = []

  add(value: string): void {
    const text = value.trim()
    if (text === '') return
    this.#filled++
    const found = typesOf(text)
    for (const type of found) this.#counts[type]++
    if (!this.#open.every((type) => found.includes(type))) {
      this.#open = this.#open.filter((type) => found.includes(type))
    }
    if (found.length === 0 && this.#others.length < OTHERS_SHOWN) this.#others.push(text)
  }

  get filled(): number {
    return this.#filled
  }

  get type(): ColumnType {
    return this.#filled === 0 ? 'STRING' : (this.#open[0] ?? 'STRING')
  }

  /** Null: the values have one type, or many have none. */
  get near(): NearType | null {
    if (this.type !== 'STRING') return null
    const type = typedColumns.find((one) => this.#counts[one] >= this.#filled * NEAR_SHARE)
    if (type === undefined || this.#filled === 0) return null
    return { type, count: this.#counts[type], others: this.#others }
  }
}

export function typeOfValues(values: readonly string[]): ColumnType {
  const votes = new ColumnVotes()
  for (const value of values) votes.add(value)
  return votes.type
}
