/**
 * `CREATE … VIRTUAL EDGE` (docs/reference/gsql/statements.md#virtual-edges): an edge type that lives in memory for one run. It is
 * bound like a type of the catalogue, under an id that no catalogue gives out; what is inserted into
 * it is seen from the next statement on.
 */
import type { EdgeType } from '#catalog/types.ts'
import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { VIRTUAL_TYPE_ID_MIN } from '#query/ir/type-ids.ts'
import type { Identifier } from '#query/syntax/ast.ts'
import type { Statement } from '#query/syntax/ast-statement.ts'
import { bindValueOf } from '../accumulators/assign.ts'
import { bindType } from '../accumulators/declare-types.ts'
import type { Binder } from '../core/binder.ts'

type VirtualEdgeSyntax = Extract<Statement, { kind: 'virtualEdge' }>

export function bindVirtualEdge(binder: Binder, node: VirtualEdgeSyntax): BoundStatement[] {
  const { name } = node.name
  const { schema } = binder
  const isCatalogued =
    schema.vertexType(name) ?? schema.edgeTypes.find((type) => type.name === name)
  if (isCatalogued !== undefined || binder.virtualEdges.some((type) => type.name === name)) {
    const message = `"${name}" is already the name of a type`
    binder.fail(diagnosticCodes.duplicate, node.name.range, message)
  }
  const attributes = node.attributes.map(({ field, initial }, index) => {
    const type = bindType(binder, field.type)
    const { kind } = type
    if (!isStored(kind)) {
      const message = 'an attribute of a virtual edge is a number, BOOL, STRING or DATETIME'
      return binder.fail(diagnosticCodes.typeMismatch, field.range, message)
    }
    const value: BoundExpression =
      initial === null ? { kind: 'default', type } : bindValueOf(binder, initial, type)
    return { attribute: { id: index + 1, name: field.name, type: { kind } }, value }
  })
  const type: EdgeType = {
    id: typeIdOf(binder, name),
    name,
    graph: schema.graph.name,
    directed: node.directed,
    pairs: pairsOf(binder, node),
    attributes: attributes.map(({ attribute }) => attribute),
    reverseName: null,
    discriminatorCount: 0,
    nextAttributeId: attributes.length + 1,
    config: {},
  }
  schema.declareVirtual(type)
  binder.virtualEdges.push(type)
  const defaults = attributes.map(({ value }) => value)
  return [
    { kind: 'declareVirtual', edgeTypeId: type.id, defaults, place: binder.place(node.range) },
  ]
}

const STORED = ['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'STRING', 'DATETIME'] as const

function isStored(kind: string): kind is (typeof STORED)[number] {
  return STORED.some((stored) => stored === kind)
}

/** The same for every binding of the query; those of a query and of what it calls differ. */
function typeIdOf(binder: Binder, name: string): number {
  let hash = 0
  for (const unit of `${binder.options.queryName} ${name}`) {
    hash = (Math.imul(hash, 31) + unit.codePointAt(0)!) | 0
  }
  return VIRTUAL_TYPE_ID_MIN + (hash >>> 3)
}

function pairsOf(binder: Binder, { from, to, directed }: VirtualEdgeSyntax): EdgeType['pairs'] {
  const pairs = endsOf(binder, from).flatMap((fromTypeId) =>
    endsOf(binder, to).map((toTypeId) => ({ fromTypeId, toTypeId })),
  )
  if (directed) return pairs
  // Each pair of ends once: an undirected edge has no first end.
  const seen = new Set<string>()
  return pairs.filter(({ fromTypeId, toTypeId }) => {
    const key = [fromTypeId, toTypeId].sort((a, b) => a - b).join()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** No names: `*`. */
function endsOf(binder: Binder, names: readonly Identifier[]): readonly number[] {
  if (names.length === 0) return binder.schema.allVertexTypeIds()
  return names.map(({ name, range }) => {
    const type = binder.schema.vertexType(name)
    if (type !== undefined) return type.id
    const hint = binder.schema.hintOf(name, binder.schema.vertexNames())
    const message = `no vertex type "${name}"${hint}`
    return binder.fail(diagnosticCodes.unknownVertexType, range, message)
  })
}
