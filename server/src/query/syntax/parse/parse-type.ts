/** Types, accumulator types and names: `MapAccum<STRING, SumAccum<INT>>`, `VERTEX<Person>`. */
import {
  type AccumName,
  type AccumTypeSyntax,
  accumNames,
  type FieldSyntax,
  type HeapSyntax,
  type Identifier,
  type TypeSyntax,
} from '../ast.ts'
import type { Cursor } from '../cursor.ts'
import { isUserName } from '../words.ts'

const ACCUM_BY_UPPER = new Map(accumNames.map((name) => [name.toUpperCase(), name]))
const CONTAINERS = ['SET', 'LIST', 'BAG', 'MAP'] as const
const BASE_TYPES = new Set([
  'INT',
  'UINT',
  'FLOAT',
  'DOUBLE',
  'STRING',
  'BOOL',
  'BOOLEAN',
  'DATETIME',
  'JSONOBJECT',
  'JSONARRAY',
  'FILE',
  'VERTEX',
  'EDGE',
])

export function parseIdentifier(cursor: Cursor): Identifier {
  cursor.atKind('name')
  if (!isUserName(cursor.token)) cursor.fail()
  const token = cursor.advance()
  return { name: token.text, range: { start: token.start, end: token.end } }
}

export function accumNameAt(cursor: Cursor): AccumName | null {
  const token = cursor.token
  return token.kind === 'name' ? (ACCUM_BY_UPPER.get(token.upper) ?? null) : null
}

/** True where `INT x`, `VERTEX<T> v`, `SET<INT> s`, `Pair p` or `SumAccum<…>` begins. */
export function atTypeStart(cursor: Cursor): boolean {
  const { kind, upper } = cursor.token
  if (kind !== 'name') return false
  const next = cursor.peek(1)
  if (accumNameAt(cursor) !== null) return next.kind !== 'symbol' || next.text === '<'
  const generic = next.kind === 'symbol' && next.text === '<'
  if (upper === 'VERTEX' || upper === 'EDGE') return generic || next.kind === 'name'
  if (generic) return upper === 'TUPLE' || CONTAINERS.some((name) => name === upper)
  if (BASE_TYPES.has(upper)) return next.kind === 'name'
  const declares = next.kind === 'globalAccum' || next.kind === 'vertexAccum'
  return isUserName(cursor.token) && (isUserName(next) || declares)
}

export function parseType(cursor: Cursor): TypeSyntax {
  return cursor.nested(() => parseTypeUnchecked(cursor))
}

function parseTypeUnchecked(cursor: Cursor): TypeSyntax {
  if (accumNameAt(cursor) !== null) return parseAccumType(cursor)
  const start = cursor.token.start
  const word = cursor.token.upper
  const generic = cursor.atSymbol('<', 1)
  if (word === 'VERTEX' || word === 'EDGE') return parseElementType(cursor, word)
  if (word === 'TUPLE' && generic) return parseTupleType(cursor)
  const container = CONTAINERS.find((name) => name === word)
  if (container !== undefined && generic) {
    cursor.advance()
    const types = parseTypeArguments(cursor).map((field) => field.type)
    const range = cursor.rangeFrom(start)
    return { kind: 'containerType', container, arguments: types, range }
  }
  const { name } = parseIdentifier(cursor)
  if (word === 'STRING') cursor.acceptWord('COMPRESS')
  return { kind: 'namedType', name, range: cursor.rangeFrom(start) }
}

function parseElementType(cursor: Cursor, element: 'VERTEX' | 'EDGE'): TypeSyntax {
  const { start } = cursor.advance()
  let target: Identifier | null = null
  if (cursor.acceptSymbol('<')) {
    target = parseIdentifier(cursor)
    cursor.expectSymbol('>')
  }
  return { kind: 'elementType', element, target, range: cursor.rangeFrom(start) }
}

function parseTupleType(cursor: Cursor): TypeSyntax {
  const { start } = cursor.advance()
  const fields = parseTypeArguments(cursor)
  return { kind: 'tupleType', fields, range: cursor.rangeFrom(start) }
}

/** `<T a, b T, T(10) c, T>`: fields in either order, sizes read and dropped. */
function parseTypeArguments(cursor: Cursor): FieldSyntax[] {
  cursor.expectSymbol('<')
  const fields: FieldSyntax[] = []
  do fields.push(parseField(cursor))
  while (cursor.acceptSymbol(','))
  cursor.expectSymbol('>')
  return fields
}

export function parseField(cursor: Cursor): FieldSyntax {
  const start = cursor.token.start
  // Of two names the first is the type: `Top h`, as a typedef's name is no word of the language.
  const nameFirst = !looksLikeType(cursor) && isUserName(cursor.peek(1)) && typeFollows(cursor)
  if (nameFirst) {
    const { name } = parseIdentifier(cursor)
    const type = parseSizedType(cursor)
    return { name, type, range: cursor.rangeFrom(start) }
  }
  const type = parseSizedType(cursor)
  const name = isUserName(cursor.token) ? parseIdentifier(cursor).name : ''
  return { name, type, range: cursor.rangeFrom(start) }
}

function looksLikeType(cursor: Cursor): boolean {
  const { upper } = cursor.token
  const next = cursor.peek(1).upper
  // `INT file`: no field holds a FILE, so there it is the name.
  if (BASE_TYPES.has(upper)) return next === 'FILE' || !BASE_TYPES.has(next)
  return accumNameAt(cursor) !== null || cursor.atSymbol('<', 1)
}

function typeFollows(cursor: Cursor): boolean {
  const { upper } = cursor.peek(1)
  return BASE_TYPES.has(upper) || ACCUM_BY_UPPER.has(upper) || cursor.atSymbol('<', 2)
}

function parseSizedType(cursor: Cursor): TypeSyntax {
  const type = parseType(cursor)
  if (cursor.acceptSymbol('(')) {
    cursor.expectKind('int')
    cursor.expectSymbol(')')
  }
  return type
}

export function parseAccumType(cursor: Cursor): AccumTypeSyntax {
  const accum = accumNameAt(cursor)
  if (accum === null) cursor.fail()
  const { start } = cursor.advance()
  const sized = cursor.atSymbol('<') && (cursor.atKind('int', 1) || cursor.atKind('real', 1))
  const size = sized ? parseSize(cursor) : null
  const types = !sized && cursor.atSymbol('<') ? parseTypeArguments(cursor) : []
  const heap = accum === 'HeapAccum' && cursor.atSymbol('(') ? parseHeap(cursor) : null
  return { kind: 'accumType', accum, arguments: types, size, heap, range: cursor.rangeFrom(start) }
}

function parseSize(cursor: Cursor): number {
  cursor.expectSymbol('<')
  const size = Number(cursor.advance().text)
  cursor.expectSymbol('>')
  return size
}

/** `(n, f DESC, g)`, `(f DESC)`: a first item without direction, then a comma, is the capacity. */
function parseHeap(cursor: Cursor): HeapSyntax {
  cursor.expectSymbol('(')
  let capacity: HeapSyntax['capacity'] = null
  if (!(cursor.atKind('name') && isSortKeyEnd(cursor))) {
    capacity = cursor.expression()
    cursor.acceptSymbol(',')
  }
  const order: { field: Identifier; descending: boolean }[] = []
  while (!cursor.atSymbol(')')) {
    order.push(parseSortKey(cursor))
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol(')')
  return { capacity, order }
}

function isSortKeyEnd(cursor: Cursor): boolean {
  return cursor.atWord('ASC', 1) || cursor.atWord('DESC', 1)
}

function parseSortKey(cursor: Cursor): { field: Identifier; descending: boolean } {
  const field = parseIdentifier(cursor)
  const descending = cursor.acceptWord('DESC')
  if (!descending) cursor.acceptWord('ASC')
  return { field, descending }
}
