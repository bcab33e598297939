/** Conditions of the path calls: `age > 18 and (name != "Bob" or active = true)`. */

import type { IdsView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import type { ReadableType } from '../read/attributes.ts'
import {
  bindFilter,
  type FilterOperator,
  type FilterTerm,
  predicateOf,
  type RowPredicate,
} from '../read/filter.ts'

const TEXT_SIZE_CHARS_MAX = 2_560
const tokenPattern =
  /\s*(?:([()])|(and|or)\b|([A-Za-z_]\w*)\s*(>=|<=|!=|==|=|>|<)\s*(?:"((?:[^"\\]|\\.)*)"|([^\s()",]+)))/iy

type Token =
  | { readonly kind: 'symbol'; readonly text: string }
  | { readonly kind: 'term'; readonly term: FilterTerm }

/** @throws DbError INVALID_PARAMETER, ATTRIBUTE_NOT_FOUND. @returns null: every row passes */
export function conditionOf(
  text: string | undefined,
  type: ReadableType,
  ids: IdsView | null,
): RowPredicate | null {
  if (text === undefined || text.trim() === '') return null
  if (text.length > TEXT_SIZE_CHARS_MAX) throw malformed(text, TEXT_SIZE_CHARS_MAX)
  return new ConditionParser(text, type, ids).parse()
}

class ConditionParser {
  readonly #text: string
  readonly #type: ReadableType
  readonly #ids: IdsView | null
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(text: string, type: ReadableType, ids: IdsView | null) {
    this.#text = text
    this.#type = type
    this.#ids = ids
    this.#tokens = tokensOf(text)
  }

  parse(): RowPredicate {
    const predicate = this.#either()
    if (this.#at < this.#tokens.length) throw malformed(this.#text, this.#at)
    return predicate
  }

  #either(): RowPredicate {
    const parts = [this.#both()]
    while (this.#accept('or')) parts.push(this.#both())
    return parts.length === 1 ? parts[0]! : (row) => parts.some((part) => part(row))
  }

  #both(): RowPredicate {
    const parts = [this.#one()]
    while (this.#accept('and')) parts.push(this.#one())
    return parts.length === 1 ? parts[0]! : (row) => parts.every((part) => part(row))
  }

  #one(): RowPredicate {
    if (this.#accept('(')) {
      const inner = this.#either()
      if (!this.#accept(')')) throw malformed(this.#text, this.#at)
      return inner
    }
    const token = this.#tokens[this.#at++]
    if (token?.kind !== 'term') throw malformed(this.#text, this.#at)
    const test = predicateOf(bindFilter([token.term], this.#type), this.#ids)
    return test ?? (() => true)
  }

  #accept(text: string): boolean {
    const token = this.#tokens[this.#at]
    const found = token?.kind === 'symbol' && token.text === text
    if (found) this.#at++
    return found
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern)
  const end = text.trimEnd().length
  let at = 0
  while (at < end) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) throw malformed(text, at)
    const [whole, symbol, word, name = '', operator = '', quoted, bare = ''] = match
    at += whole.length
    const plain = symbol ?? word?.toLowerCase()
    if (plain !== undefined) tokens.push({ kind: 'symbol', text: plain })
    else {
      const literal = quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')
      const sign = (operator === '==' ? '=' : operator) as FilterOperator
      const term = { name, operator: sign, literal, isQuoted: quoted !== undefined }
      tokens.push({ kind: 'term', term })
    }
  }
  return tokens
}

function malformed(text: string, at: number): DbError {
  return new DbError('INVALID_PARAMETER', `The condition '${text}' is malformed near ${at + 1}.`)
}
