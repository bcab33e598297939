/** WHERE of loading jobs (docs/reference/gsql/loading.md): tokens compared, with arithmetic. */

import { type Cursor, SyntaxFailure } from '../cursor.ts'
import type { ConditionSyntax, OperandSyntax } from './ast-script.ts'
import { parseValueSyntax } from './parse-load-value.ts'

export function parseCondition(cursor: Cursor): ConditionSyntax {
  return cursor.nested(() => {
    let left = parseConjunction(cursor)
    while (cursor.acceptWord('OR')) left = { kind: 'or', left, right: parseConjunction(cursor) }
    return left
  })
}

function parseConjunction(cursor: Cursor): ConditionSyntax {
  let left = parseNegation(cursor)
  while (cursor.acceptWord('AND')) left = { kind: 'and', left, right: parseNegation(cursor) }
  return left
}

function parseNegation(cursor: Cursor): ConditionSyntax {
  if (!cursor.acceptWord('NOT')) return parsePredicate(cursor)
  return { kind: 'not', operand: cursor.nested(() => parseNegation(cursor)) }
}

/** A parenthesis opens a condition or an operand: both are tried. */
function parsePredicate(cursor: Cursor): ConditionSyntax {
  if (cursor.atSymbol('(')) {
    const { index } = cursor
    try {
      return parseComparison(cursor)
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure)) throw failure
      cursor.rewind(index)
    }
    cursor.expectSymbol('(')
    const inner = parseCondition(cursor)
    cursor.expectSymbol(')')
    return inner
  }
  return parseComparison(cursor)
}

const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>'] as const

function parseComparison(cursor: Cursor): ConditionSyntax {
  const operand = parseOperand(cursor)
  for (const operator of COMPARISONS) {
    if (cursor.acceptSymbol(operator)) {
      return { kind: 'compare', operator, left: operand, right: parseOperand(cursor) }
    }
  }
  for (const [symbol, operator] of [
    ['=', '=='],
    ['<>', '!='],
  ] as const) {
    if (cursor.acceptSymbol(symbol)) {
      return { kind: 'compare', operator, left: operand, right: parseOperand(cursor) }
    }
  }
  return parseWordTest(cursor, operand)
}

function parseWordTest(cursor: Cursor, operand: OperandSyntax): ConditionSyntax {
  if (cursor.acceptWord('BETWEEN')) {
    const low = parseOperand(cursor)
    cursor.expectWord('AND')
    return { kind: 'between', operand, low, high: parseOperand(cursor) }
  }
  if (cursor.acceptWord('IN')) return { kind: 'in', operand, values: parseList(cursor) }
  if (cursor.acceptWord('IS')) {
    const negated = cursor.acceptWord('NOT')
    const what = cursor.acceptWord('NUMERIC') ? 'NUMERIC' : 'EMPTY'
    if (what === 'EMPTY') cursor.expectWord('EMPTY')
    const test = { kind: 'is', operand, what } as const
    return negated ? { kind: 'not', operand: test } : test
  }
  if (operand.kind === 'token' && operand.value.kind === 'call') return { kind: 'test', operand }
  return cursor.fail()
}

function parseList(cursor: Cursor): OperandSyntax[] {
  cursor.expectSymbol('(')
  const values = [parseOperand(cursor)]
  while (cursor.acceptSymbol(',')) values.push(parseOperand(cursor))
  cursor.expectSymbol(')')
  return values
}

function parseOperand(cursor: Cursor): OperandSyntax {
  return cursor.nested(() => {
    let left = parseTerm(cursor)
    for (;;) {
      if (cursor.acceptSymbol('+')) left = arithmetic('+', left, parseTerm(cursor))
      else if (cursor.acceptSymbol('-')) left = arithmetic('-', left, parseTerm(cursor))
      else return left
    }
  })
}

function parseTerm(cursor: Cursor): OperandSyntax {
  let left = parsePower(cursor)
  for (;;) {
    if (cursor.acceptSymbol('*')) left = arithmetic('*', left, parsePower(cursor))
    else if (cursor.acceptSymbol('/')) left = arithmetic('/', left, parsePower(cursor))
    else return left
  }
}

function parsePower(cursor: Cursor): OperandSyntax {
  const left = parseAtom(cursor)
  return cursor.acceptSymbol('^') ? arithmetic('^', left, parseAtom(cursor)) : left
}

function arithmetic(
  operator: '+' | '-' | '*' | '/' | '^',
  left: OperandSyntax,
  right: OperandSyntax,
): OperandSyntax {
  return { kind: 'arithmetic', operator, left, right }
}

function parseAtom(cursor: Cursor): OperandSyntax {
  if (cursor.acceptSymbol('(')) {
    const inner = parseOperand(cursor)
    cursor.expectSymbol(')')
    return inner
  }
  const sign = cursor.acceptSymbol('-') ? -1 : 1
  if (cursor.atKind('int') || cursor.atKind('real')) {
    return { kind: 'number', value: sign * Number(cursor.advance().text) }
  }
  if (sign < 0) cursor.fail()
  return { kind: 'token', value: parseValueSyntax(cursor) }
}
