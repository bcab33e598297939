/** Statement lists of both levels, and the statements that are no construct of their own. */
import { accumNames, type Expression } from '../ast.ts'
import type { TypeRefSyntax } from '../ast-pattern.ts'
import type { AccumItemSyntax, Statement } from '../ast-statement.ts'
import { type BlockLevel, type Cursor, SyntaxFailure } from '../cursor.ts'
import { suggest } from '../suggest.ts'
import type { Token } from '../token.ts'
import { isUserName } from '../words.ts'
import { parseCaseStatement, parseForeach, parseIf, parseTry, parseWhile } from './parse-control.ts'
import {
  parseDelete,
  parseInsert,
  parseLog,
  parsePrint,
  parseUpdate,
  parseVirtualEdge,
} from './parse-data.ts'
import { parseTypeRef } from './parse-pattern.ts'
import { parsePostfix } from './parse-primary.ts'
import { atVertexSelect, parseSelect, parseSqlSelect } from './parse-select.ts'
import { tableRuleAt } from './parse-tables.ts'
import { accumNameAt, atTypeStart, parseIdentifier, parseType } from './parse-type.ts'

/** Failures reported for one text; more are noise. */
const FAILURES_MAX = 20

export function parseBlock(cursor: Cursor, level: BlockLevel): readonly Statement[] {
  return level === 'body' ? parseBody(cursor) : parseDmlList(cursor)
}

/** `;` between statements; a missing last one is tolerated, so are empty statements. */
function parseBody(cursor: Cursor): Statement[] {
  const statements: Statement[] = []
  while (!atBlockEnd(cursor)) {
    if (cursor.acceptSymbol(';')) continue
    const statement = parseRecovering(cursor)
    if (statement !== null) statements.push(statement)
  }
  return statements
}

function atBlockEnd(cursor: Cursor): boolean {
  if (cursor.atWord('EXCEPTION')) return cursor.atWord('WHEN', 1)
  const word = cursor.atWord('END') || cursor.atWord('ELSE') || cursor.atWord('WHEN')
  return word || cursor.atSymbol('}') || cursor.atKind('end')
}

function parseRecovering(cursor: Cursor): Statement | null {
  const from = cursor.index
  try {
    const statement = parseStatement(cursor, 'body')
    if (!atBlockEnd(cursor)) cursor.expectSemicolon()
    return statement
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure) || cursor.failures === null) throw failure
    if (cursor.failures.length >= FAILURES_MAX) throw failure
    cursor.failures.push(failure)
    skipStatement(cursor, from)
    const skipped = cursor.tokensBetween(from, cursor.index)
    for (const name of namesDeclaredBy(skipped)) cursor.lostNames.add(name)
    return null
  }
}

/** By what it looks like: `S = …`, `Type a, @@b`, `… INTO T`. */
function namesDeclaredBy(tokens: readonly Token[]): string[] {
  const [first, second] = tokens
  const behindInto = tokens.flatMap((token, at) =>
    tokens[at - 1]?.upper === 'INTO' && token.kind === 'name' ? [token.text] : [],
  )
  if (first?.kind !== 'name' || second === undefined) return behindInto
  if (second.text === '=') return [...behindInto, first.text]
  const isDeclaration = second.text === '<' || second.kind !== 'symbol'
  return isDeclaration ? [...behindInto, ...tokens.slice(1).flatMap(declaredName)] : behindInto
}

function declaredName({ kind, text }: Token): string[] {
  if (kind === 'globalAccum') return [`@@${text}`]
  if (kind === 'vertexAccum') return [`@${text}`]
  return kind === 'name' ? [text] : []
}

/**
 * To behind the `;` that ends the statement begun at token `from`: a construct whose head failed
 * takes its END along. Stops before the brace that closes the query.
 */
function skipStatement(cursor: Cursor, from: number): void {
  const failed = cursor.index
  cursor.rewind(from)
  for (let depth = 0; !cursor.atKind('end') && !cursor.atSymbol('}'); ) {
    depth += depthChange(cursor)
    if (depth < 0) break
    const { text } = cursor.advance()
    if (text === ';' && depth === 0 && cursor.index > failed) break
  }
  if (cursor.index === from) cursor.advance()
}

function depthChange(cursor: Cursor): number {
  const { kind, upper } = cursor.token
  if (kind !== 'name') return 0
  if (upper === 'END') return -1
  if (upper === 'IF') return cursor.peek(-1).upper === 'ELSE' ? 0 : 1
  return ['CASE', 'WHILE', 'FOREACH', 'TRY'].includes(upper) ? 1 : 0
}

/** `,` between statements; a trailing one is tolerated, and empty lists before END. */
function parseDmlList(cursor: Cursor): Statement[] {
  const statements: Statement[] = []
  while (!atDmlEnd(cursor)) {
    statements.push(parseStatement(cursor, 'dml'))
    if (!cursor.acceptSymbol(',')) break
  }
  return statements
}

const DML_END_WORDS = ['POST-ACCUM', 'HAVING', 'ORDER', 'LIMIT', 'WHERE', 'ACCUM', 'TO_CSV']

function atDmlEnd(cursor: Cursor): boolean {
  if (atBlockEnd(cursor) || cursor.atSymbol(';')) return true
  return DML_END_WORDS.includes(cursor.token.upper) && cursor.token.kind === 'name'
}

type StatementRule = (cursor: Cursor, level: BlockLevel) => Statement

const WORD_RULES = new Map<string, StatementRule>([
  ['BREAK', parseJump],
  ['CASE', parseCaseStatement],
  ['CONTINUE', parseJump],
  ['CREATE', parseVirtualEdge],
  ['DELETE', parseDelete],
  ['EXCEPTION', parseException],
  ['FILE', parseFile],
  ['FOREACH', parseForeach],
  ['IF', parseIf],
  ['INSERT', parseInsert],
  ['LOG', parseLog],
  ['PRINT', parsePrint],
  ['RAISE', parseRaise],
  ['RETURN', parseReturn],
  ['SELECT', parseSelectStatement],
  ['TRY', parseTry],
  ['TYPEDEF', parseTypedef],
  ['UPDATE', parseUpdate],
  ['WHILE', parseWhile],
])

/** Words that begin a statement. */
export const statementWords: readonly string[] = [...WORD_RULES.keys(), ...accumNames]

const BODY_ONLY = new Set([
  'CREATE',
  'EXCEPTION',
  'FILE',
  'PRINT',
  'RAISE',
  'SELECT',
  'TRY',
  'UPDATE',
])

export function parseStatement(cursor: Cursor, level: BlockLevel): Statement {
  cursor.mayHaveBegun([])
  const rule = (level === 'body' ? tableRuleAt(cursor) : null) ?? ruleAt(cursor)
  if (rule === null) return parsePlainStatement(cursor, level)
  if (level === 'dml' && BODY_ONLY.has(cursor.token.upper)) {
    cursor.fail(`${cursor.token.upper} is not allowed inside ACCUM or POST-ACCUM`)
  }
  return rule(cursor, level)
}

/** A word is a name after all when something is assigned to it or read from it. */
function ruleAt(cursor: Cursor): StatementRule | null {
  const { kind, upper } = cursor.token
  const rule = kind === 'name' ? WORD_RULES.get(upper) : undefined
  const next = cursor.peek(1)
  const assigned = next.kind === 'symbol' && ['=', '+=', '.', '['].includes(next.text)
  // `PRINT [1, 2]`: a word that is never a name is not one in front of a list either.
  const named = assigned && isUserName(cursor.token)
  return rule === undefined || named || atAnnotation(cursor) ? null : rule
}

function parsePlainStatement(cursor: Cursor, level: BlockLevel): Statement {
  refuseForeign(cursor)
  if (atTypeStart(cursor)) {
    // `PRNT S.size()` reads as a declaration of S until the point.
    if (isUserName(cursor.token)) cursor.mayHaveBegun(statementWords)
    return parseDeclaration(cursor, level)
  }
  const { start } = cursor.token
  const annotation = atAnnotation(cursor)
  cursor.mayBegin(statementWords)
  const target = annotation ? parseAnnotated(cursor) : parsePostfix(cursor)
  const types = annotation ? parseAnnotation(cursor) : null
  const operator = (['=', '+='] as const).find((symbol) => cursor.acceptSymbol(symbol))
  if (operator !== undefined) {
    // Only a set of vertices can be assigned: what follows SELECT is held against that.
    const isSelect = cursor.atWord('SELECT') && !cursor.atSymbol('.', 1)
    const value = isSelect ? parseSelect(cursor) : cursor.expression()
    const range = cursor.rangeFrom(start)
    return { kind: 'assign', target, operator, value, annotation: types, range }
  }
  if (target.kind !== 'call') cursor.fail()
  return { kind: 'callStatement', call: target, range: cursor.rangeFrom(start) }
}

/** Clauses of openCypher, and accumulators that do not exist: half of either reads as something else. */
function refuseForeign(cursor: Cursor): void {
  const { kind, text, upper } = cursor.token
  if (kind !== 'name') return
  if (beginsCypher(cursor)) {
    cursor.fail(`${upper} is openCypher: it needs a query of its own, CREATE OPENCYPHER QUERY`)
  }
  if (/accum$/i.test(text) && cursor.peek(1).text === '<' && accumNameAt(cursor) === null) {
    cursor.fail(`no accumulator type "${text}"${suggest(text, accumNames)}`)
  }
}

/** `MATCH (…)-`, `MATCH (…) RETURN`, `OPTIONAL MATCH (`: no calls of queries with such names. */
function beginsCypher(cursor: Cursor): boolean {
  const next = cursor.peek(1)
  switch (cursor.token.upper) {
    case 'MATCH':
    case 'MERGE': {
      if (next.text !== '(') return false
      const behind = cursor.peek(closingParenthesis(cursor, 1) + 1)
      return behind.kind === 'name' || behind.text === '-' || behind.text === '<'
    }
    case 'OPTIONAL':
      return next.upper === 'MATCH' && cursor.peek(2).text === '('
    default:
      return false
  }
}

/** Of the one at `ahead`; the last token where it is not closed. */
function closingParenthesis(cursor: Cursor, ahead: number): number {
  let at = ahead
  for (let depth = 0; cursor.peek(at).kind !== 'end'; at++) {
    if (cursor.peek(at).text === '(') depth += 1
    if (cursor.peek(at).text === ')') depth -= 1
    if (depth === 0) return at
  }
  return at
}

/** `S (T1|T2) = …`: a name, types in parentheses, and `=`. */
function atAnnotation(cursor: Cursor): boolean {
  if (!isUserName(cursor.token) || !cursor.atSymbol('(', 1)) return false
  let ahead = 2
  while (cursor.atKind('name', ahead) && cursor.atSymbol('|', ahead + 1)) ahead += 2
  return (
    cursor.atKind('name', ahead) &&
    cursor.atSymbol(')', ahead + 1) &&
    cursor.atSymbol('=', ahead + 2)
  )
}

function parseAnnotated(cursor: Cursor): Expression {
  const { name, range } = parseIdentifier(cursor)
  return { kind: 'name', name, range }
}

function parseAnnotation(cursor: Cursor): TypeRefSyntax[] {
  cursor.expectSymbol('(')
  const types = [parseTypeRef(cursor)]
  while (cursor.acceptSymbol('|')) types.push(parseTypeRef(cursor))
  cursor.expectSymbol(')')
  return types
}

/** Accumulators and variables; at DML level a comma ends the declaration. */
function parseDeclaration(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.token
  const type = parseType(cursor)
  const onEdges = cursor.atWord('EDGE') && cursor.atKind('vertexAccum', 1)
  if (onEdges) cursor.advance()
  const accum = cursor.atKind('vertexAccum') || cursor.atKind('globalAccum')
  if (accum && (type.kind === 'accumType' || type.kind === 'namedType')) {
    const items = [parseAccumItem(cursor)]
    while (cursor.acceptSymbol(',')) items.push(parseAccumItem(cursor))
    return { kind: 'accumDeclaration', type, onEdges, items, range: cursor.rangeFrom(start) }
  }
  const items = [parseVariableItem(cursor)]
  while (level === 'body' && cursor.acceptSymbol(',')) items.push(parseVariableItem(cursor))
  return { kind: 'variableDeclaration', type, items, range: cursor.rangeFrom(start) }
}

function parseAccumItem(cursor: Cursor): AccumItemSyntax {
  const global = cursor.atKind('globalAccum')
  const token = global ? cursor.advance() : cursor.expectKind('vertexAccum')
  const name = { name: token.text, range: { start: token.start, end: token.end } }
  const dimensions: (Expression | null)[] = []
  while (cursor.acceptSymbol('[')) {
    dimensions.push(cursor.atSymbol(']') ? null : cursor.expression())
    cursor.expectSymbol(']')
  }
  const initial = cursor.acceptSymbol('=') ? cursor.expression() : null
  return { name, global, dimensions, initial }
}

function parseVariableItem(cursor: Cursor) {
  const { kind, text } = cursor.token
  const isNamed = ['=', ',', ';'].some((symbol) => cursor.atSymbol(symbol, 1))
  if (kind === 'name' && isNamed && !isUserName(cursor.token)) {
    cursor.fail(`"${text}" is a reserved word: it cannot be the name of a variable`)
  }
  const name = parseIdentifier(cursor)
  const initial = cursor.acceptSymbol('=') ? cursor.expression() : null
  return { name, initial }
}

function parseJump(cursor: Cursor): Statement {
  const { start, end, upper } = cursor.advance()
  return { kind: upper === 'BREAK' ? 'break' : 'continue', range: { start, end } }
}

function parseSelectStatement(cursor: Cursor): Statement {
  return atVertexSelect(cursor) ? parseSelect(cursor) : parseSqlSelect(cursor)
}

function parseTypedef(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('TYPEDEF')
  const type = parseType(cursor)
  const name = parseIdentifier(cursor)
  return { kind: 'typedef', type, name, range: cursor.rangeFrom(start) }
}

function parseException(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('EXCEPTION')
  const name = parseIdentifier(cursor)
  cursor.expectSymbol('(')
  const code = cursor.expectKind('int').text
  cursor.expectSymbol(')')
  return { kind: 'exceptionDeclaration', name, code, range: cursor.rangeFrom(start) }
}

function parseFile(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('FILE')
  const files: Extract<Statement, { kind: 'fileDeclaration' }>['files'][number][] = []
  do {
    const name = parseIdentifier(cursor)
    cursor.expectSymbol('(')
    files.push({ name, path: cursor.expression() })
    cursor.expectSymbol(')')
  } while (cursor.acceptSymbol(','))
  return { kind: 'fileDeclaration', files, range: cursor.rangeFrom(start) }
}

function parseReturn(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('RETURN')
  const bare = atBlockEnd(cursor) || cursor.atSymbol(';') || cursor.atSymbol(',')
  const value = bare ? null : cursor.expression()
  return { kind: 'return', value, range: cursor.rangeFrom(start) }
}

function parseRaise(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('RAISE')
  const name = parseIdentifier(cursor)
  let message: Expression | null = null
  if (cursor.acceptSymbol('(')) {
    message = cursor.expression()
    cursor.expectSymbol(')')
  }
  return { kind: 'raise', name, message, range: cursor.rangeFrom(start) }
}
