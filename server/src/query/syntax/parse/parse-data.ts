/** PRINT, LOG and the statements that change the graph: INSERT, DELETE, UPDATE, virtual edges. */
import type { Expression, FieldSyntax, Identifier } from '../ast.ts'
import type {
  InsertColumnSyntax,
  InsertValueSyntax,
  PrintItemSyntax,
  Statement,
} from '../ast-statement.ts'
import type { BlockLevel, Cursor } from '../cursor.ts'
import { parsePatterns } from './parse-pattern.ts'
import { parseNamed } from './parse-primary.ts'
import { parseIdentifiers, parseWhere } from './parse-select.ts'
import { parseField, parseIdentifier } from './parse-type.ts'

export function parsePrint(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('PRINT')
  const items: PrintItemSyntax[] = []
  do items.push(parsePrintItem(cursor))
  while (cursor.acceptSymbol(','))
  const where = parseWhere(cursor)
  const toCsv = cursor.acceptWord('TO_CSV') ? cursor.expression() : null
  return { kind: 'print', items, where, toCsv, range: cursor.rangeFrom(start) }
}

function parsePrintItem(cursor: Cursor): PrintItemSyntax {
  const item = parseNamed(cursor)
  const withVector = cursor.acceptWord('WITH')
  if (withVector) cursor.expectWord('VECTOR')
  return { ...item, withVector }
}

export function parseLog(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('LOG')
  cursor.expectSymbol('(')
  const args = cursor.expressionList()
  cursor.expectSymbol(')')
  return { kind: 'log', arguments: args, range: cursor.rangeFrom(start) }
}

export function parseInsert(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('INSERT')
  cursor.expectWord('INTO')
  const element = parseElementWord(cursor)
  const into = parseIdentifier(cursor)
  const columns = cursor.acceptSymbol('(') ? parseColumns(cursor) : null
  cursor.expectWord('VALUES')
  cursor.expectSymbol('(')
  const values: InsertValueSyntax[] = []
  do values.push(parseInsertValue(cursor))
  while (cursor.acceptSymbol(','))
  cursor.expectSymbol(')')
  return { kind: 'insert', element, into, columns, values, range: cursor.rangeFrom(start) }
}

function parseElementWord(cursor: Cursor): 'EDGE' | 'VERTEX' | null {
  if (!cursor.atKind('name', 1)) return null
  if (cursor.acceptWord('EDGE')) return 'EDGE'
  return cursor.acceptWord('VERTEX') ? 'VERTEX' : null
}

/** FROM, TO, PRIMARY_ID, DISCRIMINATOR(…) and attribute names, up to the closing parenthesis. */
function parseColumns(cursor: Cursor): InsertColumnSyntax[] {
  const columns: InsertColumnSyntax[] = []
  do {
    const token = cursor.expectKind('name')
    const name = { name: token.text, range: { start: token.start, end: token.end } }
    let members: readonly Identifier[] = []
    if (cursor.acceptSymbol('(')) {
      members = parseIdentifiers(cursor)
      cursor.expectSymbol(')')
    }
    columns.push({ name, members })
  } while (cursor.acceptSymbol(','))
  cursor.expectSymbol(')')
  return columns
}

function parseInsertValue(cursor: Cursor): InsertValueSyntax {
  const blank = cursor.token.text === '_' && cursor.atKind('name')
  const value = blank ? null : cursor.expression()
  if (blank) cursor.advance()
  const typed = !cursor.atSymbol(',') && !cursor.atSymbol(')')
  return { value, type: typed ? cursor.expression() : null }
}

export function parseDelete(cursor: Cursor, level: BlockLevel): Statement {
  const { start } = cursor.expectWord('DELETE')
  if (level === 'dml' || cursor.atSymbol('(')) {
    cursor.expectSymbol('(')
    const alias = parseIdentifier(cursor)
    cursor.expectSymbol(')')
    return { kind: 'deleteAlias', alias, range: cursor.rangeFrom(start) }
  }
  const alias = parseIdentifier(cursor)
  cursor.expectWord('FROM')
  const patterns = parsePatterns(cursor)
  const where = parseWhere(cursor)
  return { kind: 'deleteFrom', alias, patterns, where, range: cursor.rangeFrom(start) }
}

export function parseUpdate(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('UPDATE')
  const alias = parseIdentifier(cursor)
  cursor.expectWord('FROM')
  const patterns = parsePatterns(cursor)
  cursor.expectWord('SET')
  const set = cursor.block('dml')
  const where = parseWhere(cursor)
  return { kind: 'updateFrom', alias, patterns, set, where, range: cursor.rangeFrom(start) }
}

/** `CREATE [UN]DIRECTED VIRTUAL EDGE e (FROM A|B, TO C, attr TYPE, …)`. */
export function parseVirtualEdge(cursor: Cursor): Statement {
  const { start } = cursor.expectWord('CREATE')
  const directed = cursor.acceptWord('DIRECTED')
  if (!directed) cursor.expectWord('UNDIRECTED')
  cursor.expectWord('VIRTUAL')
  cursor.expectWord('EDGE')
  const name = parseIdentifier(cursor)
  cursor.expectSymbol('(')
  cursor.expectWord('FROM')
  const from = parseEnds(cursor)
  cursor.expectSymbol(',')
  cursor.expectWord('TO')
  const to = parseEnds(cursor)
  const attributes: { field: FieldSyntax; initial: Expression | null }[] = []
  while (cursor.acceptSymbol(',')) {
    const field = parseField(cursor)
    attributes.push({ field, initial: cursor.acceptWord('DEFAULT') ? cursor.expression() : null })
  }
  cursor.expectSymbol(')')
  const range = cursor.rangeFrom(start)
  return { kind: 'virtualEdge', name, directed, from, to, attributes, range }
}

/** Vertex types, or `*` for all, which gives no names. */
function parseEnds(cursor: Cursor): Identifier[] {
  if (cursor.acceptSymbol('*')) return []
  const names = [parseIdentifier(cursor)]
  while (cursor.acceptSymbol('|')) names.push(parseIdentifier(cursor))
  return names
}
