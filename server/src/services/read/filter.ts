/**
 * `filter` texts: `age>30,sector="tech"`. A comma is AND, there is no OR; the
 * attribute stands left, a literal right; strings and DATETIMEs in double quotes, with `\"` and
 * `\\` inside.
 */

import { bytesAt, integerAt, numberAt } from '#graph/columns/read.ts'
import { idText, idValue } from '#graph/ids/read.ts'
import { compareBytes } from '#graph/memory/compare.ts'
import type { ColumnView, IdsView } from '#graph/view.ts'
import { parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { compareNumbers } from '#kernel/order.ts'
import {
  checkLength,
  type ReadableAttribute,
  type ReadableType,
  requireAttribute,
} from './attributes.ts'

export type FilterOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

export interface FilterTerm {
  readonly name: string
  readonly operator: FilterOperator
  /** A quoted literal's text, or a bare one's characters. */
  readonly literal: string
  readonly isQuoted: boolean
}

/** A literal as the attribute's type wants it. DATETIME: seconds. */
export type FilterValue = number | bigint | boolean | string

export interface Condition {
  readonly attribute: ReadableAttribute
  readonly operator: FilterOperator
  readonly value: FilterValue
}

export type RowPredicate = (row: number) => boolean

const termPattern =
  /\s*([^\s=!<>,"]+)\s*(>=|<=|!=|==|=|>|<)\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(,|$)/y

/** @throws DbError INVALID_PARAMETER, naming where the text stops making sense */
export function parseFilter(text: string | undefined): readonly FilterTerm[] {
  if (text === undefined || text.trim() === '') return []
  checkLength('filter', text)
  const terms: FilterTerm[] = []
  const pattern = new RegExp(termPattern)
  let at = 0
  while (at < text.length) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) throw malformed(text, at)
    const [whole, name = '', operator = '', quoted, bare = '', comma] = match
    at += whole.length
    if (comma === ',' && at === text.length) throw malformed(text, at)
    terms.push({
      name,
      operator: (operator === '==' ? '=' : operator) as FilterOperator,
      literal: quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1'),
      isQuoted: quoted !== undefined,
    })
  }
  return terms
}

function malformed(text: string, at: number): DbError {
  return new DbError(
    'INVALID_PARAMETER',
    `The filter '${text}' is malformed at character ${at + 1}: expected attribute, operator (= != > >= < <=) and literal, texts in double quotes.`,
  )
}

/** Resolves names and literals. @throws DbError ATTRIBUTE_NOT_FOUND or INVALID_PARAMETER */
export function bindFilter(terms: readonly FilterTerm[], type: ReadableType): Condition[] {
  return terms.map((term) => {
    const attribute = requireAttribute(type, term.name)
    return { attribute, operator: term.operator, value: literalOf(term, attribute) }
  })
}

function literalOf(term: FilterTerm, attribute: ReadableAttribute): FilterValue {
  const value = convert(term, attribute.type.kind)
  if (value !== null) return value
  const shown = term.isQuoted ? JSON.stringify(term.literal) : term.literal
  const { kind } = attribute.type
  throw new DbError(
    'INVALID_PARAMETER',
    `The filter value ${shown} does not fit the attribute '${attribute.name}' of type ${kind}${quotesHint(term, kind)}.`,
  )
}

/** What may be wrong with it: most who write a text without quotes mean a text. */
function quotesHint({ isQuoted }: FilterTerm, kind: string): string {
  if (isQuoted) return /^(U?INT|FLOAT|DOUBLE|BOOL)$/.test(kind) ? ': write it without quotes' : ''
  return kind === 'STRING' || kind === 'DATETIME' ? ': write it in double quotes' : ''
}

function convert({ literal, isQuoted }: FilterTerm, kind: string): FilterValue | null {
  switch (kind) {
    case 'STRING':
      return isQuoted ? literal : null
    case 'DATETIME': {
      const seconds = isQuoted ? parseDatetime(literal) : Number.NaN
      return Number.isNaN(seconds) ? null : seconds
    }
    case 'BOOL':
      if (isQuoted || !/^(?:true|false)$/i.test(literal)) return null
      return literal.toLowerCase() === 'true'
    case 'INT':
    case 'UINT':
    case 'FLOAT':
    case 'DOUBLE':
      return isQuoted ? null : numberOf(literal, kind)
    default:
      return null
  }
}

function numberOf(literal: string, kind: string): number | bigint | null {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(literal)) return null
  const number = Number(literal)
  if (kind === 'FLOAT') return Math.fround(number)
  const isExact = Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(literal)
  return isExact || kind === 'DOUBLE' ? number : BigInt(literal)
}

/** All conditions as one test of a row; null: every row passes. */
export function predicateOf(
  conditions: readonly Condition[],
  ids: IdsView | null,
): RowPredicate | null {
  const tests = conditions.map((condition) => testOf(condition, ids))
  const [first, second] = tests
  if (first === undefined) return null
  if (second === undefined) return first
  return (row) => tests.every((test) => test(row))
}

function testOf({ attribute, operator, value }: Condition, ids: IdsView | null): RowPredicate {
  const { column } = attribute
  if (column === null) return idTest(ids!, operator, value)
  if (typeof value === 'string') return textTest(column, operator, value)
  const number = typeof value === 'boolean' ? Number(value) : value
  const is64Bit = column.storage === 'int64' || column.storage === 'uint64'
  if (typeof number === 'bigint' || is64Bit) {
    const holds = comparison(operator)
    return (row) => holds(compareNumbers(integerAt(column, row), number))
  }
  return numberTest(column, operator, number)
}

/** Comparisons of IEEE 754: only `!=` holds for NaN. */
function numberTest(column: ColumnView, operator: FilterOperator, value: number): RowPredicate {
  switch (operator) {
    case '=':
      return (row) => numberAt(column, row) === value
    case '!=':
      return (row) => numberAt(column, row) !== value
    case '>':
      return (row) => numberAt(column, row) > value
    case '>=':
      return (row) => numberAt(column, row) >= value
    case '<':
      return (row) => numberAt(column, row) < value
    case '<=':
      return (row) => numberAt(column, row) <= value
  }
}

const encoder = new TextEncoder()

function textTest(column: ColumnView, operator: FilterOperator, value: string): RowPredicate {
  const bytes = encoder.encode(value)
  const holds = comparison(operator)
  return (row) => holds(compareBytes(bytesAt(column, row), bytes))
}

function idTest(ids: IdsView, operator: FilterOperator, value: FilterValue): RowPredicate {
  const holds = comparison(operator)
  if (typeof value === 'string') {
    const bytes = encoder.encode(value)
    return (row) => holds(compareBytes(encoder.encode(idText(ids, row)), bytes))
  }
  return (row) => holds(compareNumbers(idValue(ids, row) as number | bigint, Number(value)))
}

function comparison(operator: FilterOperator): (order: number) => boolean {
  switch (operator) {
    case '=':
      return (order) => order === 0
    case '!=':
      return (order) => order !== 0
    case '>':
      return (order) => order > 0
    case '>=':
      return (order) => order >= 0
    case '<':
      return (order) => order < 0
    case '<=':
      return (order) => order <= 0
  }
}
