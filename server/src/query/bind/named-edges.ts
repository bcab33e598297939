/** The edges that `outdegree` and `neighbors` speak of: all, or of types that are named. */
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import type { BoundExpression } from './bound-expression.ts'
import type { BoundStep } from './bound-select.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { edgeSteps } from './edge-steps.ts'
import type { EdgeName } from './schema.ts'
import { suggest } from './suggest.ts'
import { dynamicEdges, isTypeParameter } from './type-parameters.ts'
import type { ValueType } from './types.ts'

/** Outgoing and undirected edges, of all types or those named by literals and parameters. */
export function stepsFrom(
  binder: Binder,
  named: readonly Expression[],
  receiver: BoundExpression,
): BoundStep[] {
  const type = receiver.type as Extract<ValueType, { kind: 'VERTEX' }>
  const from = type.typeIds ?? binder.schema.allVertexTypeIds()
  const to = binder.schema.allVertexTypeIds()
  const given = named.map((node) => edgesNamed(binder, node))
  const all = named.length === 0 || given.includes(null)
  const edges = all ? everyEdge(binder) : given.flatMap((names) => names ?? [])
  const steps = edges.flatMap((edge) => edgeSteps(edge, 'none', { from, to }))
  const seen = new Map(steps.map((step) => [JSON.stringify(step), step]))
  return [...seen.values()]
}

/** Every type by its own name, and by its reverse name where it has one. */
function everyEdge(binder: Binder): EdgeName[] {
  return binder.schema.edgeNames().map((name) => binder.schema.edge(name)!)
}

function edgesNamed(binder: Binder, node: Expression): readonly EdgeName[] | null {
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    return dynamicEdges(binder, node.name, node.range)
  }
  if (node.kind === 'string') return [edgeNamed(binder, node)]
  if (node.kind === 'parenthesised' || node.kind === 'list') {
    return node.items.flatMap((item) => edgesNamed(binder, item) ?? [])
  }
  return binder.notSupported(node.range, 'edge types computed at run time')
}

function edgeNamed(binder: Binder, node: Extract<Expression, { kind: 'string' }>): EdgeName {
  const edge = binder.schema.edge(node.value)
  if (edge !== undefined) return edge
  const hint = suggest(node.value, binder.schema.edgeNames())
  return binder.fail(
    diagnosticCodes.unknownEdgeType,
    node.range,
    `no edge type "${node.value}"${hint}`,
  )
}
