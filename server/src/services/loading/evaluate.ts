/** Column expressions and conditions of loading jobs over one row (docs/reference/gsql/loading.md). */
import type { Clock } from '#kernel/clock.ts'
import type {
  ConditionSyntax,
  OperandSyntax,
  ValueSyntax,
} from '#query/syntax/script/ast-script.ts'
import { checkSearch, LineBudget, splitText } from './line-limits.ts'
import { JsonRow, jsonText, type Loaded, type Row } from './row.ts'
import { findTokenFunction } from './token-functions.ts'

type Call = Extract<ValueSyntax, { kind: 'call' }>

export class Evaluator {
  readonly #clock: Clock
  /** Of the line at hand. */
  readonly budget = new LineBudget()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  value(syntax: ValueSyntax, row: Row): Loaded {
    switch (syntax.kind) {
      case 'skip':
        return null
      case 'constant':
        return syntax.text
      case 'position':
        return row.at(syntax.position)
      case 'column':
        return row.column(syntax.path)
      case 'fileName':
        return row.fileName
      case 'reduce':
        return this.value(syntax.value, row)
      case 'entry': {
        const entry = [this.text(syntax.key, row), this.text(syntax.value, row)] as const
        return { kind: 'entries', entries: [entry] }
      }
      case 'call':
        return this.#call(syntax, row)
    }
  }

  /** Lists as their items joined: what a token function or an id takes. */
  text(syntax: ValueSyntax, row: Row): string {
    const loaded = this.value(syntax, row)
    if (loaded === null || typeof loaded === 'string') return loaded ?? ''
    if (loaded.kind === 'json') return loaded.text
    if (loaded.kind !== 'list') return ''
    this.budget.spend(loaded.items.reduce((sum, { length }) => sum + length + 1, 0))
    return loaded.items.join(',')
  }

  #call({ name, arguments: given }: Call, row: Row): Loaded {
    const key = name.toLowerCase()
    if (key === 'gsql_current_time_epoch') return String(Math.floor(this.#clock.nowMs() / 1000))
    const known = findTokenFunction(name)
    if (known !== undefined) {
      const made = known(given.map((one) => this.text(one, row)))
      this.budget.spend(made.length)
      return made
    }
    switch (key) {
      case 'split':
        return this.#counted(splitValue(given.map((one) => this.text(one, row))))
      case 'gsql_split_by_space':
        return this.#counted(listOf(this.text(given[0] ?? EMPTY, row), ' '))
      case 'gsql_from_json':
        return this.#fromJson(given[0] ?? EMPTY, row)
      case 'list':
      case 'set':
        return { kind: 'list', items: given.map((one) => this.text(one, row)) }
      case 'map': {
        const parts = given.map((one) => this.value(one, row))
        const entries = parts.flatMap((part) =>
          typeof part === 'object' && part?.kind === 'entries' ? part.entries : [],
        )
        return { kind: 'entries', entries }
      }
      default:
        return { kind: 'tuple', name, fields: given.map((one) => this.text(one, row)) }
    }
  }

  #fromJson(given: ValueSyntax, row: Row): Loaded {
    if (given.kind !== 'column' || !(row instanceof JsonRow)) {
      const text = this.text(given, row)
      return text === '' ? null : { kind: 'json', text }
    }
    const value = row.json(given.path)
    if (value === null) return null
    const text = jsonText(value)
    if (text !== value) this.budget.spend(text.length)
    return { kind: 'json', text }
  }

  /** Lists take memory for each of their items, however short. */
  #counted(loaded: Loaded): Loaded {
    if (typeof loaded !== 'object' || loaded === null) return loaded
    if (loaded.kind !== 'list' && loaded.kind !== 'entries') return loaded
    const { length } = loaded.kind === 'list' ? loaded.items : loaded.entries
    this.budget.spend(length * CHARS_PER_ITEM)
    return loaded
  }

  condition(syntax: ConditionSyntax, row: Row): boolean {
    switch (syntax.kind) {
      case 'and':
        return this.condition(syntax.left, row) && this.condition(syntax.right, row)
      case 'or':
        return this.condition(syntax.left, row) || this.condition(syntax.right, row)
      case 'not':
        return !this.condition(syntax.operand, row)
      case 'compare':
        return compare(
          syntax.operator,
          this.operand(syntax.left, row),
          this.operand(syntax.right, row),
        )
      case 'between': {
        const value = this.operand(syntax.operand, row)
        return (
          compare('>=', value, this.operand(syntax.low, row)) &&
          compare('<=', value, this.operand(syntax.high, row))
        )
      }
      case 'in': {
        const value = this.operand(syntax.operand, row)
        return syntax.values.some((one) => compare('==', value, this.operand(one, row)))
      }
      case 'is': {
        const text = String(this.operand(syntax.operand, row))
        return syntax.what === 'EMPTY' ? text === '' : NUMBER.test(text)
      }
      case 'test':
        return String(this.operand(syntax.operand, row)) === 'true'
    }
  }

  operand(syntax: OperandSyntax, row: Row): string | number {
    switch (syntax.kind) {
      case 'number':
        return syntax.value
      case 'token': {
        const text = this.text(syntax.value, row)
        const isNumber =
          syntax.value.kind === 'call' && NUMERIC.has(syntax.value.name.toLowerCase())
        return isNumber ? Number(text) : text
      }
      case 'arithmetic':
        return calculate(
          syntax.operator,
          Number(this.operand(syntax.left, row)),
          Number(this.operand(syntax.right, row)),
        )
    }
  }
}

/** Each character can be matched in one place only: the time is linear. */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/

/** What an item of a list counts as. */
const CHARS_PER_ITEM = 16

const EMPTY: ValueSyntax = { kind: 'constant', text: '' }

/** Functions whose results are numbers in a condition. */
const NUMERIC = new Set([
  'to_int',
  'to_float',
  'token_len',
  'gsql_length',
  'gsql_find',
  'gsql_to_int',
  'gsql_to_uint',
  'instr',
  'ascii',
])

function listOf(text: string, separator: string): Loaded {
  return { kind: 'list', items: splitText(text, separator) }
}

/** `SPLIT(col, sep)` for a list or set, `SPLIT(col, kvSep, elemSep)` for a map. */
function splitValue([text = '', first = ',', second]: readonly string[]): Loaded {
  if (second === undefined) return text === '' ? { kind: 'list', items: [] } : listOf(text, first)
  checkSearch(text, first)
  const parts = text === '' ? [] : splitText(text, second)
  const entries = parts.map((part): [string, string] => {
    const at = part.indexOf(first)
    return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + first.length)]
  })
  return { kind: 'entries', entries }
}

/** As numbers when one side is one; else as texts. */
function compare(
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=',
  left: string | number,
  right: string | number,
): boolean {
  const isNumeric = typeof left === 'number' || typeof right === 'number'
  const one = isNumeric ? numberOf(left) : left
  const other = isNumeric ? numberOf(right) : right
  switch (operator) {
    case '==':
      return one === other
    case '!=':
      return one !== other
    case '<':
      return one < other
    case '<=':
      return one <= other
    case '>':
      return one > other
    case '>=':
      return one >= other
  }
}

function numberOf(value: string | number): number {
  if (typeof value === 'number') return value
  return value.trim() === '' ? Number.NaN : Number(value)
}

function calculate(operator: '+' | '-' | '*' | '/' | '^', left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '^':
      return left ** right
  }
}
