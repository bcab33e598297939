/** FROM clauses: paths in the classic forms of V1 and V2, told apart from those of V3. */
import type { Identifier } from '../ast.ts'
import type {
  EdgeDirection,
  EdgeSyntax,
  EdgeTypeSyntax,
  NodeSyntax,
  PathSyntax,
  TypeRefSyntax,
} from '../ast-pattern.ts'
import type { Cursor } from '../cursor.ts'
import type { Token } from '../token.ts'
import { isUserName } from '../words.ts'
import { parsePathV3 } from './parse-pattern-v3.ts'
import { parseBounds } from './parse-repeat.ts'
import { parseIdentifier } from './parse-type.ts'

export function parsePatterns(cursor: Cursor): PathSyntax[] {
  const paths = [parsePath(cursor)]
  while (cursor.acceptSymbol(',')) paths.push(parsePath(cursor))
  return paths
}

function parsePath(cursor: Cursor): PathSyntax {
  return startsV3(cursor) ? parsePathV3(cursor) : parsePathClassic(cursor)
}

/**
 * A `(` opens a V3 node unless `:` follows its parenthesis, an edge in parentheses does, or it
 * holds an alternation without `:`: `(A|B):x -(…)-`.
 */
function startsV3(cursor: Cursor): boolean {
  if (!cursor.atSymbol('(')) return false
  const inside = new Set<string>()
  let ahead = 1
  for (let depth = 1; depth > 0; ahead++) {
    const { kind, text } = cursor.peek(ahead)
    if (kind === 'end') return true
    if (kind !== 'symbol') continue
    inside.add(text)
    if (text === '(') depth += 1
    else if (text === ')') depth -= 1
  }
  if (cursor.atSymbol(':', ahead)) return false
  if (cursor.atSymbol('-', ahead) && cursor.atSymbol('(', ahead + 1)) return false
  return inside.has(':') || !inside.has('|')
}

function parsePathClassic(cursor: Cursor): PathSyntax {
  const start = cursor.token.start
  const nodes: NodeSyntax[] = [parseVertexSet(cursor)]
  const edges: EdgeSyntax[] = []
  while (cursor.atSymbol('-')) {
    edges.push(parseEdge(cursor))
    nodes.push(parseVertexSet(cursor))
  }
  return { style: 'classic', nodes, edges, range: cursor.rangeFrom(start) }
}

function parseVertexSet(cursor: Cursor): NodeSyntax {
  const start = cursor.token.start
  const types = parseVertexTypes(cursor)
  if (types.length > 0) refuseBareAlias(cursor)
  const alias = cursor.acceptSymbol(':') ? parseIdentifier(cursor) : null
  return { types, alias, properties: [], where: null, range: cursor.rangeFrom(start) }
}

/** What SQL may write behind `FROM Type alias`. */
const BEHIND_ALIAS = /^(WHERE|JOIN|INNER|LEFT|RIGHT|ON|ACCUM|POST-ACCUM|ORDER|LIMIT)$/

function refuseBareAlias(cursor: Cursor): void {
  const [before, token, next] = [cursor.peek(-1), cursor.token, cursor.peek(1)]
  if (before.kind !== 'name' || !isUserName(token)) return
  const isEnd = next.kind === 'symbol' && [';', ',', '-'].includes(next.text)
  if (!isEnd && !(next.kind === 'name' && BEHIND_ALIAS.test(next.upper))) return
  const join = next.upper === 'JOIN' ? '; vertices are joined by patterns, -(Edge)-' : ''
  cursor.fail(`an alias follows a colon: ${before.text}:${token.text}${join}`)
}

function parseVertexTypes(cursor: Cursor): TypeRefSyntax[] {
  if (!cursor.acceptSymbol('(')) {
    return atTypeRef(cursor) ? [parseTypeRef(cursor)] : []
  }
  const types = [parseTypeRef(cursor)]
  while (cursor.acceptSymbol('|')) types.push(parseTypeRef(cursor))
  cursor.expectSymbol(')')
  return types
}

/** `PER (`, `GROUP BY` and `SAMPLE n` after an unnamed vertex are clauses, not types. */
function atTypeRef(cursor: Cursor): boolean {
  if (cursor.atKind('globalAccum')) return true
  cursor.atKind('name')
  if (!isUserName(cursor.token)) return false
  const { upper } = cursor.token
  const next = cursor.peek(1)
  if (upper === 'PER') return next.text !== '(' && next.upper !== 'MATCH'
  if (upper === 'GROUP') return next.upper !== 'BY'
  if (upper === 'SAMPLE') return !startsAmount(next)
  return upper !== 'SET'
}

/** What follows the clause SAMPLE: how many. A name there is none of a clause that may follow. */
function startsAmount(token: Token): boolean {
  if (token.kind === 'name') return isUserName(token) && !['PER', 'SAMPLE'].includes(token.upper)
  return ['int', 'real', 'globalAccum'].includes(token.kind) || token.text === '('
}

export function parseTypeRef(cursor: Cursor): TypeRefSyntax {
  const { start } = cursor.token
  if (cursor.atKind('globalAccum')) {
    const { text } = cursor.advance()
    return { kind: 'globalAccum', name: text, all: false, range: cursor.rangeFrom(start) }
  }
  const { name } = parseIdentifier(cursor)
  const all = cursor.atSymbol('.') && cursor.atSymbol('*', 1)
  if (all) {
    cursor.advance()
    cursor.advance()
  }
  const any = name === '_' || name.toUpperCase() === 'ANY'
  return { kind: any ? 'any' : 'name', name, all, range: cursor.rangeFrom(start) }
}

/** `-(E>:e)-`, `-(:e)->`, `-()-`. */
function parseEdge(cursor: Cursor): EdgeSyntax {
  const { start } = cursor.expectSymbol('-')
  cursor.expectSymbol('(')
  const empty = cursor.atSymbol(')') || cursor.atSymbol(':')
  const type = empty ? null : parseEdgeAlternatives(cursor)
  const alias: Identifier | null = cursor.acceptSymbol(':') ? parseIdentifier(cursor) : null
  cursor.expectSymbol(')')
  const arrow = cursor.acceptSymbol('->')
  if (!arrow) cursor.expectSymbol('-')
  return { type, alias, arrow, properties: [], where: null, range: cursor.rangeFrom(start) }
}

function parseEdgeAlternatives(cursor: Cursor): EdgeTypeSyntax {
  const start = cursor.token.start
  const items = [parseEdgeSequence(cursor)]
  while (cursor.acceptSymbol('|')) items.push(parseEdgeSequence(cursor))
  if (items.length === 1) return items[0]!
  return { kind: 'alternatives', items, range: cursor.rangeFrom(start) }
}

function parseEdgeSequence(cursor: Cursor): EdgeTypeSyntax {
  const start = cursor.token.start
  const items = [parseEdgeAtom(cursor)]
  while (cursor.acceptSymbol('.')) items.push(parseEdgeAtom(cursor))
  if (items.length === 1) return items[0]!
  return { kind: 'sequence', items, range: cursor.rangeFrom(start) }
}

function parseEdgeAtom(cursor: Cursor): EdgeTypeSyntax {
  return cursor.nested(() => parseEdgeAtomUnchecked(cursor))
}

function parseEdgeAtomUnchecked(cursor: Cursor): EdgeTypeSyntax {
  const start = cursor.token.start
  const left = cursor.acceptSymbol('<')
  const inner = parseEdgeCore(cursor)
  let right = cursor.acceptSymbol('>')
  const bounds = cursor.acceptSymbol('*') ? parseBounds(cursor) : null
  if (bounds !== null && cursor.acceptSymbol('>')) right = true
  const direction = directionOf(left, right)
  const item = withDirection(inner, direction)
  if (bounds === null) return item
  return { kind: 'repeat', item, ...bounds, range: cursor.rangeFrom(start) }
}

function parseEdgeCore(cursor: Cursor): EdgeTypeSyntax {
  const start = cursor.token.start
  if (cursor.acceptSymbol('(')) {
    const inner = parseEdgeAlternatives(cursor)
    cursor.expectSymbol(')')
    return inner
  }
  const named = cursor.atKind('globalAccum') || isUserName(cursor.token)
  const marked = cursor.atSymbol('>') || cursor.atSymbol('*')
  if (!named && !marked) cursor.fail()
  const type: TypeRefSyntax = named
    ? parseTypeRef(cursor)
    : { kind: 'any', name: '_', all: false, range: { start, end: start } }
  return { kind: 'atom', type, direction: 'none', range: cursor.rangeFrom(start) }
}

function directionOf(left: boolean, right: boolean): EdgeDirection {
  if (left) return right ? 'both' : 'left'
  return right ? 'right' : 'none'
}

/** A mark on a group holds for its members that have none of their own. */
function withDirection(type: EdgeTypeSyntax, direction: EdgeDirection): EdgeTypeSyntax {
  if (direction === 'none') return type
  if (type.kind === 'atom') return type.direction === 'none' ? { ...type, direction } : type
  if (type.kind === 'repeat') return { ...type, item: withDirection(type.item, direction) }
  return { ...type, items: type.items.map((item) => withDirection(item, direction)) }
}
