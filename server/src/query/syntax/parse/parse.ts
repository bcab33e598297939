/**
 * Text to syntax tree: the door to this folder.
 *
 * First a strict reading that stops at the first failure, repeated with other readings of the
 * `ELSE IF`s it met (docs/reference/gsql/statements.md#control-flow) until one parses. When none does, the first reading is
 * parsed once more with recovery at statement ends, so that several problems are reported.
 */
import type { Expression } from '../ast.ts'
import type { QuerySyntax, ScriptSyntax } from '../ast-statement.ts'
import { Cursor, type ElseIfReadings, type GrammarRules, SyntaxFailure } from '../cursor.ts'
import { lex } from '../lexer.ts'
import type { SourceRange } from '../source.ts'
import type { Token } from '../token.ts'
import { atAdHoc, parseAdHoc } from './parse-ad-hoc.ts'
import { parseExpression } from './parse-expression.ts'
import { parseQuery } from './parse-query.ts'
import { parseBlock } from './parse-statement.ts'

export interface SyntaxProblem {
  readonly message: string
  readonly range: SourceRange
}

export interface ParseResult {
  /** Queries that could be read; incomplete where `problems` says so. */
  readonly script: ScriptSyntax
  readonly tokens: readonly Token[]
  readonly problems: readonly SyntaxProblem[]
  /** What statements would have declared that could not be read. */
  readonly lostNames: ReadonlySet<string>
}

const noNames: ReadonlySet<string> = new Set()

/** Readings of ambiguous `ELSE IF`s tried for one text, and tokens read for all of them. */
const READINGS_MAX = 256
const TOKENS_READ_MAX = 400_000

const rules: GrammarRules = { expression: parseExpression, block: parseBlock }

export function parse(text: string): ParseResult {
  const { tokens, problems } = lex(text)
  const lexical = problems.map(({ message, start, end }) => ({ message, range: { start, end } }))
  const script = parseStrictly(text, tokens)
  if (script !== null) return { script, tokens, problems: lexical, lostNames: noNames }
  const cursor = new Cursor(text, tokens, { rules, elseIf: new Map(), recover: true })
  const recovered = parseScript(cursor)
  const failures = cursor.failures ?? []
  const syntactic = firstOfEachPlace(failures).map(({ message, range }) => ({ message, range }))
  const { lostNames } = cursor
  return { script: recovered, tokens, problems: [...lexical, ...syntactic], lostNames }
}

/** Where one rule has failed, the one around it fails of the same. */
function firstOfEachPlace(failures: readonly SyntaxFailure[]): SyntaxFailure[] {
  const isAt = (start: number) => (failure: SyntaxFailure) => failure.range.start === start
  return failures.filter((one, index) => failures.findIndex(isAt(one.range.start)) === index)
}

/** A text that is one expression, as `evaluate` takes it; its ranges are those of `text`. */
export function parseExpressionText(text: string): Expression | SyntaxProblem {
  const { tokens, problems } = lex(text)
  const [lexical] = problems
  if (lexical !== undefined) {
    const { message, start, end } = lexical
    return { message, range: { start, end } }
  }
  const cursor = new Cursor(text, tokens, { rules, elseIf: new Map(), recover: false })
  try {
    const expression = parseExpression(cursor)
    return cursor.atKind('end') ? expression : cursor.fail()
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure
    return { message: failure.message, range: failure.range }
  }
}

function parseStrictly(text: string, tokens: readonly Token[]): ScriptSyntax | null {
  const attempts = Math.max(2, Math.min(READINGS_MAX, TOKENS_READ_MAX / tokens.length))
  let readings: ElseIfReadings | null = new Map()
  for (let attempt = 0; readings !== null && attempt < attempts; attempt++) {
    try {
      return parseScript(new Cursor(text, tokens, { rules, elseIf: readings, recover: false }))
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure)) throw failure
      readings = nextReadings(readings)
    }
  }
  return null
}

/** Flips the last chain to nested and forgets what came after it; null: all were tried. */
function nextReadings(readings: ElseIfReadings): ElseIfReadings | null {
  const tried = [...readings]
  const last = tried.findLastIndex(([, reading]) => reading === 'chain')
  if (last < 0) return null
  return new Map([...tried.slice(0, last), [tried[last]![0], 'nested'] as const])
}

/** Queries, and between them the commands of scripts that need nothing here. */
function parseScript(cursor: Cursor): ScriptSyntax {
  const queries: QuerySyntax[] = []
  while (!cursor.atKind('end')) {
    if (skipCommand(cursor)) continue
    const from = cursor.index
    try {
      cursor.atWord('CREATE')
      queries.push(atAdHoc(cursor) ? parseAdHoc(cursor) : parseQuery(cursor))
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure) || cursor.failures === null) throw failure
      cursor.failures.push(failure)
      skipToQuery(cursor, from)
    }
  }
  return { queries }
}

function skipCommand(cursor: Cursor): boolean {
  if (cursor.acceptSymbol(';')) return true
  if (cursor.atWord('USE') && cursor.atWord('GRAPH', 1)) {
    for (let count = 0; count < 3; count++) cursor.advance()
    return true
  }
  if (!cursor.atWord('INSTALL')) return false
  cursor.advance()
  skipToQuery(cursor, cursor.index)
  return true
}

function skipToQuery(cursor: Cursor, from: number): void {
  if (cursor.index === from) cursor.advance()
  while (!cursor.atKind('end') && !cursor.atWord('CREATE') && !atInterpret(cursor)) cursor.advance()
}

function atInterpret(cursor: Cursor): boolean {
  const named = cursor.atWord('QUERY', 1) || cursor.atWord('OPENCYPHER', 1)
  return cursor.atWord('INTERPRET') && named
}
