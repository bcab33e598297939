/** The edges that `outdegree` and `neighbors` speak of: all, or of types that are named. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, INT, STRING, type ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { keptValue } from '../core/kept.ts'
import type { EdgeName } from '../core/schema.ts'
import { dynamicEdges, isTypeParameter } from '../core/type-parameters.ts'
import { edgeSteps } from '../patterns/edge-steps.ts'
import { failing, isText } from './named-attributes.ts'

/** Outgoing and undirected edges, of all types or those named by literals and parameters. */
export function stepsFrom(
  binder: Binder,
  named: readonly Expression[],
  receiver: BoundExpression,
): BoundStep[] {
  const given = named.map((node) => edgesNamed(binder, node))
  const all = named.length === 0 || given.includes(null)
  const edges = all ? everyEdge(binder) : given.flatMap((names) => names ?? [])
  return stepsOf(binder, edges, receiver)
}

function stepsOf(
  binder: Binder,
  edges: readonly EdgeName[],
  receiver: BoundExpression,
): BoundStep[] {
  const type = receiver.type as Extract<ValueType, { kind: 'VERTEX' }>
  const from = type.typeIds ?? binder.schema.allVertexTypeIds()
  const to = binder.schema.allVertexTypeIds()
  const steps = edges.flatMap((edge) => edgeSteps(edge, 'none', { from, to }))
  const seen = new Map(steps.map((step) => [JSON.stringify(step), step]))
  return [...seen.values()]
}

/** `v.outdegree(…)`: a degree, or the sum of those whose names the run computes. */
export function degreeOf(
  binder: Binder,
  named: readonly Expression[],
  receiver: BoundExpression,
): BoundExpression {
  const [only] = named
  if (named.length !== 1 || only === undefined || isWritten(binder, only)) {
    return degree(receiver, stepsFrom(binder, named, receiver))
  }
  const names = binder.expression(only)
  const isText = names.type.kind === 'STRING'
  if (!isText && !(isCollection(names.type) && names.type.element.kind === 'STRING')) {
    return binder.fail(diagnosticCodes.typeMismatch, only.range, 'expected names of edge types')
  }
  return isText ? degreeNamed(binder, names, receiver) : degreesNamed(binder, names, receiver)
}

function isWritten(binder: Binder, node: Expression): boolean {
  if (node.kind === 'name') return isTypeParameter(binder, node.name)
  return ['string', 'parenthesised', 'list'].includes(node.kind)
}

function degree(of: BoundExpression, steps: readonly BoundStep[]): BoundExpression {
  return { kind: 'outdegree', type: INT, of, steps }
}

/** One name: a branch for each type there is. */
function degreeNamed(
  binder: Binder,
  name: BoundExpression,
  receiver: BoundExpression,
): BoundExpression {
  const kept = keptValue(binder, name)
  const branches = binder.schema.edgeNames().map((candidate) => ({
    condition: isText(kept(), candidate),
    value: degree(receiver, stepsOf(binder, [binder.schema.edge(candidate)!], receiver)),
  }))
  const otherwise = failing('fail edge type', INT, [kept()])
  return { kind: 'case', type: INT, branches, otherwise }
}

/** Several: what is in the collection and names no type counts for nothing. */
function degreesNamed(
  binder: Binder,
  names: BoundExpression,
  receiver: BoundExpression,
): BoundExpression {
  const none: BoundExpression = { kind: 'literal', type: INT, value: 0 }
  const kept = keptValue(binder, names)
  return binder.schema.edgeNames().reduce((sum, candidate): BoundExpression => {
    const value: BoundExpression = { kind: 'literal', type: STRING, value: candidate }
    const condition: BoundExpression = { kind: 'in', type: BOOL, value, container: kept() }
    const steps = stepsOf(binder, [binder.schema.edge(candidate)!], receiver)
    const branches = [{ condition, value: degree(receiver, steps) }]
    const right: BoundExpression = { kind: 'case', type: INT, branches, otherwise: none }
    return { kind: 'arithmetic', type: INT, operator: '+', left: sum, right }
  }, none)
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
  const hint = binder.schema.hintOf(node.value, binder.schema.edgeNames())
  return binder.fail(
    diagnosticCodes.unknownEdgeType,
    node.range,
    `no edge type "${node.value}"${hint}`,
  )
}
