/** What an expression is made of: literals, names, calls, members, brackets, CASE. */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type { Cursor } from '../cursor.ts'
import { refuseAbsentOperand, refuseProjection, refuseSlice } from '../cypher/absent.ts'
import { parseLabelTest } from '../cypher/parse-operators.ts'
import { isUserName } from '../words.ts'
import { parseIdentifier, parseType } from './parse-type.ts'

export function parsePostfix(cursor: Cursor): Expression {
  let of = parsePrimary(cursor)
  for (;;) {
    const next = parsePostfixPart(cursor, of)
    if (next === null) return of
    of = next
  }
}

function parsePostfixPart(cursor: Cursor, of: Expression): Expression | null {
  if (cursor.acceptSymbol('.')) return parseMember(cursor, of)
  if (cursor.atSymbol('[')) return parseBracket(cursor, of)
  if (cursor.cypher && of.kind === 'name') refuseProjection(cursor)
  return parseLabelTest(cursor, of)
}

function parseMember(cursor: Cursor, of: Expression): Expression {
  const { start } = of.range
  if (cursor.atKind('vertexAccum')) {
    const token = cursor.advance()
    const name = { name: token.text, range: { start: token.start, end: token.end } }
    const previous = cursor.acceptSymbol("'")
    return { kind: 'vertexAccum', of, name, previous, range: cursor.rangeFrom(start) }
  }
  if (cursor.atSymbol('*') && of.kind === 'name') {
    cursor.advance()
    const name = { name: of.name, range: of.range }
    return { kind: 'allOf', name, range: cursor.rangeFrom(start) }
  }
  cursor.atKind('name')
  if (cursor.token.kind !== 'name') cursor.fail()
  const token = cursor.advance()
  const name = { name: token.text, range: { start: token.start, end: token.end } }
  if (cursor.atSymbol('(')) return parseCall(cursor, of, name)
  return { kind: 'member', of, name, range: cursor.rangeFrom(start) }
}

function parseBracket(cursor: Cursor, of: Expression): Expression {
  cursor.expectSymbol('[')
  const items: NamedExpression[] = []
  if (cursor.cypher) refuseSlice(cursor)
  do items.push(parseNamed(cursor))
  while (cursor.acceptSymbol(','))
  if (cursor.cypher) refuseSlice(cursor)
  cursor.expectSymbol(']')
  return { kind: 'bracket', of, items, range: cursor.rangeFrom(of.range.start) }
}

/** `expr [AS name]` with its source text. */
export function parseNamed(cursor: Cursor): NamedExpression {
  const from = cursor.index
  const value = cursor.expression()
  const text = cursor.compactText(from, cursor.index)
  const as = cursor.acceptWord('AS') ? parseIdentifier(cursor) : null
  return { value, as, text }
}

const BASED_IN_GSQL = 'hexadecimal and octal integers exist in openCypher only'

function parsePrimary(cursor: Cursor): Expression {
  if (cursor.cypher) refuseAbsentOperand(cursor)
  const { kind, text, start, end, badEscape } = cursor.token
  const range = { start, end }
  switch (kind) {
    case 'int':
    case 'real':
      if (/^0[xo]/i.test(text) && !cursor.cypher) cursor.fail(BASED_IN_GSQL)
      cursor.advance()
      return { kind, text, range }
    case 'string':
      if (cursor.cypher && badEscape !== undefined) cursor.fail(badEscape)
      cursor.advance()
      return { kind: 'string', value: text, range }
    case 'column':
      cursor.advance()
      return { kind: 'column', text, range }
    case 'vertexAccum':
      cursor.advance()
      return { kind: 'vertexAccumName', name: text, range }
    case 'globalAccum': {
      cursor.advance()
      const previous = cursor.acceptSymbol("'")
      return { kind: 'globalAccum', name: text, previous, range: cursor.rangeFrom(start) }
    }
    case 'name':
      return parseNamePrimary(cursor)
    case 'symbol':
    case 'end':
      return parseEnclosed(cursor)
  }
}

function parseNamePrimary(cursor: Cursor): Expression {
  const { upper, start, end } = cursor.token
  const range = { start, end }
  if (upper === 'CASE') return parseCase(cursor)
  if (upper === 'TRUE' || upper === 'FALSE') {
    cursor.advance()
    return { kind: 'bool', value: upper === 'TRUE', range }
  }
  if (upper === 'NULL') {
    cursor.advance()
    return { kind: 'null', range }
  }
  expectOperandName(cursor)
  const name = parseIdentifier(cursor)
  if (cursor.atSymbol('(')) return parseCall(cursor, null, name)
  if (cursor.atSymbol('<') && skipTypeArguments(cursor)) return parseCall(cursor, null, name)
  return { kind: 'name', name: name.name, range }
}

function expectOperandName(cursor: Cursor): void {
  for (const kind of ['name', 'integer', 'string']) noteOperand(cursor, kind)
  if (!isUserName(cursor.token)) cursor.fail()
}

function noteOperand(cursor: Cursor, kind: string): void {
  if (kind === 'name') cursor.atKind('name')
  else if (kind === 'integer') cursor.atKind('int')
  else cursor.atKind('string')
}

/** `f<INT>(…)`: true when type arguments and `(` follow; otherwise nothing is read. */
function skipTypeArguments(cursor: Cursor): boolean {
  const from = cursor.index
  const next = cursor.peek(1)
  if (next.kind !== 'name' || !cursor.atSymbol('>', 2) || !cursor.atSymbol('(', 3)) return false
  cursor.advance()
  parseType(cursor)
  if (cursor.acceptSymbol('>') && cursor.atSymbol('(')) return true
  cursor.rewind(from)
  return false
}

function parseEnclosed(cursor: Cursor): Expression {
  if (cursor.atSymbol('(')) return parseParentheses(cursor)
  if (cursor.atSymbol('[')) return parseList(cursor)
  if (cursor.atSymbol('{')) return parseSeed(cursor)
  expectOperandName(cursor)
  return cursor.fail()
}

function parseParentheses(cursor: Cursor): Expression {
  const { start } = cursor.expectSymbol('(')
  const items = cursor.atSymbol(')') ? [] : cursor.expressionList()
  if (cursor.acceptSymbol('->')) {
    const values = cursor.expressionList()
    cursor.expectSymbol(')')
    return { kind: 'pair', keys: items, values, range: cursor.rangeFrom(start) }
  }
  cursor.expectSymbol(')')
  const range = cursor.rangeFrom(start)
  const only = items.length === 1 ? items[0] : undefined
  return only === undefined ? { kind: 'parenthesised', items, range } : { ...only, range }
}

function parseList(cursor: Cursor): Expression {
  const { start } = cursor.expectSymbol('[')
  const items = cursor.atSymbol(']') ? [] : cursor.expressionList()
  cursor.expectSymbol(']')
  return { kind: 'list', items, range: cursor.rangeFrom(start) }
}

function parseSeed(cursor: Cursor): Expression {
  const { start } = cursor.expectSymbol('{')
  const items: { key: string | null; value: Expression }[] = []
  while (!cursor.atSymbol('}')) {
    const keyed = cursor.atKind('name') && cursor.atSymbol(':', 1)
    const key = keyed ? cursor.advance().text : null
    if (keyed) cursor.advance()
    items.push({ key, value: cursor.expression() })
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol('}')
  return { kind: 'seed', items, range: cursor.rangeFrom(start) }
}

function parseCase(cursor: Cursor): Expression {
  const { start } = cursor.expectWord('CASE')
  const subject = cursor.atWord('WHEN') ? null : cursor.expression()
  const branches: { when: Expression; result: Expression }[] = []
  while (cursor.acceptWord('WHEN')) {
    const when = cursor.expression()
    cursor.expectWord('THEN')
    branches.push({ when, result: cursor.expression() })
  }
  if (branches.length === 0) cursor.fail()
  const otherwise = cursor.acceptWord('ELSE') ? cursor.expression() : null
  cursor.expectWord('END')
  return { kind: 'case', subject, branches, otherwise, range: cursor.rangeFrom(start) }
}

function parseCall(cursor: Cursor, of: Expression | null, name: Identifier): Expression {
  cursor.expectSymbol('(')
  const distinct = cursor.acceptWord('DISTINCT')
  const star = !distinct && cursor.acceptSymbol('*')
  const args: Expression[] = []
  if (!star && !cursor.atSymbol(')')) {
    do args.push(parseArgument(cursor))
    while (cursor.acceptSymbol(','))
  }
  cursor.expectSymbol(')')
  const range = cursor.rangeFrom(of === null ? name.range.start : of.range.start)
  return { kind: 'call', of, name, distinct, star, arguments: args, range }
}

function parseArgument(cursor: Cursor): Expression {
  const { start, upper } = cursor.token
  if (upper === 'INTERVAL' && !cursor.atSymbol(',', 1) && !cursor.atSymbol(')', 1)) {
    cursor.advance()
    const amount = cursor.expression()
    const unit = parseIdentifier(cursor)
    return { kind: 'interval', amount, unit, range: cursor.rangeFrom(start) }
  }
  const side = (['LEADING', 'TRAILING', 'BOTH'] as const).find((word) => word === upper)
  if (side !== undefined) {
    cursor.advance()
    const characters = cursor.atWord('FROM') ? null : cursor.expression()
    return parseTrimRest(cursor, start, { side, characters })
  }
  const value = cursor.expression()
  if (!cursor.atWord('FROM')) return value
  return parseTrimRest(cursor, start, { side: 'BOTH', characters: value })
}

function parseTrimRest(
  cursor: Cursor,
  start: number,
  head: { side: 'LEADING' | 'TRAILING' | 'BOTH'; characters: Expression | null },
): Expression {
  if (!cursor.acceptWord('FROM')) {
    const from = head.characters ?? cursor.fail()
    return { kind: 'trim', side: head.side, characters: null, from, range: cursor.rangeFrom(start) }
  }
  const from = cursor.expression()
  return { kind: 'trim', ...head, from, range: cursor.rangeFrom(start) }
}
