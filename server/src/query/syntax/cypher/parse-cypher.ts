/** The clauses of an openCypher body, up to the brace that closes it. */
import type { Expression, Identifier, NamedExpression } from '../ast.ts'
import type { PathSyntax } from '../ast-pattern.ts'
import type { OrderSyntax } from '../ast-statement.ts'
import type { Cursor } from '../cursor.ts'
import { parsePathV3 } from '../parse/parse-pattern-v3.ts'
import { parseNamed } from '../parse/parse-primary.ts'
import { parseIdentifier } from '../parse/parse-type.ts'
import { refuseAbsentClause, refuseAbsentPath, refuseAbsentSet } from './absent.ts'
import type { CypherClause, CypherPart, CypherSyntax, ProjectClause } from './ast-cypher.ts'

/** @param adHoc the clauses of a script, which a `;` ends */
export function parseCypher(cursor: Cursor, adHoc = false): CypherSyntax {
  cursor.adHoc = adHoc
  cursor.cypher = true
  try {
    return { parts: parseParts(cursor) }
  } finally {
    cursor.cypher = false
  }
}

function parseParts(cursor: Cursor): CypherPart[] {
  const parts = [parsePart(cursor, 'distinct')]
  while (cursor.acceptWord('UNION')) {
    parts.push(parsePart(cursor, cursor.acceptWord('ALL') ? 'all' : 'distinct'))
  }
  return parts
}

function parsePart(cursor: Cursor, union: CypherPart['union']): CypherPart {
  const { start } = cursor.token
  const clauses: CypherClause[] = []
  while (!cursor.atSymbol('}') && !cursor.atKind('end') && !cursor.atWord('UNION')) {
    if (cursor.acceptSymbol(';')) {
      // A block without braces ends here; the next command may begin with a word of a clause.
      if (cursor.adHoc) break
      continue
    }
    const clause = parseClause(cursor)
    clauses.push(clause)
    // Nothing follows RETURN but UNION: of a script, the next command does.
    if (cursor.adHoc && clause.kind === 'return') break
  }
  if (clauses.length === 0) cursor.fail()
  return { union, clauses, range: cursor.rangeFrom(start) }
}

function parseClause(cursor: Cursor): CypherClause {
  const { start } = cursor.token
  if (cursor.acceptWord('OPTIONAL')) {
    cursor.expectWord('MATCH')
    return parseMatch(cursor, start, true)
  }
  if (cursor.acceptWord('MANDATORY')) {
    cursor.expectWord('MATCH')
    return parseMatch(cursor, start, false)
  }
  if (cursor.acceptWord('MATCH')) return parseMatch(cursor, start, false)
  if (cursor.acceptWord('UNWIND')) return parseUnwind(cursor, start)
  if (cursor.acceptWord('WITH')) return parseProject(cursor, start, 'with')
  if (cursor.acceptWord('RETURN')) return parseProject(cursor, start, 'return')
  return parseChange(cursor, start)
}

function parseChange(cursor: Cursor, start: number): CypherClause {
  if (cursor.acceptWord('CREATE')) {
    return { kind: 'create', patterns: parsePaths(cursor), range: cursor.rangeFrom(start) }
  }
  if (cursor.acceptWord('SET')) return parseSet(cursor, start)
  const detach = cursor.acceptWord('DETACH')
  if (detach || cursor.atWord('DELETE')) {
    cursor.expectWord('DELETE')
    const names = [parseIdentifier(cursor)]
    while (cursor.acceptSymbol(',')) names.push(parseIdentifier(cursor))
    return { kind: 'delete', names, range: cursor.rangeFrom(start) }
  }
  refuseAbsentClause(cursor)
  return cursor.fail()
}

function parseMatch(cursor: Cursor, start: number, optional: boolean): CypherClause {
  const patterns = parsePaths(cursor)
  const where = cursor.acceptWord('WHERE') ? cursor.expression() : null
  return { kind: 'match', optional, patterns, where, range: cursor.rangeFrom(start) }
}

function parsePaths(cursor: Cursor): PathSyntax[] {
  const paths = [parsePath(cursor)]
  while (cursor.acceptSymbol(',')) paths.push(parsePath(cursor))
  return paths
}

function parsePath(cursor: Cursor): PathSyntax {
  refuseAbsentPath(cursor)
  return parsePathV3(cursor)
}

function parseUnwind(cursor: Cursor, start: number): CypherClause {
  const list = cursor.expression()
  cursor.expectWord('AS')
  const as = parseIdentifier(cursor)
  return { kind: 'unwind', list, as, range: cursor.rangeFrom(start) }
}

function parseProject(cursor: Cursor, start: number, kind: ProjectClause['kind']): ProjectClause {
  const distinct = cursor.acceptWord('DISTINCT')
  const star = cursor.acceptSymbol('*')
  const items: NamedExpression[] = []
  if (!star || cursor.acceptSymbol(',')) {
    do items.push(parseNamed(cursor))
    while (cursor.acceptSymbol(','))
  }
  const orderBy = parseOrder(cursor)
  const skip = cursor.acceptWord('SKIP') ? cursor.expression() : null
  const limit = cursor.acceptWord('LIMIT') ? cursor.expression() : null
  const where = kind === 'with' && cursor.acceptWord('WHERE') ? cursor.expression() : null
  const range = cursor.rangeFrom(start)
  return { kind, distinct, star, items, orderBy, skip, limit, where, range }
}

function parseOrder(cursor: Cursor): OrderSyntax[] {
  if (!cursor.acceptWord('ORDER')) return []
  cursor.expectWord('BY')
  const keys: OrderSyntax[] = []
  do keys.push({ value: cursor.expression(), descending: parseDirection(cursor) })
  while (cursor.acceptSymbol(','))
  return keys
}

function parseDirection(cursor: Cursor): boolean {
  if (cursor.acceptWord('DESC') || cursor.acceptWord('DESCENDING')) return true
  if (!cursor.acceptWord('ASC')) cursor.acceptWord('ASCENDING')
  return false
}

function parseSet(cursor: Cursor, start: number): CypherClause {
  const items: { target: Expression; value: Expression }[] = []
  do {
    const target = parseProperty(cursor)
    cursor.expectSymbol('=')
    items.push({ target, value: cursor.expression() })
  } while (cursor.acceptSymbol(','))
  return { kind: 'set', items, range: cursor.rangeFrom(start) }
}

/** `a.p`. */
function parseProperty(cursor: Cursor): Expression {
  const of: Identifier = parseIdentifier(cursor)
  refuseAbsentSet(cursor)
  cursor.expectSymbol('.')
  const name = parseIdentifier(cursor)
  const range = cursor.rangeFrom(of.range.start)
  return { kind: 'member', of: { kind: 'name', name: of.name, range: of.range }, name, range }
}
