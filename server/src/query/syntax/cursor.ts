/**
 * The parser's place in the token list: look, accept, expect, fail with what was expected.
 *
 * `expected` collects every spelling that was asked for at the current token, so that a failure
 * can name them all. Syntax failures are thrown as `SyntaxFailure` and caught at statement ends.
 */
import type { Expression } from './ast.ts'
import type { Statement } from './ast-statement.ts'
import type { SourceRange } from './source.ts'
import { suggest } from './suggest.ts'
import type { Token, TokenKind } from './token.ts'

export class SyntaxFailure extends Error {
  readonly range: SourceRange

  constructor(message: string, range: SourceRange) {
    super(message)
    this.name = 'SyntaxFailure'
    this.range = range
  }
}

/** How the places where `ELSE IF` is ambiguous are read, by token index; see `else-if.ts`. */
export type ElseIfReadings = Map<number, 'chain' | 'nested'>

/**
 * The rules that recursion reaches across files: a type holds expressions, a CASE statements. The
 * parser hands them to the cursor once, so that the files of the grammar import downwards only.
 */
export interface GrammarRules {
  readonly expression: (cursor: Cursor) => Expression
  /** Statements of one level, up to and without the word or brace that closes them. */
  readonly block: (cursor: Cursor, level: BlockLevel) => readonly Statement[]
}

/** `body`: separated by `;`. `dml`: ACCUM lists, separated by `,`. */
export type BlockLevel = 'body' | 'dml'

export interface CursorOptions {
  readonly rules: GrammarRules
  readonly elseIf: ElseIfReadings
  /** Collect failures at statement ends and go on; else the first one ends the parse. */
  readonly recover: boolean
}

/** Deepest nesting of expressions, patterns and blocks. */
export const SYNTAX_DEPTH_MAX = 200
/** Operators of one level in a row: trees are walked by recursion. */
export const OPERATORS_IN_ROW_MAX = 1_000
/** Alternatives named in one message; the rest is left out. */
const EXPECTED_MAX = 12

export class Cursor {
  readonly text: string
  readonly elseIf: ElseIfReadings
  /** Filled when statements recover; null: the first failure ends the parse. */
  readonly failures: SyntaxFailure[] | null
  /** Names that statements which were skipped would have declared. */
  readonly lostNames = new Set<string>()
  /** Inside an openCypher body, whose expressions have a few operators more. */
  cypher = false
  /** Clauses of openCypher that no brace closes. */
  adHoc = false
  readonly #rules: GrammarRules
  readonly #tokens: readonly Token[]
  readonly #expected = new Set<string>()
  /** Words that may stand here without being listed: only to say what was meant. */
  #likely: readonly string[] = []
  /** What the name that was read last may have been meant for. */
  #wordsBefore: readonly string[] = []
  /** The first token of the statement, and what it may have been meant for. */
  #opening: { readonly token: Token; readonly words: readonly string[] } | null = null
  #index = 0
  #depth = 0

  constructor(text: string, tokens: readonly Token[], options: CursorOptions) {
    this.text = text
    this.elseIf = options.elseIf
    this.failures = options.recover ? [] : null
    this.#rules = options.rules
    this.#tokens = tokens
  }

  expression(): Expression {
    return this.#rules.expression(this)
  }

  expressionList(): Expression[] {
    const items = [this.expression()]
    while (this.acceptSymbol(',')) items.push(this.expression())
    return items
  }

  block(level: BlockLevel): readonly Statement[] {
    return this.nested(() => this.#rules.block(this, level))
  }

  get index(): number {
    return this.#index
  }

  get token(): Token {
    return this.#tokens[this.#index]!
  }

  peek(ahead: number): Token {
    const at = Math.max(0, this.#index + ahead)
    return this.#tokens[Math.min(at, this.#tokens.length - 1)]!
  }

  /** Goes back for another reading of the same tokens. */
  rewind(index: number): void {
    this.#index = index
    this.#expected.clear()
  }

  advance(): Token {
    const token = this.token
    if (token.kind !== 'end') this.#index += 1
    this.#wordsBefore = token.kind === 'name' ? this.#words() : []
    this.#likely = []
    this.#expected.clear()
    return token
  }

  /** Words that begin what may stand here, although nobody asks for each of them. */
  mayBegin(words: readonly string[]): void {
    this.#likely = words
  }

  /** Words one of which the name here may stand for, should the statement that it begins fail. */
  mayHaveBegun(words: readonly string[]): void {
    this.#opening = { token: this.token, words }
  }

  atSymbol(symbol: string, ahead = 0): boolean {
    if (ahead === 0) this.#expected.add(`'${symbol}'`)
    const token = this.peek(ahead)
    return token.kind === 'symbol' && token.text === symbol
  }

  /** Keywords are names, compared in upper case. */
  atWord(word: string, ahead = 0): boolean {
    if (ahead === 0) this.#expected.add(word)
    const token = this.peek(ahead)
    return token.kind === 'name' && token.upper === word
  }

  atKind(kind: TokenKind, ahead = 0): boolean {
    if (ahead === 0) this.#expected.add(KIND_TEXT[kind])
    return this.peek(ahead).kind === kind
  }

  acceptSymbol(symbol: string): boolean {
    const found = this.atSymbol(symbol)
    if (found) this.advance()
    return found
  }

  acceptWord(word: string): boolean {
    const found = this.atWord(word)
    if (found) this.advance()
    return found
  }

  expectSymbol(symbol: string): Token {
    return this.atSymbol(symbol) ? this.advance() : this.fail()
  }

  /** Behind a statement. */
  expectSemicolon(): Token {
    if (this.atSymbol(';')) return this.advance()
    const shown = this.text.slice(this.token.start, this.token.end)
    const missing = this.#lacksSemicolon() ? `missing ';' before '${shown}': ` : ''
    return this.fail(missing + this.#mismatch())
  }

  expectWord(word: string): Token {
    return this.atWord(word) ? this.advance() : this.fail()
  }

  expectKind(kind: TokenKind): Token {
    return this.atKind(kind) ? this.advance() : this.fail()
  }

  /** From `start` to the end of the last token read. */
  rangeFrom(start: number): SourceRange {
    const last = this.#index === 0 ? this.token.start : this.#tokens[this.#index - 1]!.end
    return { start, end: Math.max(start, last) }
  }

  /** Tokens between two indexes, the second exclusive. */
  tokensBetween(from: number, to: number): readonly Token[] {
    return this.#tokens.slice(from, to)
  }

  /** Source text between two token indexes without white space and comments. */
  compactText(from: number, to: number): string {
    const parts = this.#tokens.slice(from, to)
    return parts.map((token) => this.text.slice(token.start, token.end)).join('')
  }

  /** Runs `parse` one level deeper. @throws SyntaxFailure past SYNTAX_DEPTH_MAX. */
  nested<T>(parse: () => T): T {
    this.#depth += 1
    if (this.#depth > SYNTAX_DEPTH_MAX) this.fail(`nested deeper than ${SYNTAX_DEPTH_MAX} levels`)
    try {
      return parse()
    } finally {
      this.#depth -= 1
    }
  }

  fail(message?: string): never {
    return this.failAt(this.token, message ?? this.#mismatch())
  }

  failAt({ start, end }: SourceRange, message: string): never {
    throw new SyntaxFailure(message, { start, end })
  }

  #mismatch(): string {
    const token = this.token
    const shown = token.kind === 'end' ? '<EOF>' : this.text.slice(token.start, token.end)
    const names = this.#alternatives(token)
    const listed = names.length > EXPECTED_MAX ? [...names.slice(0, EXPECTED_MAX), '…'] : names
    const expecting = listed.length === 1 ? listed[0]! : `{${listed.join(', ')}}`
    return `mismatched input '${shown}' expecting ${expecting}${this.#meant()}`
  }

  /** A new line begins with what can only begin a statement, and the one before has not ended. */
  #lacksSemicolon(): boolean {
    const { kind, upper, start } = this.token
    const before = this.#tokens[this.#index - 1]
    const isFirst = before !== undefined && this.text.slice(before.end, start).includes('\n')
    if (!isFirst) return false
    if (kind === 'name' && BODY_OPENERS.test(upper)) return true
    // In a list it may as well be the comma.
    if (this.#expected.has("','")) return false
    const next = this.peek(1)
    const isAssigned = next.kind === 'symbol' && ['=', '+='].includes(next.text)
    return kind === 'globalAccum'
      ? isAssigned
      : kind === 'name' && (isAssigned || OPENERS.test(upper))
  }

  /**
   * Words and what separates first, operators that might go on last; not what stands here, which
   * another rule has looked for.
   */
  #alternatives({ kind, text, upper }: Token): string[] {
    const here = new Map([
      ['symbol', `'${text}'`],
      ['name', upper],
      ['end', KIND_TEXT.end],
    ]).get(kind)
    const all = [...this.#expected].filter((one) => one !== here).sort()
    return [0, 1, 2].flatMap((rank) => all.filter((one) => rankOf(one) === rank))
  }

  /** The word that the name here, the one before it, or that of the statement is nearest to. */
  #meant(): string {
    const { token } = this
    const here = nearest(token, this.#words())
    const last = this.#tokens[this.#index - 1]
    if (here !== '' || last === undefined) return here
    const before = nearest(last, this.#wordsBefore)
    if (before !== '' || this.#opening === null) return before
    return nearest(this.#opening.token, this.#opening.words)
  }

  #words(): string[] {
    return [...this.#expected, ...this.#likely].filter((word) => /^[A-Z]/.test(word))
  }
}

/** Of statements; `WHERE` and its like go on with one. Those of the first row are none of ACCUM. */
const BODY_OPENERS = /^(PRINT|RAISE|SELECT|TRY|UPDATE)$/
const OPENERS = /^(BREAK|CASE|CONTINUE|DELETE|FOREACH|IF|INSERT|LOG|RETURN|WHILE)$/

const OPERATORS =
  /^(AND|BETWEEN|IN|INTERSECT|IS|LIKE|MINUS|NOT|OR|UNION|XOR|STARTS|ENDS|CONTAINS|'[^,;:(){}\]]+')$/

function rankOf(expected: string): number {
  if (OPERATORS.test(expected)) return 2
  return /^[A-Z]/.test(expected) ? 0 : 1
}

/** Of fewer letters everything is near to everything. */
const MEANT_LETTERS_MIN = 3
const MEANT_MISTAKES_MAX = 2

function nearest({ kind, upper }: Token, words: readonly string[]): string {
  const isWord = kind === 'name' && upper.length >= MEANT_LETTERS_MIN
  // What is spelled right stands in the wrong place.
  const isSpelled = words.some((word) => word.toUpperCase() === upper)
  return isWord && !isSpelled ? suggest(upper, words, MEANT_MISTAKES_MAX) : ''
}

const KIND_TEXT: Readonly<Record<TokenKind, string>> = {
  name: 'name',
  vertexAccum: '@name',
  globalAccum: '@@name',
  int: 'integer',
  real: 'number',
  string: 'string',
  column: '$column',
  symbol: 'symbol',
  end: '<EOF>',
}
