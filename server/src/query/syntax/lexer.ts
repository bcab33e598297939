/**
 * Text to tokens. The traps of docs/reference/gsql.md#lexical-rules, and how they are met:
 *
 * - `>` and `<` stand alone (`MapAccum<INT, ListAccum<INT>>` closes two generics); the expression
 *   parser joins two adjacent ones into a shift.
 * - A dot after a number belongs to it only when a digit follows or nothing that could continue an
 *   edge pattern does: `*0..1.<E` is `*` `0` `..` `1` `.` `<` `E`.
 * - `'` directly after an accumulator is the previous-value mark (`’` too); elsewhere it opens a
 *   string, which openCypher allows.
 * - `"""` opens a text that only another one closes: quotes and backslashes in it are data.
 * - `#`, `//` and block comments vanish. POST-ACCUM is one token.
 */
import type { Token, TokenKind } from './token.ts'

export interface LexProblem {
  readonly message: string
  readonly start: number
  readonly end: number
}

export interface LexResult {
  /** Ends with one `end` token. */
  readonly tokens: readonly Token[]
  readonly problems: readonly LexProblem[]
}

const LONG_SYMBOLS = ['==', '!=', '<>', '<=', '>=', '+=', '->', '..']
const SYMBOLS = '(){}[]<>,;:.=+-*/%|&~^?!'
const SPACE = /[\s\uFEFF]+/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const POST_ACCUM = /post[-_]accum(?![A-Za-z0-9_])/iy
const ACCUM = /@@?[A-Za-z0-9_]+/y
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
/** Integers to base 16 and 8, which only openCypher has, with all that adjoins them. */
const BASED_NUMBER = /0[xXoO][A-Za-z0-9_]*/y
const IS_BASED = /^0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+)$/
const TRAILING_DOT = /\.(?:[eE][+-]?\d+)?(?![A-Za-z_<(@.])/y
const COLUMN = /\$(?:[A-Za-z0-9_.]+|"(?:[^"\\]|\\.)*"(?::"(?:[^"\\]|\\.)*")*)/y
const DIGITS = /\d+/y
const RAW_STRING = /"""[\s\S]*?"""/y

export function lex(text: string): LexResult {
  return new Lexer(text).run()
}

/** The tokens up to and without the first that `isLast` accepts; all of them if it accepts none. */
export function lexUntil(text: string, isLast: (token: Token) => boolean): readonly Token[] {
  return new Lexer(text).runUntil(isLast)
}

class Lexer {
  readonly #text: string
  readonly #tokens: Token[] = []
  readonly #problems: LexProblem[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): LexResult {
    while (this.#at < this.#text.length) {
      if (!this.#skipTrivia()) this.#readToken()
    }
    this.#push('end', '', this.#at)
    return { tokens: this.#tokens, problems: this.#problems }
  }

  runUntil(isLast: (token: Token) => boolean): readonly Token[] {
    while (this.#at < this.#text.length) {
      if (this.#skipTrivia()) continue
      this.#readToken()
      const last = this.#tokens.at(-1)
      if (last !== undefined && isLast(last)) return this.#tokens.slice(0, -1)
    }
    return this.#tokens
  }

  #push(kind: TokenKind, text: string, start: number, badEscape?: string): void {
    const upper = kind === 'name' ? text.toUpperCase() : text
    const token: Token = { kind, text, upper, start, end: this.#at }
    this.#tokens.push(badEscape === undefined ? token : { ...token, badEscape })
  }

  /** Moves over what `pattern` matches here and returns it; empty string: no match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #skipTrivia(): boolean {
    if (this.#take(SPACE) !== '') return true
    const text = this.#text
    if (text[this.#at] === '#' || text.startsWith('//', this.#at)) {
      const end = text.indexOf('\n', this.#at)
      this.#at = end < 0 ? text.length : end
      return true
    }
    if (!text.startsWith('/*', this.#at)) return false
    const end = text.indexOf('*/', this.#at + 2)
    if (end < 0) this.#problem('unterminated comment', this.#at, this.#at + 2)
    this.#at = end < 0 ? text.length : end + 2
    return true
  }

  #readToken(): void {
    const start = this.#at
    const first = this.#text[start]!
    if (first === '"') {
      if (!this.#readRawString(start)) this.#readString('"')
    } else if (first === "'" || first === '’') this.#readQuote(start)
    else if (first === '@') this.#readAccum(start)
    else if (first === '$') this.#readColumn(start)
    else if (!this.#readNumber(start) && !this.#readName(start)) this.#readSymbol(start)
  }

  #readName(start: number): boolean {
    if (this.#take(POST_ACCUM) !== '') {
      this.#push('name', 'POST-ACCUM', start)
      return true
    }
    const name = this.#take(NAME)
    if (name !== '') this.#push('name', name, start)
    return name !== ''
  }

  #readNumber(start: number): boolean {
    if (this.#tokens.at(-1)?.text === '..') return this.#readBound(start)
    const based = this.#take(BASED_NUMBER)
    if (based !== '') {
      if (!IS_BASED.test(based)) this.#problem(`invalid number '${based}'`, start, this.#at)
      this.#push('int', IS_BASED.test(based) ? based : '0', start)
      return true
    }
    const number = this.#take(NUMBER)
    if (number === '') return false
    const whole = !/[.eE]/.test(number)
    if (whole) this.#take(TRAILING_DOT)
    const text = this.#text.slice(start, this.#at)
    this.#push(text === number && whole ? 'int' : 'real', text, start)
    return true
  }

  /** After `..` only digits: the dot of `*0..1.<E` concatenates. */
  #readBound(start: number): boolean {
    const digits = this.#take(DIGITS)
    if (digits !== '') this.#push('int', digits, start)
    return digits !== ''
  }

  #readAccum(start: number): void {
    const name = this.#take(ACCUM)
    if (name === '') this.#unknown('@', start)
    else if (name.startsWith('@@')) this.#push('globalAccum', name.slice(2), start)
    else this.#push('vertexAccum', name.slice(1), start)
  }

  #readColumn(start: number): void {
    const column = this.#take(COLUMN)
    const isEnd = column === '' && this.#tokens.at(-1)?.text === ','
    if (isEnd) this.#at = start + 1
    // `-n 5,$`: the last line.
    if (isEnd) this.#push('symbol', '$', start)
    else if (column === '') this.#unknown('$', start)
    else this.#push('column', column, start)
  }

  #readQuote(start: number): void {
    const previous = this.#tokens.at(-1)
    const afterAccum = previous?.kind === 'vertexAccum' || previous?.kind === 'globalAccum'
    if (afterAccum && previous.end === start) {
      this.#at = start + 1
      this.#push('symbol', "'", start)
    } else this.#readString(this.#text[start]!)
  }

  #readRawString(start: number): boolean {
    const text = this.#take(RAW_STRING)
    if (text !== '') this.#push('string', text.slice(3, -3), start)
    return text !== ''
  }

  #readString(quote: string): void {
    const start = this.#at
    let content = ''
    let badEscape: string | undefined
    for (let at = start + 1; at < this.#text.length; at++) {
      const unit = this.#text[at]!
      if (unit === quote) {
        this.#at = at + 1
        this.#push('string', content.toWellFormed(), start, badEscape)
        return
      }
      if (unit !== '\\') {
        content += unit
        continue
      }
      at += 1
      const digits = characterCodeAt(this.#text, at)
      if (digits === '') {
        const escaped = this.#text[at] ?? ''
        if (escaped === 'u' || escaped === 'U') badEscape ??= BAD_CHARACTER_CODE
        content += unescapeUnit(escaped)
      } else {
        content += characterOf(digits)
        at += digits.length
      }
    }
    this.#at = this.#text.length
    this.#problem('unterminated string', start, start + 1)
    this.#push('string', content, start)
  }

  #readSymbol(start: number): void {
    const two = this.#text.slice(start, start + 2)
    const one = String.fromCodePoint(this.#text.codePointAt(start)!)
    const symbol = LONG_SYMBOLS.includes(two) ? two : one
    if (symbol === one && !SYMBOLS.includes(one)) this.#unknown(one, start)
    else {
      this.#at = start + symbol.length
      this.#push('symbol', symbol, start)
    }
  }

  #unknown(unit: string, start: number): void {
    this.#at = start + unit.length
    this.#problem(`token recognition error at: '${unit}'`, start, this.#at)
  }

  #problem(message: string, start: number, end: number): void {
    this.#problems.push({ message, start, end })
  }
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['0', '\0'],
])

const CHARACTER_CODE = /u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})/y
const BAD_CHARACTER_CODE = '\\u takes four hexadecimal digits, \\U eight, of a Unicode character'
const CODE_POINT_MAX = 0x10ffff

/** The digits behind the `u` or `U` at `at`; empty: it is no code of a character. */
function characterCodeAt(text: string, at: number): string {
  CHARACTER_CODE.lastIndex = at
  const found = CHARACTER_CODE.exec(text)
  const digits = found?.[1] ?? found?.[2] ?? ''
  return Number.parseInt(digits, 16) > CODE_POINT_MAX ? '' : digits
}

/** Four digits are a unit of UTF-16: two in a row may be halves of one character. */
function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16)
  return digits.length === 4 ? String.fromCharCode(code) : String.fromCodePoint(code)
}

/** `\"`, `\\` and C's letters; an unknown escape keeps its backslash (LIKE patterns use `\\]`). */
function unescapeUnit(unit: string): string {
  if (unit === '"' || unit === "'" || unit === '\\') return unit
  return ESCAPES.get(unit) ?? `\\${unit}`
}
