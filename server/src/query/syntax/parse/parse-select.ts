/** SELECT blocks, with and without a table, and what they share with DELETE and UPDATE. */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type {
  DmlClauseSyntax,
  LimitSyntax,
  OrderSyntax,
  SampleSyntax,
  SelectSyntax,
  SqlSelectSyntax,
} from '../ast-statement.ts'
import type { Cursor } from '../cursor.ts'
import { parsePatterns } from './parse-pattern.ts'
import { parseNamed } from './parse-primary.ts'
import { parseIdentifier } from './parse-type.ts'

/** `SELECT alias FROM` is a vertex set; everything else after SELECT makes a table. */
export function atVertexSelect(cursor: Cursor): boolean {
  return cursor.atWord('SELECT') && cursor.atKind('name', 1) && cursor.atWord('FROM', 2)
}

export function parseSelect(cursor: Cursor): SelectSyntax {
  const { start } = cursor.expectWord('SELECT')
  const alias = parseIdentifier(cursor)
  cursor.expectWord('FROM')
  const patterns = parsePatterns(cursor)
  const sample = cursor.atWord('SAMPLE') ? parseSample(cursor) : null
  const where = parseWhere(cursor)
  const per = cursor.acceptWord('PER') ? parsePer(cursor) : null
  const accum = cursor.atWord('ACCUM') ? parseDmlClause(cursor) : null
  const postAccum: DmlClauseSyntax[] = []
  while (cursor.atWord('POST-ACCUM')) postAccum.push(parseDmlClause(cursor))
  const having = cursor.acceptWord('HAVING') ? cursor.expression() : null
  const orderBy = parseOrderBy(cursor)
  const limit = parseLimit(cursor)
  const clauses = { alias, patterns, sample, where, per, accum, postAccum, having, orderBy, limit }
  return { kind: 'select', ...clauses, range: cursor.rangeFrom(start) }
}

export function parseWhere(cursor: Cursor): Expression | null {
  return cursor.acceptWord('WHERE') ? cursor.expression() : null
}

function parseSample(cursor: Cursor): SampleSyntax {
  const { start } = cursor.expectWord('SAMPLE')
  const parenthesised = cursor.atKind('int') || cursor.atKind('real')
  // In `SAMPLE n % EDGE` the `%` is no operator: a plain number or name stands before it.
  const amount = parenthesised || cursor.atKind('name') ? parseAmount(cursor) : cursor.expression()
  const percent = cursor.acceptSymbol('%')
  const target = cursor.acceptWord('EDGE') ? 'EDGE' : 'TARGET'
  if (target === 'TARGET') cursor.expectWord('TARGET')
  cursor.acceptWord('PINNED')
  const when = cursor.acceptWord('WHEN') ? cursor.expression() : null
  return { amount, percent, target, when, range: cursor.rangeFrom(start) }
}

function parseAmount(cursor: Cursor): Expression {
  const { kind, text, start, end } = cursor.advance()
  const range = { start, end }
  if (kind === 'int' || kind === 'real') return { kind, text, range }
  return { kind: 'name', name: text, range }
}

function parsePer(cursor: Cursor): readonly Identifier[] | null {
  if (cursor.acceptWord('MATCH')) return null
  cursor.expectSymbol('(')
  const aliases = parseIdentifiers(cursor)
  cursor.expectSymbol(')')
  return aliases
}

export function parseIdentifiers(cursor: Cursor): Identifier[] {
  const names = [parseIdentifier(cursor)]
  while (cursor.acceptSymbol(',')) names.push(parseIdentifier(cursor))
  return names
}

/** ACCUM or POST-ACCUM, whose first parenthesis may name its alias. */
function parseDmlClause(cursor: Cursor): DmlClauseSyntax {
  const { start, upper } = cursor.advance()
  const bound = upper === 'POST-ACCUM' && cursor.atSymbol('(') && cursor.atSymbol(')', 2)
  let alias: Identifier | null = null
  if (bound) {
    cursor.advance()
    alias = parseIdentifier(cursor)
    cursor.expectSymbol(')')
  }
  const body = cursor.block('dml')
  return { alias, body, range: cursor.rangeFrom(start) }
}

function parseOrderBy(cursor: Cursor): OrderSyntax[] {
  if (!cursor.acceptWord('ORDER')) return []
  cursor.expectWord('BY')
  return parseOrderKeys(cursor)
}

export function parseOrderKeys(cursor: Cursor): OrderSyntax[] {
  const keys: OrderSyntax[] = []
  do {
    const value = cursor.expression()
    const descending = cursor.acceptWord('DESC')
    if (!descending) cursor.acceptWord('ASC')
    keys.push({ value, descending })
  } while (cursor.acceptSymbol(','))
  return keys
}

/** `LIMIT n`, `LIMIT j, k` (offset first), `LIMIT k OFFSET j`. */
export function parseLimit(cursor: Cursor): LimitSyntax | null {
  const { start } = cursor.token
  if (!cursor.acceptWord('LIMIT')) return null
  const first = cursor.expression()
  if (cursor.acceptSymbol(',')) {
    const count = cursor.expression()
    return { count, offset: first, range: cursor.rangeFrom(start) }
  }
  const offset = cursor.acceptWord('OFFSET') ? cursor.expression() : null
  return { count: first, offset, range: cursor.rangeFrom(start) }
}

export function parseSqlSelect(cursor: Cursor): SqlSelectSyntax {
  const { start } = cursor.expectWord('SELECT')
  const distinct = cursor.acceptWord('DISTINCT')
  if (cursor.atSymbol('*')) {
    cursor.fail('SELECT * is not available: name an alias of FROM, or columns with INTO a table')
  }
  const columns: NamedExpression[] = []
  do columns.push(parseNamed(cursor))
  while (cursor.acceptSymbol(','))
  const into = cursor.acceptWord('INTO') ? parseIdentifier(cursor) : null
  cursor.expectWord('FROM')
  const patterns = parsePatterns(cursor)
  const where = parseWhere(cursor)
  const groupBy = parseGroupBy(cursor)
  const having = cursor.acceptWord('HAVING') ? cursor.expression() : null
  const orderBy = parseOrderBy(cursor)
  const limit = parseLimit(cursor)
  const clauses = { distinct, columns, into, patterns, where, groupBy, having, orderBy, limit }
  return { kind: 'sqlSelect', ...clauses, range: cursor.rangeFrom(start) }
}

function parseGroupBy(cursor: Cursor): Expression[] {
  if (!cursor.acceptWord('GROUP')) return []
  cursor.expectWord('BY')
  return cursor.expressionList()
}
