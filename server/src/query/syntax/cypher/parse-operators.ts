/** Operators that only openCypher has, as the calls of GSQL functions that they mean. */
import type { CallSyntax, Expression } from '../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parseIdentifier } from '../parse/parse-type.ts'
import type { SourceRange } from '../source.ts'

type Operand = (cursor: Cursor) => Expression

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
