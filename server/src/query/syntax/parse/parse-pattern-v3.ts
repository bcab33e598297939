/** V3 paths: `(a:Account {name: "x"})-[e:transfer WHERE …]->(b:Account|City)`. */
import type { Expression, Identifier } from '../ast.ts'
import type {
  EdgeDirection,
  EdgeSyntax,
  EdgeTypeSyntax,
  NodeSyntax,
  PathSyntax,
  PropertySyntax,
  TypeRefSyntax,
} from '../ast-pattern.ts'
import type { Cursor } from '../cursor.ts'
import { type Bounds, parseBounds, parseQuantifier } from './parse-repeat.ts'
import { parseIdentifier } from './parse-type.ts'

export function parsePathV3(cursor: Cursor): PathSyntax {
  const start = cursor.token.start
  const nodes: NodeSyntax[] = [parseNode(cursor)]
  const edges: EdgeSyntax[] = []
  while (atEdge(cursor)) {
    edges.push(parseEdge(cursor))
    nodes.push(parseNode(cursor))
  }
  return { style: 'v3', nodes, edges, range: cursor.rangeFrom(start) }
}

function atEdge(cursor: Cursor): boolean {
  return ['-', '<', '~', '->'].some((symbol) => cursor.atSymbol(symbol))
}

interface Inside {
  readonly alias: Identifier | null
  readonly labels: readonly TypeRefSyntax[]
  readonly bounds: Bounds | null
  readonly properties: readonly PropertySyntax[]
  readonly where: Expression | null
}

const EMPTY: Inside = { alias: null, labels: [], bounds: null, properties: [], where: null }

function parseNode(cursor: Cursor): NodeSyntax {
  const { start } = cursor.expectSymbol('(')
  const { alias, labels, properties, where } = parseInside(cursor)
  cursor.expectSymbol(')')
  return { types: labels, alias, properties, where, range: cursor.rangeFrom(start) }
}

/** What stands between the brackets of a node or an edge. */
function parseInside(cursor: Cursor): Inside {
  const named = cursor.atKind('name') && !cursor.atWord('WHERE')
  const alias = named ? parseIdentifier(cursor) : null
  const labels = cursor.acceptSymbol(':') ? parseLabels(cursor) : []
  const bounds = cursor.acceptSymbol('*') ? parseBounds(cursor) : null
  const properties = cursor.atSymbol('{') ? parseProperties(cursor) : []
  const where = cursor.acceptWord('WHERE') ? cursor.expression() : null
  return { alias, labels, bounds, properties, where }
}

function parseLabels(cursor: Cursor): TypeRefSyntax[] {
  const labels = [parseLabel(cursor)]
  while (cursor.acceptSymbol('|') || cursor.acceptSymbol(':')) labels.push(parseLabel(cursor))
  return labels
}

function parseLabel(cursor: Cursor): TypeRefSyntax {
  const start = cursor.token.start
  if (cursor.atKind('globalAccum')) {
    const { text } = cursor.advance()
    return { kind: 'globalAccum', name: text, all: false, range: cursor.rangeFrom(start) }
  }
  const { name } = parseIdentifier(cursor)
  const any = name === '_' || name.toUpperCase() === 'ANY'
  return { kind: any ? 'any' : 'name', name, all: false, range: cursor.rangeFrom(start) }
}

function parseProperties(cursor: Cursor): PropertySyntax[] {
  cursor.expectSymbol('{')
  const properties: PropertySyntax[] = []
  while (!cursor.atSymbol('}')) {
    const name = parseIdentifier(cursor)
    cursor.expectSymbol(':')
    properties.push({ name, value: cursor.expression() })
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol('}')
  return properties
}

function parseEdge(cursor: Cursor): EdgeSyntax {
  const start = cursor.token.start
  const left = cursor.acceptSymbol('<')
  const tilde = cursor.atSymbol('~')
  if (!cursor.acceptSymbol('~')) cursor.expectSymbol('-')
  const inside = cursor.acceptSymbol('[') ? parseBracketed(cursor) : EMPTY
  const right = parseHead(cursor)
  const bounds = parseQuantifier(cursor) ?? inside.bounds
  const range = cursor.rangeFrom(start)
  const type = edgeType({ ...inside, bounds }, directionOf(left, right, tilde), range)
  const { alias, properties, where } = inside
  return { type, alias, arrow: false, properties, where, range }
}

function parseBracketed(cursor: Cursor): Inside {
  const inside = parseInside(cursor)
  cursor.expectSymbol(']')
  return inside
}

/** `-`, `->`, `~`, `~>`: true when it points right. */
function parseHead(cursor: Cursor): boolean {
  if (cursor.acceptSymbol('->')) return true
  if (!cursor.acceptSymbol('~')) cursor.expectSymbol('-')
  return cursor.acceptSymbol('>')
}

function directionOf(left: boolean, right: boolean, tilde: boolean): EdgeDirection {
  if (left && right) return tilde ? 'any' : 'both'
  if (left) return tilde ? 'leftOrUndirected' : 'left'
  if (right) return tilde ? 'rightOrUndirected' : 'right'
  return tilde ? 'undirected' : 'any'
}

function edgeType(
  inside: Inside,
  direction: EdgeDirection,
  range: EdgeTypeSyntax['range'],
): EdgeTypeSyntax {
  const any: TypeRefSyntax = { kind: 'any', name: '_', all: false, range }
  const labels = inside.labels.length === 0 ? [any] : inside.labels
  const items = labels.map(
    (type) => ({ kind: 'atom', type, direction, range: type.range }) as const,
  )
  const item: EdgeTypeSyntax =
    items.length === 1 ? items[0]! : { kind: 'alternatives', items, range }
  return inside.bounds === null ? item : { kind: 'repeat', item, ...inside.bounds, range }
}
