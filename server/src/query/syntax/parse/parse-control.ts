/** IF, CASE, WHILE, FOREACH, TRY: the same forms at body and DML level. */
import type { Expression, Identifier } from '../ast.ts'
import type { BranchSyntax, ForeachSyntax, Statement } from '../ast-statement.ts'
import type { BlockLevel, Cursor } from '../cursor.ts'
import { parseIdentifiers } from './parse-select.ts'
import { parseIdentifier } from './parse-type.ts'

/**
 * `ELSE IF` either goes on with the chain or opens an IF of its own inside ELSE; nothing near it
 * tells which. `cursor.elseIf` holds the reading to try; unknown places are chains first.
 */
export function parseIf(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.expectWord('IF')
  const branches: BranchSyntax[] = [parseThen(cursor, level)]
  let otherwise: readonly Statement[] = []
  while (cursor.acceptWord('ELSE')) {
    if (cursor.atWord('IF') && readElseIf(cursor) === 'chain') {
      cursor.advance()
      branches.push(parseThen(cursor, level))
    } else {
      otherwise = cursor.block(level)
      break
    }
  }
  cursor.expectWord('END')
  return { kind: 'if', branches, otherwise, range: cursor.rangeFrom(start) }
}

function readElseIf(cursor: Cursor): 'chain' | 'nested' {
  const reading = cursor.elseIf.get(cursor.index) ?? 'chain'
  cursor.elseIf.set(cursor.index, reading)
  return reading
}

function parseThen(cursor: Cursor, level: BlockLevel): BranchSyntax {
  const condition = cursor.expression()
  cursor.expectWord('THEN')
  return { condition, body: cursor.block(level) }
}

export function parseCaseStatement(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.expectWord('CASE')
  const subject = cursor.atWord('WHEN') ? null : cursor.expression()
  const branches: BranchSyntax[] = []
  while (cursor.acceptWord('WHEN')) branches.push(parseThen(cursor, level))
  if (branches.length === 0) cursor.fail()
  const otherwise = cursor.acceptWord('ELSE') ? cursor.block(level) : []
  cursor.expectWord('END')
  return { kind: 'caseStatement', subject, branches, otherwise, range: cursor.rangeFrom(start) }
}

export function parseWhile(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.expectWord('WHILE')
  const condition = cursor.expression()
  const limit = cursor.acceptWord('LIMIT') ? cursor.expression() : null
  cursor.expectWord('DO')
  const body = cursor.block(level)
  cursor.expectWord('END')
  return { kind: 'while', condition, limit, body, range: cursor.rangeFrom(start) }
}

export function parseForeach(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.expectWord('FOREACH')
  const variables = parseLoopVariables(cursor)
  if (!cursor.acceptSymbol(':')) cursor.expectWord('IN')
  const over = parseIterable(cursor)
  cursor.expectWord('DO')
  const body = cursor.block(level)
  cursor.expectWord('END')
  return { kind: 'foreach', variables, over, body, range: cursor.rangeFrom(start) }
}

function parseLoopVariables(cursor: Cursor): Identifier[] {
  if (!cursor.acceptSymbol('(')) return [parseIdentifier(cursor)]
  const variables = parseIdentifiers(cursor)
  cursor.expectSymbol(')')
  return variables
}

function parseIterable(cursor: Cursor): ForeachSyntax['over'] {
  const ranged = cursor.atWord('RANGE') && cursor.atSymbol('[', 1)
  if (!ranged) return { kind: 'collection', value: cursor.expression() }
  cursor.advance()
  cursor.expectSymbol('[')
  const from = cursor.expression()
  cursor.expectSymbol(',')
  const to = cursor.expression()
  cursor.expectSymbol(']')
  return { kind: 'range', from, to, step: parseStep(cursor) }
}

function parseStep(cursor: Cursor): Expression | null {
  if (!cursor.acceptSymbol('.')) return null
  cursor.expectWord('STEP')
  cursor.expectSymbol('(')
  const step = cursor.expression()
  cursor.expectSymbol(')')
  return step
}

export function parseTry(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('TRY')
  const body = cursor.block('body')
  cursor.expectWord('EXCEPTION')
  const handlers: { name: Identifier; body: readonly Statement[] }[] = []
  while (cursor.acceptWord('WHEN')) {
    const name = parseIdentifier(cursor)
    cursor.expectWord('THEN')
    handlers.push({ name, body: cursor.block('body') })
  }
  const otherwise = cursor.acceptWord('ELSE') ? cursor.block('body') : []
  cursor.expectWord('END')
  return { kind: 'try', body, handlers, otherwise, range: cursor.rangeFrom(start) }
}
