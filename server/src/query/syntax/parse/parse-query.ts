/** CREATE QUERY and INTERPRET QUERY: headers, parameters and the body between the braces. */
import type { Identifier, TypeSyntax } from '../ast.ts'
import type { ParameterSyntax, QuerySyntax } from '../ast-statement.ts'
import type { Cursor } from '../cursor.ts'
import { parseCypher } from '../cypher/parse-cypher.ts'
import { parseIdentifier, parseType } from './parse-type.ts'

const MODIFIERS = ['DISTRIBUTED', 'BATCH', 'TEMPLATE', 'OPENCYPHER']

export function parseQuery(cursor: Cursor): QuerySyntax {
  const { start } = cursor.token
  const interpreted = cursor.acceptWord('INTERPRET')
  const { orReplace, modifiers } = interpreted ? parseInterpreted(cursor) : parseCreation(cursor)
  cursor.expectWord('QUERY')
  const name = interpreted ? anonymous(cursor) : parseDottedName(cursor)
  const parameters = parseParameters(cursor)
  const header = parseHeader(cursor)
  cursor.expectSymbol('{')
  const cypher = modifiers.includes('OPENCYPHER') ? parseCypher(cursor) : null
  const body = cypher === null ? cursor.block('body') : []
  cursor.expectSymbol('}')
  const range = cursor.rangeFrom(start)
  return { name, interpreted, orReplace, modifiers, parameters, ...header, body, cypher, range }
}

function parseInterpreted(cursor: Cursor): { orReplace: boolean; modifiers: readonly string[] } {
  return { orReplace: false, modifiers: cursor.acceptWord('OPENCYPHER') ? ['OPENCYPHER'] : [] }
}

function parseCreation(cursor: Cursor): { orReplace: boolean; modifiers: readonly string[] } {
  cursor.expectWord('CREATE')
  const orReplace = cursor.acceptWord('OR')
  if (orReplace) cursor.expectWord('REPLACE')
  const modifiers: string[] = []
  while (MODIFIERS.some((word) => cursor.atWord(word))) modifiers.push(cursor.advance().upper)
  return { orReplace, modifiers }
}

/** An interpreted query has no name; its place stands for it. */
function anonymous(cursor: Cursor): Identifier {
  if (cursor.atKind('name')) return parseDottedName(cursor)
  const { start } = cursor.token
  return { name: '', range: { start, end: start } }
}

function parseDottedName(cursor: Cursor): Identifier {
  const first = parseIdentifier(cursor)
  let name = first.name
  while (cursor.acceptSymbol('.')) name += `.${parseIdentifier(cursor).name}`
  return { name, range: cursor.rangeFrom(first.range.start) }
}

function parseParameters(cursor: Cursor): ParameterSyntax[] {
  cursor.expectSymbol('(')
  const parameters: ParameterSyntax[] = []
  if (!cursor.atSymbol(')')) {
    do parameters.push(parseParameter(cursor))
    while (cursor.acceptSymbol(','))
  }
  cursor.expectSymbol(')')
  return parameters
}

function parseParameter(cursor: Cursor): ParameterSyntax {
  const { start } = cursor.token
  const type = parseType(cursor)
  const name = parseIdentifier(cursor)
  const defaultValue = cursor.acceptSymbol('=') ? cursor.expression() : null
  return { type, name, defaultValue, range: cursor.rangeFrom(start) }
}

interface Header {
  graph: Identifier | null
  returns: TypeSyntax | null
  api: string | null
  syntax: Identifier | null
}

/** Clauses after the parameters, in any order. */
function parseHeader(cursor: Cursor): Header {
  const header: Header = { graph: null, returns: null, api: null, syntax: null }
  while (parseHeaderClause(cursor, header));
  return header
}

function parseHeaderClause(cursor: Cursor, header: Header): boolean {
  if (cursor.acceptWord('FOR')) {
    cursor.expectWord('GRAPH')
    header.graph = parseIdentifier(cursor)
    return true
  }
  if (cursor.acceptWord('RETURNS')) {
    cursor.expectSymbol('(')
    header.returns = parseType(cursor)
    cursor.expectSymbol(')')
    return true
  }
  if (cursor.acceptWord('API')) {
    header.api = parseVersion(cursor).name
    return true
  }
  if (!cursor.acceptWord('SYNTAX')) return false
  header.syntax = parseVersion(cursor)
  return true
}

/** `v2`, `V2`, `_v2`, `"v2"`, `("v2")`: lower case without the underscore. */
function parseVersion(cursor: Cursor): Identifier {
  const open = cursor.acceptSymbol('(')
  const token = cursor.atKind('string') ? cursor.advance() : cursor.expectKind('name')
  if (open) cursor.expectSymbol(')')
  const name = token.text.toLowerCase().replace(/^_/, '')
  return { name, range: { start: token.start, end: token.end } }
}
