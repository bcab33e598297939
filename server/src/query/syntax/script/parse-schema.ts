/** Definitions of types (docs/reference/gsql/schema.md): vertices, edges, tuples, and the steps of a job. */

import type { Cursor } from '../cursor.ts'
import type {
  AttributeDeclaration,
  EdgeDeclaration,
  ElementKind,
  Options,
  PairDeclaration,
  SchemaStep,
  TupleDeclaration,
  VertexDeclaration,
} from './ast-script.ts'
import { parseDescribeStep } from './parse-description.ts'

/** Any word is a name here: attributes are called `from`, `count`, `date`. */
export function parseName(cursor: Cursor): string {
  return cursor.expectKind('name').text
}

export function parseNames(cursor: Cursor): string[] {
  const names = [parseName(cursor)]
  while (cursor.acceptSymbol(',')) names.push(parseName(cursor))
  return names
}

/** A name of parts, `package.query`, or one in quotes. */
export function parseDotted(cursor: Cursor): string {
  let name = cursor.atKind('string') ? cursor.advance().text : parseName(cursor)
  while (cursor.acceptSymbol('.')) name += `.${parseName(cursor)}`
  return name
}

/** `VERTEX name (…) [WITH …]`, from the word VERTEX on. */
export function parseVertex(cursor: Cursor): VertexDeclaration {
  cursor.expectWord('VERTEX')
  const name = parseName(cursor)
  let primaryId: AttributeDeclaration | null = null
  let key: readonly string[] = []
  const attributes: AttributeDeclaration[] = []
  cursor.expectSymbol('(')
  do {
    if (cursor.acceptWord('PRIMARY_ID')) primaryId = parseAttribute(cursor)
    else if (cursor.atWord('PRIMARY') && cursor.atWord('KEY', 1)) key = parseKey(cursor)
    else attributes.push(parseAttribute(cursor))
  } while (cursor.acceptSymbol(','))
  cursor.expectSymbol(')')
  return { name, primaryId, key, attributes, options: parseWith(cursor) }
}

function parseKey(cursor: Cursor): readonly string[] {
  cursor.advance()
  cursor.advance()
  cursor.expectSymbol('(')
  const names = parseNames(cursor)
  cursor.expectSymbol(')')
  return names
}

/** `[DIRECTED|UNDIRECTED] EDGE name (FROM …, TO …, …) [WITH …]`. */
export function parseEdge(cursor: Cursor): EdgeDeclaration {
  const directed = !cursor.acceptWord('UNDIRECTED')
  if (directed) cursor.expectWord('DIRECTED')
  cursor.expectWord('EDGE')
  const name = parseName(cursor)
  cursor.expectSymbol('(')
  const pairs = parsePairs(cursor)
  const discriminator: AttributeDeclaration[] = []
  const attributes: AttributeDeclaration[] = []
  while (cursor.acceptSymbol(',')) {
    if (cursor.atWord('DISCRIMINATOR') && cursor.atSymbol('(', 1)) {
      cursor.advance()
      discriminator.push(...parseAttributeList(cursor))
    } else attributes.push(parseAttribute(cursor))
  }
  cursor.expectSymbol(')')
  const options = parseWith(cursor)
  return { name, directed, pairs, discriminator, attributes, options }
}

function parsePairs(cursor: Cursor): PairDeclaration[] {
  const pairs = [parsePair(cursor)]
  while (cursor.acceptSymbol('|')) pairs.push(parsePair(cursor))
  return pairs
}

function parsePair(cursor: Cursor): PairDeclaration {
  cursor.expectWord('FROM')
  const from = parseEnds(cursor)
  cursor.expectSymbol(',')
  cursor.expectWord('TO')
  return { from, to: parseEnds(cursor) }
}

/** A `|` behind a name belongs to the ends unless FROM follows: then another pair begins. */
function parseEnds(cursor: Cursor): string {
  if (cursor.acceptSymbol('*')) return '*'
  const names = [parseName(cursor)]
  while (cursor.atSymbol('|') && !cursor.atWord('FROM', 1)) {
    cursor.advance()
    names.push(parseName(cursor))
  }
  return names.join('|')
}

/** `(a INT, b STRING DEFAULT "x")`. */
function parseAttributeList(cursor: Cursor): AttributeDeclaration[] {
  cursor.expectSymbol('(')
  const attributes = [parseAttribute(cursor)]
  while (cursor.acceptSymbol(',')) attributes.push(parseAttribute(cursor))
  cursor.expectSymbol(')')
  return attributes
}

function parseAttribute(cursor: Cursor): AttributeDeclaration {
  const name = parseName(cursor)
  const type = parseTypeText(cursor)
  let isPrimaryKey = false
  let defaultText: string | null = null
  let said: { description?: string } = {}
  for (;;) {
    if (cursor.acceptWord('PRIMARY')) {
      cursor.expectWord('KEY')
      isPrimaryKey = true
    } else if (cursor.acceptWord('DEFAULT')) defaultText = parseLiteral(cursor)
    else if (cursor.acceptWord('DESCRIPTION'))
      said = { description: cursor.expectKind('string').text }
    else return { name, type, isPrimaryKey, defaultText, ...said }
  }
}

/** `MAP<INT, STRING>`, `STRING(20)`, `STRING COMPRESS`: joined without blanks. */
function parseTypeText(cursor: Cursor): string {
  let text = parseName(cursor)
  if (cursor.acceptSymbol('<')) {
    const parts = [cursor.nested(() => parseTypeText(cursor))]
    while (cursor.acceptSymbol(',')) parts.push(cursor.nested(() => parseTypeText(cursor)))
    cursor.expectSymbol('>')
    text += `<${parts.join(',')}>`
  } else if (cursor.acceptSymbol('(')) {
    text += `(${cursor.expectKind('int').text})`
    cursor.expectSymbol(')')
  }
  cursor.acceptWord('COMPRESS')
  return text
}

/** A literal as the text it stands for. */
export function parseLiteral(cursor: Cursor): string {
  const sign = cursor.acceptSymbol('-') ? '-' : ''
  for (const kind of ['int', 'real'] as const) {
    if (cursor.atKind(kind)) return sign + cursor.advance().text
  }
  if (cursor.atKind('name')) return cursor.advance().text
  return cursor.expectKind('string').text
}

/** `WITH a="x", b="y"`; the commas may be missing. */
export function parseWith(cursor: Cursor): Options {
  return cursor.acceptWord('WITH') ? parseOptions(cursor) : new Map()
}

/** `A="x", B="y"`: names in upper case; as many as follow. A bare `REVERSE_EDGE` names none. */
export function parseOptions(cursor: Cursor): Options {
  const options = new Map<string, string>()
  do {
    const name = parseName(cursor).toUpperCase()
    if (name === 'REVERSE_EDGE' && !cursor.atSymbol('=')) {
      options.set(name, '')
      cursor.acceptSymbol(',')
      continue
    }
    cursor.expectSymbol('=')
    options.set(name, parseLiteral(cursor))
    cursor.acceptSymbol(',')
  } while (
    (cursor.atKind('name') && cursor.atSymbol('=', 1)) ||
    (options.size > 0 && cursor.atWord('REVERSE_EDGE'))
  )
  return options
}

/** `TUPLE <…> Name`, from the word TUPLE on; fields with the name or the type first. */
export function parseTuple(cursor: Cursor): TupleDeclaration {
  cursor.expectWord('TUPLE')
  cursor.expectSymbol('<')
  const fields = [parseField(cursor)]
  while (cursor.acceptSymbol(',')) fields.push(parseField(cursor))
  cursor.expectSymbol('>')
  return { name: parseName(cursor), fields }
}

const FIELD_TYPES = ['INT', 'UINT', 'FLOAT', 'DOUBLE', 'STRING', 'BOOL', 'DATETIME']

function parseField(cursor: Cursor): { name: string; type: string } {
  if (FIELD_TYPES.includes(cursor.token.upper) && !FIELD_TYPES.includes(cursor.peek(1).upper)) {
    const type = parseTypeText(cursor)
    return { name: parseName(cursor), type }
  }
  const name = parseName(cursor)
  return { name, type: parseTypeText(cursor) }
}

/** The steps between the braces of a schema-change job. */
export function parseSteps(cursor: Cursor): SchemaStep[] {
  const steps: SchemaStep[] = []
  cursor.expectSymbol('{')
  while (!cursor.acceptSymbol('}')) {
    if (!cursor.acceptSymbol(';')) steps.push(parseStep(cursor))
  }
  return steps
}

function parseStep(cursor: Cursor): SchemaStep {
  if (cursor.acceptWord('ADD')) return parseAddition(cursor)
  if (cursor.acceptWord('DROP')) return parseDrop(cursor)
  cursor.expectWord('ALTER')
  return parseAlteration(cursor)
}

function parseAddition(cursor: Cursor): SchemaStep {
  if (cursor.atWord('DIRECTED') || cursor.atWord('UNDIRECTED')) {
    return { kind: 'addEdge', edge: parseEdge(cursor) }
  }
  if (cursor.atWord('VERTEX') && cursor.atSymbol('(', 2)) {
    return { kind: 'addVertex', vertex: parseVertex(cursor) }
  }
  const element = parseElement(cursor)
  const names = parseNames(cursor)
  cursor.expectWord('TO')
  cursor.expectWord('GRAPH')
  return { kind: 'membership', adds: true, element, names, graph: parseName(cursor) }
}

function parseElement(cursor: Cursor): ElementKind {
  if (cursor.acceptWord('VERTEX')) return 'VERTEX'
  cursor.expectWord('EDGE')
  return 'EDGE'
}

function parseDrop(cursor: Cursor): SchemaStep {
  if (cursor.acceptWord('TUPLE')) {
    return { kind: 'dropTypes', element: 'TUPLE', names: parseNames(cursor) }
  }
  const element = parseElement(cursor)
  const names = parseNames(cursor)
  if (!cursor.acceptWord('FROM')) return { kind: 'dropTypes', element, names }
  cursor.expectWord('GRAPH')
  return { kind: 'membership', adds: false, element, names, graph: parseName(cursor) }
}

/** Behind ALTER. */
export function parseAlteration(cursor: Cursor): SchemaStep {
  const element = parseElement(cursor)
  const name = parseName(cursor)
  if (cursor.atWord('SET')) return parseDescribeStep(cursor, element, name)
  const adds = cursor.acceptWord('ADD')
  if (!adds) cursor.expectWord('DROP')
  if (cursor.acceptWord('ATTRIBUTE')) return parseAttributeStep(cursor, { element, name, adds })
  if (element === 'VERTEX' && cursor.acceptWord('VECTOR'))
    return parseVectorStep(cursor, name, adds)
  if (element === 'VERTEX') return parseIndexStep(cursor, name, adds)
  if (!adds) cursor.fail()
  if (cursor.atWord('FROM')) return parseEndsStep(cursor, name)
  cursor.expectWord('PAIR')
  cursor.expectSymbol('(')
  const pairs = parsePairs(cursor)
  cursor.expectSymbol(')')
  return { kind: 'addPairs', name, pairs, attributes: [] }
}

/** `FROM (A, B) TO (C) [ATTRIBUTE (a INT)]`: a pair of each start with each end. */
function parseEndsStep(cursor: Cursor, name: string): SchemaStep {
  cursor.expectWord('FROM')
  const from = parseNameList(cursor)
  cursor.expectWord('TO')
  const to = parseNameList(cursor)
  const attributes = cursor.acceptWord('ATTRIBUTE') ? parseAttributeList(cursor) : []
  const pairs = [{ from: from.join('|'), to: to.join('|') }]
  return { kind: 'addPairs', name, pairs, attributes }
}

function parseNameList(cursor: Cursor): string[] {
  cursor.expectSymbol('(')
  const names = parseNames(cursor)
  cursor.expectSymbol(')')
  return names
}

function parseAttributeStep(
  cursor: Cursor,
  { element, name, adds }: { element: ElementKind; name: string; adds: boolean },
): SchemaStep {
  if (adds) return { kind: 'addAttributes', element, name, attributes: parseAttributeList(cursor) }
  return { kind: 'dropAttributes', element, name, attributes: parseNameList(cursor) }
}

/** Behind VECTOR: `ATTRIBUTE emb (DIMENSION=3, METRIC="L2")`. */
function parseVectorStep(cursor: Cursor, name: string, adds: boolean): SchemaStep {
  cursor.expectWord('ATTRIBUTE')
  const vector = parseName(cursor)
  if (!adds) return { kind: 'dropVector', name, vector }
  if (!cursor.acceptSymbol('(')) return { kind: 'addVector', name, vector, options: new Map() }
  const options = cursor.atSymbol(')') ? new Map<string, string>() : parseOptions(cursor)
  cursor.expectSymbol(')')
  return { kind: 'addVector', name, vector, options }
}

function parseIndexStep(cursor: Cursor, name: string, adds: boolean): SchemaStep {
  cursor.expectWord('INDEX')
  const index = parseName(cursor)
  if (!adds) return { kind: 'dropIndex', name, index }
  cursor.expectWord('ON')
  cursor.expectSymbol('(')
  const attribute = parseName(cursor)
  cursor.expectSymbol(')')
  return { kind: 'addIndex', name, index, attribute }
}
