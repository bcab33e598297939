/**
 * Expressions, one function per level of docs/reference/gsql/expressions.md from loose to tight. Bit operators bind
 * tighter than comparisons, unlike C.
 */
import type { BinaryOperator, Expression } from '../ast.ts'
import { type Cursor, OPERATORS_IN_ROW_MAX } from '../cursor.ts'
import { refuseRegularExpression } from '../cypher/absent.ts'
import { parseComparisons, parsePower, parseTextComparison } from '../cypher/parse-operators.ts'
import { parsePostfix } from './parse-primary.ts'

export function parseExpression(cursor: Cursor): Expression {
  return cursor.nested(() => parseOr(cursor))
}

type Level = (cursor: Cursor) => Expression
type OperatorAt = (cursor: Cursor) => BinaryOperator | null

/** A left-associative level: `next (operator next)*`. */
function leftAssociative(next: Level, operatorAt: OperatorAt, right: Level = next): Level {
  return (cursor) => {
    const start = cursor.token.start
    let left = next(cursor)
    let count = 0
    for (let operator = operatorAt(cursor); operator !== null; operator = operatorAt(cursor)) {
      count += 1
      if (count > OPERATORS_IN_ROW_MAX) {
        cursor.fail(`more than ${OPERATORS_IN_ROW_MAX} operators in a row`)
      }
      const operand = right(cursor)
      const range = cursor.rangeFrom(start)
      left = { kind: 'binary', operator, left, right: operand, range }
    }
    return left
  }
}

const symbols =
  (...operators: readonly BinaryOperator[]): OperatorAt =>
  (cursor) =>
    operators.find((operator) => cursor.acceptSymbol(operator)) ?? null

const words =
  (...operators: readonly BinaryOperator[]): OperatorAt =>
  (cursor) =>
    operators.find((operator) => cursor.acceptWord(operator)) ?? null

/** Two adjacent `<` or `>` are a shift. */
function shiftAt(cursor: Cursor): BinaryOperator | null {
  for (const half of ['<', '>'] as const) {
    const found = cursor.atSymbol(half) && cursor.atSymbol(half, 1)
    if (found && cursor.token.end === cursor.peek(1).start) {
      cursor.advance()
      cursor.advance()
      return half === '<' ? '<<' : '>>'
    }
  }
  return null
}

const parseMultiplicative = leftAssociative(parseUnary, symbols('*', '/', '%'))
const parseAdditive = leftAssociative(parseMultiplicative, symbols('+', '-'))
const parseShift = leftAssociative(parseAdditive, shiftAt)
const parseBitAnd = leftAssociative(parseShift, symbols('&'))
const parseBitOr = leftAssociative(parseBitAnd, symbols('|'))
const setOperators = words('UNION', 'INTERSECT', 'MINUS')
/** In openCypher, UNION joins queries. */
const parseSetOperation = leftAssociative(parseBitOr, (cursor) =>
  cursor.cypher ? null : setOperators(cursor),
)
const parseAnd = leftAssociative(parseNot, words('AND'))
const parseXor = leftAssociative(parseAnd, words('XOR'))
const parseOr = leftAssociative(parseXor, words('OR'))

function parseNot(cursor: Cursor): Expression {
  const start = cursor.token.start
  if (!cursor.acceptWord('NOT')) return parseComparison(cursor)
  const operand = cursor.nested(() => parseNot(cursor))
  return { kind: 'unary', operator: 'NOT', operand, range: cursor.rangeFrom(start) }
}

function parseUnary(cursor: Cursor): Expression {
  return parsePower(cursor, parseSign)
}

function parseSign(cursor: Cursor): Expression {
  const start = cursor.token.start
  const operator = (['-', '+'] as const).find((sign) => cursor.acceptSymbol(sign))
  if (operator === undefined) return parsePostfix(cursor)
  const operand = cursor.nested(() => parseSign(cursor))
  return { kind: 'unary', operator, operand, range: cursor.rangeFrom(start) }
}

const comparisonAt = symbols('==', '!=', '<=', '>=', '<', '>')

/** In openCypher `IN`, `IS NULL` and their like bind tighter than comparisons; in GSQL all are equal. */
function parseComparison(cursor: Cursor): Expression {
  if (cursor.cypher) return parseComparisons(cursor, parsePredicate, operatorAt)
  let left = parseSetOperation(cursor)
  let isCompared = false
  for (;;) {
    const operator = operatorAt(cursor)
    if (operator === null) {
      const next = parsePredicateTail(cursor, left)
      if (next === null) return left
      left = next
      isCompared = false
    } else {
      const right = parseSetOperation(cursor)
      const chained = isCompared ? { chained: unchained(cursor, left, right) } : {}
      const range = cursor.rangeFrom(left.range.start)
      left = { kind: 'binary', operator, left, right, ...chained, range }
      isCompared = true
    }
  }
}

/** Longer ones are not repeated in a message. */
const CHAIN_CHARS_MAX = 60

/** `a < b AND b < c` for `a < b < c`. */
function unchained({ text }: Cursor, left: Expression, right: Expression): string {
  const from = left.kind === 'binary' ? left.right.range.start : left.range.start
  const first = text.slice(left.range.start, left.range.end)
  const whole = `${first} AND ${text.slice(from, right.range.end)}`
  return whole.length > CHAIN_CHARS_MAX ? 'two comparisons joined by AND' : whole
}

/** openCypher: an operand, and the tests that may follow it. */
function parsePredicate(cursor: Cursor): Expression {
  let value = parseSetOperation(cursor)
  for (;;) {
    const next = parsePredicateTail(cursor, value)
    if (next === null) return value
    value = next
  }
}

function parsePredicateTail(cursor: Cursor, left: Expression): Expression | null {
  if (!cursor.acceptWord('IS')) return parseWordComparison(cursor, left)
  const negated = cursor.acceptWord('NOT')
  cursor.expectWord('NULL')
  const range = cursor.rangeFrom(left.range.start)
  return { kind: 'isNull', negated, value: left, range }
}

/** `<>` is `!=`; `=` is equality where an expression stands (V3, openCypher). */
function operatorAt(cursor: Cursor): BinaryOperator | null {
  if (cursor.acceptSymbol('<>')) return '!='
  if (cursor.cypher) refuseRegularExpression(cursor)
  return cursor.acceptSymbol('=') ? '==' : comparisonAt(cursor)
}

/** `[NOT] IN`, `[NOT] LIKE`, `[NOT] BETWEEN`. */
function parseWordComparison(cursor: Cursor, value: Expression): Expression | null {
  const text = cursor.cypher ? parseTextComparison(cursor, value, parseSetOperation) : null
  if (text !== null) return text
  const start = value.range.start
  const negated = cursor.atWord('NOT') && ['IN', 'LIKE', 'BETWEEN'].includes(cursor.peek(1).upper)
  if (negated) cursor.advance()
  if (cursor.acceptWord('IN')) {
    const container = parseSetOperation(cursor)
    return { kind: 'in', negated, value, container, range: cursor.rangeFrom(start) }
  }
  if (cursor.acceptWord('LIKE')) {
    const pattern = parseSetOperation(cursor)
    const escapeWith = cursor.acceptWord('ESCAPE') ? cursor.expectKind('string').text : null
    return {
      kind: 'like',
      negated,
      value,
      pattern,
      escape: escapeWith,
      range: cursor.rangeFrom(start),
    }
  }
  if (!cursor.acceptWord('BETWEEN')) return null
  const low = parseSetOperation(cursor)
  cursor.expectWord('AND')
  const high = parseSetOperation(cursor)
  return { kind: 'between', negated, value, low, high, range: cursor.rangeFrom(start) }
}
