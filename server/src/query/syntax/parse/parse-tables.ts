/**
 * Table statements (docs/reference/gsql/select.md#tables). Their first words are names elsewhere (`Order o = …` declares,
 * `filter = …` assigns), so a statement is one of these only by the words that follow.
 */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type { JoinSyntax, TableSyntax, TableUseSyntax } from '../ast-table.ts'
import type { Cursor } from '../cursor.ts'
import { parseNamed } from './parse-primary.ts'
import { parseLimit, parseOrderKeys } from './parse-select.ts'
import { parseIdentifier } from './parse-type.ts'

type Rule = (cursor: Cursor) => TableSyntax

interface Beginning {
  readonly word: string
  /** Whether what follows the word makes it a table statement. */
  readonly follows: (cursor: Cursor) => boolean
  readonly rule: Rule
}

const beginnings: readonly Beginning[] = [
  {
    word: 'INIT',
    follows: (cursor) => cursor.atKind('name', 1) && !endsDeclaration(cursor, 2),
    rule: parseInit,
  },
  { word: 'ORDER', follows: (cursor) => cursor.atWord('BY', 2), rule: parseOrder },
  { word: 'FILTER', follows: (cursor) => cursor.atWord('ON', 2), rule: parseFilter },
  { word: 'PROJECT', follows: (cursor) => cursor.atWord('ON', 2), rule: parseProject },
  { word: 'JOIN', follows: usesTwo, rule: parseJoin },
  { word: 'SEMIJOIN', follows: usesTwo, rule: parseJoin },
  { word: 'LEFT', follows: (cursor) => cursor.atWord('JOIN', 1), rule: parseJoin },
  {
    word: 'UNION',
    follows: (cursor) => cursor.atWord('ALL', 1) || cursor.atWord('WITH', 2),
    rule: parseUnion,
  },
  { word: 'UNWIND', follows: (cursor) => !endsDeclaration(cursor, 1), rule: parseUnwind },
]

/** The rule of the table statement that begins here; null: none does. */
export function tableRuleAt(cursor: Cursor): Rule | null {
  const { kind, upper } = cursor.token
  const found = kind === 'name' ? beginnings.find(({ word }) => word === upper) : undefined
  return found?.follows(cursor) ? found.rule : null
}

function usesTwo(cursor: Cursor): boolean {
  return cursor.atWord('WITH', 2) || cursor.atWord('WITH', 3)
}

function endsDeclaration(cursor: Cursor, ahead: number): boolean {
  return ['=', '+=', ';', ',', '.'].some((symbol) => cursor.atSymbol(symbol, ahead))
}

function parseInit(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  const into = parseIdentifier(cursor)
  const columns = parseColumns(cursor)
  return { kind: 'initTable', columns, into, range: cursor.rangeFrom(start) }
}

function parseColumns(cursor: Cursor): NamedExpression[] {
  const columns = [parseNamed(cursor)]
  while (cursor.acceptSymbol(',')) columns.push(parseNamed(cursor))
  return columns
}

function parseInto(cursor: Cursor): Identifier {
  cursor.expectWord('INTO')
  return parseIdentifier(cursor)
}

function parseOrder(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  const table = parseIdentifier(cursor)
  cursor.expectWord('BY')
  const orderBy = parseOrderKeys(cursor)
  const limit = parseLimit(cursor)
  return { kind: 'orderTable', table, orderBy, limit, range: cursor.rangeFrom(start) }
}

function parseFilter(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  const table = parseIdentifier(cursor)
  cursor.expectWord('ON')
  const condition = cursor.expression()
  return { kind: 'filterTable', table, condition, range: cursor.rangeFrom(start) }
}

function parseProject(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  const table = parseIdentifier(cursor)
  cursor.expectWord('ON')
  if (cursor.atWord('VERTEX') && cursor.atWord('COLUMN', 1)) {
    cursor.advance()
    cursor.advance()
    const columns = [parseVertexColumn(cursor)]
    while (cursor.acceptSymbol(',')) columns.push(parseVertexColumn(cursor))
    return { kind: 'projectVertices', table, columns, range: cursor.rangeFrom(start) }
  }
  const columns = parseColumns(cursor)
  const into = parseInto(cursor)
  return { kind: 'projectTable', table, columns, into, range: cursor.rangeFrom(start) }
}

function parseVertexColumn(cursor: Cursor) {
  const column = parseIdentifier(cursor)
  return { column, into: parseInto(cursor) }
}

function parseJoin(cursor: Cursor): TableSyntax {
  const { start, upper } = cursor.advance()
  if (upper === 'LEFT') cursor.expectWord('JOIN')
  const kinds: Readonly<Record<string, JoinSyntax['join']>> = { LEFT: 'left', SEMIJOIN: 'semi' }
  const left = parseUse(cursor)
  cursor.expectWord('WITH')
  const right = parseUse(cursor)
  const condition = cursor.acceptWord('ON') ? cursor.expression() : null
  cursor.expectWord('PROJECT')
  const distinct = cursor.acceptWord('DISTINCT')
  const columns = parseColumns(cursor)
  const into = parseInto(cursor)
  const range = cursor.rangeFrom(start)
  const join = kinds[upper] ?? 'inner'
  return { kind: 'joinTables', join, left, right, condition, distinct, columns, into, range }
}

const AFTER_USE = ['WITH', 'ON', 'PROJECT']

function parseUse(cursor: Cursor): TableUseSyntax {
  const table = parseIdentifier(cursor)
  const named = cursor.atKind('name') && !AFTER_USE.includes(cursor.token.upper)
  return { table, alias: named ? parseIdentifier(cursor) : table }
}

function parseUnion(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  const all = cursor.acceptWord('ALL')
  const tables = [parseIdentifier(cursor)]
  while (cursor.acceptWord('WITH')) tables.push(parseIdentifier(cursor))
  const into = parseInto(cursor)
  return { kind: 'uniteTables', all, tables, into, range: cursor.rangeFrom(start) }
}

function parseUnwind(cursor: Cursor): TableSyntax {
  const { start } = cursor.advance()
  let table: Identifier | null = null
  if (cursor.atWord('ON', 1)) {
    table = parseIdentifier(cursor)
    cursor.expectWord('ON')
  }
  const list: Expression = cursor.expression()
  cursor.expectWord('AS')
  const as = parseIdentifier(cursor)
  const into = parseInto(cursor)
  return { kind: 'unwindTable', table, list, as, into, range: cursor.rangeFrom(start) }
}
