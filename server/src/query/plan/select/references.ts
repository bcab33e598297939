/** What an expression speaks of, so that it can be computed no later and no earlier than needed. */
import type { BoundExpression, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'

export interface References {
  readonly positions: Set<number>
  readonly hops: Set<number>
  /** Reads a local variable of the clause, so it belongs where that is set. */
  locals: boolean
  /** May end the query with an error: division, modulo, conversion of a text. */
  throws: boolean
  /** Has an effect or makes a temporary: not to be moved. */
  fixed: boolean
}

/** Another value at every call. */
export const randomFunctions: ReadonlySet<string> = new Set(['rand', 'gsql_uuid_v4'])
const throwingFunctions = new Set([
  ...['to_datetime', 'str_to_int', 'substring', 'now'],
  ...randomFunctions,
])

const clean = { locals: false, throws: false, fixed: false }

export function referencesOf(node: BoundExpression): References {
  const found: References = {
    positions: new Set(),
    hops: new Set(),
    ...clean,
  }
  visit(node, found)
  return found
}

function visit(node: BoundExpression, found: References): void {
  note(node, found)
  for (const child of childrenOf(node)) visit(child, found)
}

function note(node: BoundExpression, found: References): void {
  switch (node.kind) {
    case 'vertexAlias':
      found.positions.add(node.position)
      return
    case 'edgeAlias':
      found.hops.add(node.hop)
      return
    case 'local':
      found.locals = true
      return
    case 'guard':
      for (const { position } of node.applies.positions) found.positions.add(position)
      for (const { hop } of node.applies.hops) found.hops.add(hop)
      return
    case 'arithmetic':
      if (node.operator === '/' || node.operator === '%') found.throws = true
      if (typeof node.type.kind === 'string' && isBlock(node.type.kind)) found.fixed = true
      return
    case 'element':
    case 'vectorCall':
      found.throws = true
      return
    case 'parseJson':
    case 'jsonMethod':
      found.throws = true
      return
    case 'call':
      found.throws = true
      if (throwingFunctions.has(node.name) || node.name.startsWith('fail ')) found.fixed = true
      return
    case 'failure':
      found.throws = true
      found.fixed = true
      return
    case 'kept':
    case 'setOperation':
    case 'neighbors':
    case 'userCall':
    case 'callQuery':
    case 'setVertices':
    case 'vertexOfId':
    case 'verticesOfIds':
    case 'selectVertex':
    case 'tableRows':
    case 'pop':
    case 'updateElement':
    case 'collection':
    case 'map':
    case 'tuple':
      found.fixed = true
      return
    default:
  }
}

/** Whether a node may fail when what is inside it did not. */
export function throwsItself(node: BoundExpression): boolean {
  const found: References = { positions: new Set(), hops: new Set(), ...clean }
  note(node, found)
  return found.throws
}

function isBlock(kind: string): boolean {
  return kind === 'LIST' || kind === 'SET' || kind === 'BAG' || kind === 'MAP' || kind === 'STRING'
}

/** Expressions directly inside a node. */
export function childrenOf(node: BoundExpression): readonly BoundExpression[] {
  switch (node.kind) {
    case 'setOperation':
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      return [node.left, node.right]
    case 'convert':
    case 'parseJson':
    case 'negate':
    case 'not':
    case 'guard':
      return [node.value]
    case 'inVertexSet':
      return [node.value, ...valuesIn(node.set)]
    case 'vertexSetSize':
      return valuesIn(node.set)
    case 'vertexAccum':
    case 'attribute':
    case 'typeName':
    case 'field':
    case 'outdegree':
    case 'edgeDirected':
    case 'edgeIdentity':
    case 'percentOf':
      return [node.of]
    case 'aggregate':
      return node.percent === undefined ? [node.of] : [node.of, node.percent]
    case 'neighbors':
      return node.filter === null ? [node.of] : [node.of, node.filter.condition]
    case 'tableRows':
      return [node.of]
    case 'jsonMethod':
      return node.key === null ? [node.of] : [node.of, node.key]
    case 'between':
      return [node.value, node.low, node.high]
    case 'in':
      return [node.value, node.container]
    case 'like':
      return [node.value, node.pattern]
    case 'method':
      return [node.of, ...node.arguments]
    case 'element':
      return [node.of, ...node.indexes]
    case 'call':
    case 'userCall':
    case 'callQuery':
      return node.arguments
    case 'failure':
      return node.of
    case 'vectorCall':
      return node.extra === null ? node.vectors : [...node.vectors, node.extra]
    case 'vertexOfId':
      return [node.id, node.typeName]
    case 'verticesOfIds':
      return [node.ids, node.typeName]
    default:
      return compositeChildren(node)
  }
}

/** The values a vertex set is made of: they may be those of a row. */
function valuesIn(set: BoundVertexSetExpression): readonly BoundExpression[] {
  switch (set.kind) {
    case 'vertices':
      return [set.value]
    case 'vectorSearch': {
      const own = [set.query, set.count, ...(set.width === null ? [] : [set.width])]
      return set.candidates === null ? own : [...own, ...valuesIn(set.candidates)]
    }
    case 'union':
    case 'intersect':
    case 'minus':
      return [...valuesIn(set.left), ...valuesIn(set.right)]
    default:
      return []
  }
}

function compositeChildren(node: BoundExpression): readonly BoundExpression[] {
  switch (node.kind) {
    case 'case': {
      const branches = node.branches.flatMap((branch) => [branch.condition, branch.value])
      return node.otherwise === null ? branches : [...branches, node.otherwise]
    }
    case 'tuple':
      return node.fields
    case 'collection':
      return node.elements
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value])
    case 'updateElement':
      return [
        ...(node.target.kind === 'vertexAccum' ? [node.target.of] : []),
        node.index,
        node.value,
      ]
    case 'pop':
      return node.target.kind === 'vertexAccum' ? [node.target.of] : []
    case 'kept':
      return node.value === null ? [] : [node.value]
    default:
      return []
  }
}
