/** Operators that only openCypher has, as the calls of GSQL functions that they mean. */
import type { BinaryOperator, CallSyntax, Expression } from '../ast.ts'
import { type Cursor, OPERATORS_IN_ROW_MAX } from '../cursor.ts'
import { parseIdentifier } from '../parse/parse-type.ts'
import type { SourceRange } from '../source.ts'

type Operand = (cursor: Cursor) => Expression

/** `a < b <= c` is `a < b AND b <= c` (openCypher 9). */
export function parseComparisons(
  cursor: Cursor,
  operand: Operand,
  operatorAt: (cursor: Cursor) => BinaryOperator | null,
): Expression {
  const { start } = cursor.token
  let left = operand(cursor)
  let chain: Expression | null = null
  for (let count = 0; ; count++) {
    const operator = operatorAt(cursor)
    if (operator === null) return chain ?? left
    if (count > OPERATORS_IN_ROW_MAX) {
      cursor.fail(`more than ${OPERATORS_IN_ROW_MAX} operators in a row`)
    }
    if (chain !== null) refuseRandom(cursor, left)
    const right = operand(cursor)
    const range = cursor.rangeFrom(left.range.start)
    const next: Expression = { kind: 'binary', operator, left, right, range }
    const whole = cursor.rangeFrom(start)
    chain =
      chain === null
        ? next
        : { kind: 'binary', operator: 'AND', left: chain, right: next, range: whole }
    left = right
  }
}

/** Both comparisons evaluate the operand between them. */
function refuseRandom(cursor: Cursor, { range }: Expression): void {
  if (!/\b(?:rand|randomuuid|gsql_uuid_v4)\s*\(/i.test(cursor.text.slice(range.start, range.end)))
    return
  cursor.failAt(range, 'a random value cannot be between two comparisons: name it in WITH first')
}

/** `s STARTS WITH p`, `s ENDS WITH p`, `s CONTAINS p`; null: none of them is here. */
export function parseTextComparison(
  cursor: Cursor,
  text: Expression,
  operand: Operand,
): Expression | null {
  for (const side of ['STARTS', 'ENDS'] as const) {
    if (!cursor.acceptWord(side)) continue
    cursor.expectWord('WITH')
    const part = operand(cursor)
    const range = cursor.rangeFrom(text.range.start)
    const length = callOf('length', [part], range)
    const cut = callOf(side === 'STARTS' ? 'left' : 'right', [text, length], range)
    return { kind: 'binary', operator: '==', left: cut, right: part, range }
  }
  if (!cursor.acceptWord('CONTAINS')) return null
  const part = operand(cursor)
  const range = cursor.rangeFrom(text.range.start)
  const zero: Expression = { kind: 'int', text: '0', range }
  const found = callOf('instr', [text, part], range)
  return { kind: 'binary', operator: '>=', left: found, right: zero, range }
}

/** `a ^ b`, from left to right; signs bind tighter (openCypher 9): `-2 ^ 2` is 4. */
export function parsePower(cursor: Cursor, operand: Operand): Expression {
  let base = operand(cursor)
  while (cursor.cypher && cursor.acceptSymbol('^')) {
    const exponent = operand(cursor)
    base = callOf('pow', [base, exponent], cursor.rangeFrom(base.range.start))
  }
  return base
}

/** `n:Label` where a value stands: whether it has that type. */
export function parseLabelTest(cursor: Cursor, of: Expression): Expression | null {
  if (!cursor.cypher || of.kind !== 'name' || !cursor.acceptSymbol(':')) return null
  const label = parseIdentifier(cursor)
  const range = cursor.rangeFrom(of.range.start)
  const name = { name: 'type', range: label.range }
  const left: Expression = { kind: 'member', of, name, range }
  const right: Expression = { kind: 'string', value: label.name, range: label.range }
  return { kind: 'binary', operator: '==', left, right, range }
}

function callOf(name: string, args: readonly Expression[], range: SourceRange): CallSyntax {
  const called = { name, range }
  return {
    kind: 'call',
    of: null,
    name: called,
    distinct: false,
    star: false,
    arguments: args,
    range,
  }
}
